// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { VisibleCalls } from '../../model/visible_calls';
import { useSize } from '../../widgets/canvas';
import { rowOfKey, rowsToMake, scrolledTo } from '../../widgets/row_window';
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
  const { first, last } = rowsToMake(scroll, size.height, ROW_HEIGHT, visible.count, OVERSCAN);

  const show = (at: number) => {
    const box = element.current!;
    box.scrollTop = scrolledTo(at, box.scrollTop, box.clientHeight - ROW_HEIGHT - 4, ROW_HEIGHT);
  };
  useEffect(() => {
    if (current >= 0) show(current);
  }, [current]);
  useEffect(() => () => { tip.value = null; }, []);

  const parentOf = (at: number) => {
    for (let above = at - 1; above >= 0; --above) if (visible.level[above] < visible.level[at]) return above;
    return at;
  };
  /** Keys that a list does not have; false: nor has a tree. */
  const pressed = (key: string, at: number): boolean => {
    const open = props.isOpen(at);
    if (key === 'Enter') props.onEnter(at);
    else if (key === '*') props.onOpenAll(at);
    else if (key === ' ' && open !== undefined) props.onOpen(at, !open);
    else if (key === 'ArrowRight' && open === false) props.onOpen(at, true);
    else if (key === 'ArrowRight' && open && visible.level[at + 1] > visible.level[at]) props.onCurrent(at + 1);
    else if (key === 'ArrowLeft' && open) props.onOpen(at, false);
    else if (key === 'ArrowLeft') props.onCurrent(parentOf(at));
    else return [' ', 'ArrowRight'].includes(key);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = rowOfKey(event.key, current, visible.count, size.height, ROW_HEIGHT);
    if (target !== undefined) props.onCurrent(target);
    else if (!pressed(event.key, Math.max(0, current))) return;
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
        {Array.from({ length: Math.max(0, last - first) }, (_, offset) => <TreeRow key={first + offset} at={first + offset} of={props} />)}
      </div>
    </div>
  );
}

function TreeRow({ at, of }: { at: number; of: TreeRowsProps }) {
  const open = of.isOpen(at);
  return (
    <div
      id={`call-${at}`}
      role="treeitem"
      aria-level={of.visible.level[at] + 1}
      aria-expanded={open}
      aria-selected={at === of.current}
      class={`call-row ${of.classOf(at)}`}
      style={{ transform: `translateY(${at * ROW_HEIGHT}px)` }}
      onClick={() => of.onCurrent(at)}
      onDblClick={() => of.onEnter(at)}
      onPointerMove={(event) => {
        tip.value = event.pointerType === 'touch' ? null : { x: event.clientX, y: event.clientY, content: of.tipOf(at) };
      }}
    >
      <div class="call-name" style={{ paddingLeft: `${indent(of.visible.level[at])}px` }}>
        <span
          class={`twisty ${open === undefined ? 'none' : open ? 'open' : ''}`}
          aria-hidden="true"
          onClick={(event) => {
            if (open === undefined) return;
            event.stopPropagation();
            of.onOpen(at, !open);
          }}
        />
        {of.name(at)}
      </div>
      {of.figures(at)}
    </div>
  );
}

/** Deep stacks would leave no room for names: beyond a depth, steps are smaller. */
function indent(level: number): number {
  return Math.min(level, 24) * 14 + Math.max(0, Math.min(level - 24, 60)) * 3;
}
