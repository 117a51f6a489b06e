// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { VisibleCalls } from '../../model/visible_calls';
import { useSize } from '../../widgets/canvas';
import { tip } from '../../widgets/tooltip';

const ROW_HEIGHT = 24;
const OVERSCAN = 8;

export interface TreeRowsProps {
  label: string;
  visible: VisibleCalls;
  /** Position among the visible ones; -1: none. */
  current: number;
  onCurrent: (at: number) => void;
  /** undefined: nothing to open. */
  isOpen: (at: number) => boolean | undefined;
  onOpen: (at: number, open: boolean) => void;
  /** The star: everything below. */
  onOpenAll: (at: number) => void;
  /** Enter or a double click. */
  onEnter: (at: number) => void;
  name: (at: number) => ComponentChildren;
  figures: (at: number) => ComponentChildren;
  classOf: (at: number) => string;
  tipOf: (at: number) => ComponentChildren;
  head: ComponentChildren;
}

/** Rows of a tree, of which only those on the screen exist. Keys are those of trees everywhere. */
export function TreeRows(props: TreeRowsProps) {
  const { visible, current } = props;
  const [element, size] = useSize();
  const [scroll, setScroll] = useState(0);
  const first = Math.max(0, Math.floor(scroll / ROW_HEIGHT) - OVERSCAN);
  const last = Math.min(visible.count, Math.ceil((scroll + size.height) / ROW_HEIGHT) + OVERSCAN);

  const show = (at: number) => {
    const box = element.current!;
    const top = at * ROW_HEIGHT;
    const room = box.clientHeight - ROW_HEIGHT - 4;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + ROW_HEIGHT > box.scrollTop + room) box.scrollTop = top + ROW_HEIGHT - room;
  };
  useEffect(() => {
    if (current >= 0) show(current);
  }, [current]);
  useEffect(() => () => { tip.value = null; }, []);

  const parentOf = (at: number) => {
    for (let above = at - 1; above >= 0; --above) if (visible.level[above] < visible.level[at]) return above;
    return at;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = Math.max(0, current);
    const page = Math.max(1, Math.floor(size.height / ROW_HEIGHT) - 2);
    const open = props.isOpen(at);
    const go = (to: number) => props.onCurrent(Math.max(0, Math.min(visible.count - 1, to)));
    switch (event.key) {
      case 'ArrowDown': go(current < 0 ? 0 : at + 1); break;
      case 'ArrowUp': go(at - 1); break;
      case 'PageDown': go(at + page); break;
      case 'PageUp': go(at - page); break;
      case 'Home': go(0); break;
      case 'End': go(visible.count - 1); break;
      case 'ArrowRight':
        if (open === false) props.onOpen(at, true);
        else if (open && visible.level[at + 1] > visible.level[at]) go(at + 1);
        break;
      case 'ArrowLeft':
        if (open) props.onOpen(at, false);
        else go(parentOf(at));
        break;
      case '*': props.onOpenAll(at); break;
      case ' ':
        if (open !== undefined) props.onOpen(at, !open);
        break;
      case 'Enter': props.onEnter(at); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="call-tree" ref={element} onScroll={(event) => setScroll(event.currentTarget.scrollTop)}>
      <div class="call-head" aria-hidden="true">{props.head}</div>
      <div
        class="call-rows"
        role="tree"
        aria-label={props.label}
        tabIndex={0}
        aria-activedescendant={current >= first && current < last ? `call-${current}` : undefined}
        style={{ height: `${visible.count * ROW_HEIGHT}px` }}
        onKeyDown={onKeyDown}
        onPointerLeave={() => { tip.value = null; }}
      >
        {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
          const at = first + offset;
          const open = props.isOpen(at);
          return (
            <div
              key={at}
              id={`call-${at}`}
              role="treeitem"
              aria-level={visible.level[at] + 1}
              aria-expanded={open}
              aria-selected={at === current}
              class={`call-row ${props.classOf(at)}`}
              style={{ transform: `translateY(${at * ROW_HEIGHT}px)` }}
              onClick={() => props.onCurrent(at)}
              onDblClick={() => props.onEnter(at)}
              onPointerMove={(event) => {
                tip.value = event.pointerType === 'touch' ? null : { x: event.clientX, y: event.clientY, content: props.tipOf(at) };
              }}
            >
              <div class="call-name" style={{ paddingLeft: `${indent(visible.level[at])}px` }}>
                <span
                  class={`twisty ${open === undefined ? 'none' : open ? 'open' : ''}`}
                  aria-hidden="true"
                  onClick={(event) => {
                    if (open === undefined) return;
                    event.stopPropagation();
                    props.onOpen(at, !open);
                  }}
                />
                {props.name(at)}
              </div>
              {props.figures(at)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Deep stacks would leave no room for names: beyond a depth, steps are smaller. */
function indent(level: number): number {
  return Math.min(level, 24) * 14 + Math.max(0, Math.min(level - 24, 60)) * 3;
}
