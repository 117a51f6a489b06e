// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Range } from '../../model/selection';
import type { LaneData } from '../../render/lane';
import { levelAt, levelsOfProcess } from '../../render/levels';
import type { Painter } from '../../render/painter';
import { RULER_HEIGHT } from '../../render/ruler';
import { spanAt } from '../../render/spans';
import { bounded, moved, supplyFor, wheelFactor, zoomed } from '../../render/zoom';
import { catalog, opened, option, select, selection, setOption } from '../../state/app';
import { pictureExports, useExports } from '../../state/exports';
import { useShortcuts } from '../../state/keys';
import { useQuery } from '../../state/query';
import { theme } from '../../state/theme';
import { Canvas, useSize } from '../../widgets/canvas';
import { tip } from '../../widgets/tooltip';
import { useViewport } from '../viewport';
import { Labels } from './labels';
import { paintTimeline, Picture } from './picture';
import { Facts, heightOf, HEIGHTS, Row, rowsOf, visibleRows } from './rows';
import { LevelTip, MomentTip, SpanTip, TaskTip } from './tips';

const LEAST_SPAN = 1000;
const COLUMN_PIXELS = 2.5;
const EDGE_PIXELS = 5;
const DRAG_STARTS = 4;

type Drag =
  | { kind: 'move'; x: number; start: Range }
  | { kind: 'brush'; x: number; fixed: number; moving: boolean };

/** The lanes with their labels, ruler and brush. */
export function Lanes({ facts, extent }: { facts: Facts; extent: Range }) {
  const names = catalog();
  const of = selection.value;
  const [element, size] = useSize();
  const [viewport, setViewport] = useViewport('timeline.zoom', extent);
  const [hover, setHover] = useState<number | null>(null);
  const drag = useRef<Drag | null>(null);
  const gutter = size.width < 700 ? 112 : 208;
  const width = Math.max(1, size.width - gutter);

  const toggledText = option('timeline.toggled', '');
  const rows = useMemo(() => rowsOf(names, facts, new Set(toggledText.split('.'))), [facts, toggledText]);
  const onScreen = visibleRows(rows, viewport.scroll, viewport.scroll + size.height);
  const levelsCache = useMemo(() => new Map<number, Uint32Array>(), [facts]);
  const levelsOf = (process: number) => {
    let found = levelsCache.get(process);
    if (!found) levelsCache.set(process, (found = levelsOfProcess(facts.levels, process)));
    return found;
  };

  const supply = supplyFor(viewport, extent);
  const { output: lanes } = useQuery('lanes', size.width === 0 ? null : {
    threads: onScreen.flatMap((row) => (row.kind === 'thread' ? [row.thread] : [])),
    tasks: onScreen.flatMap((row) => (row.kind === 'task' ? [row.task] : [])),
    range: supply.range,
    columns: Math.max(50, Math.round((width / COLUMN_PIXELS) * ((supply.range.end - supply.range.begin) / supply.span))),
  });
  const [threadData, taskData] = useMemo(() => {
    const asMap = (list: { track: number; values: Float32Array }[] = []) =>
      new Map<number, LaneData>(list.map(({ track, values }) => [track, { range: lanes!.range, columns: lanes!.columns, values }]));
    return [asMap(lanes?.threads), asMap(lanes?.tasks)];
  }, [lanes]);

  // The address may say where it was scrolled to.
  useEffect(() => {
    if (element.current!.scrollTop !== viewport.scroll) element.current!.scrollTop = viewport.scroll;
  }, [viewport.scroll, size.height]);

  const latest = useRef({ viewport, setViewport, gutter, width });
  latest.current = { viewport, setViewport, gutter, width };
  useEffect(() => {
    const target = element.current!;
    const onWheel = (event: WheelEvent) => {
      const now = latest.current;
      const x = event.clientX - target.getBoundingClientRect().left - now.gutter;
      if (x < 0 || event.shiftKey) return;
      event.preventDefault();
      tip.value = null;
      const next = Math.abs(event.deltaX) > Math.abs(event.deltaY)
        ? moved(now.viewport, extent, event.deltaX / now.width)
        : zoomed(now.viewport, extent, wheelFactor(event), x / now.width, LEAST_SPAN);
      now.setViewport({ ...now.viewport, ...next });
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, []);
  useEffect(() => () => { tip.value = null; }, []);

  const span = viewport.end - viewport.begin;
  const pointOf = (event: MouseEvent) => {
    const bounds = element.current!.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  };
  const timeAt = (x: number) =>
    Math.round(Math.min(extent.end, Math.max(extent.begin, viewport.begin + ((x - gutter) / width) * span)));
  const xOf = (time: number) => gutter + ((time - viewport.begin) / span) * width;
  const selectBetween = (a: number, b: number) =>
    select({ range: Math.abs(a - b) < 1 ? null : { begin: Math.min(a, b), end: Math.max(a, b) } });

  const onPointerDown = (event: PointerEvent) => {
    const { x, y } = pointOf(event);
    // Labels are buttons of their own; right of the picture is the scroll bar.
    if (x < gutter || x > size.width || event.button > 1) return;
    const onRuler = y < RULER_HEIGHT;
    const { range } = selection.peek();
    if (onRuler || event.button === 1 || event.altKey) {
      drag.current = { kind: 'move', x, start: viewport };
    } else if (range && Math.abs(x - xOf(range.begin)) < EDGE_PIXELS) {
      drag.current = { kind: 'brush', x, fixed: range.end, moving: true };
    } else if (range && Math.abs(x - xOf(range.end)) < EDGE_PIXELS) {
      drag.current = { kind: 'brush', x, fixed: range.begin, moving: true };
    } else {
      drag.current = { kind: 'brush', x, fixed: timeAt(x), moving: false };
    }
    element.current!.setPointerCapture(event.pointerId);
    event.preventDefault();
    element.current!.focus();
  };
  const onPointerMove = (event: PointerEvent) => {
    const { x, y } = pointOf(event);
    const from = drag.current;
    if (!from) {
      setHover(x >= gutter && x <= size.width ? x : null);
      return showTip(x, y, event);
    }
    tip.value = null;
    if (from.kind === 'move') return setViewport({ ...viewport, ...moved(from.start, extent, (from.x - x) / width) });
    if (!from.moving && Math.abs(x - from.x) < DRAG_STARTS) return;
    from.moving = true;
    selectBetween(from.fixed, timeAt(x));
  };
  const onPointerUp = (event: PointerEvent) => {
    const from = drag.current;
    drag.current = null;
    if (from?.kind !== 'brush' || from.moving) return;
    const { range } = selection.peek();
    const time = timeAt(pointOf(event).x);
    if (range && (time < range.begin || time > range.end)) select({ range: null });
  };

  const showTip = (x: number, y: number, event: MouseEvent) => {
    const row = y < RULER_HEIGHT || x < gutter || x > size.width ? undefined : rowAt(onScreen, y - RULER_HEIGHT + viewport.scroll);
    const time = timeAt(x);
    const at = { x: event.clientX, y: event.clientY };
    switch (row?.kind) {
      case 'thread':
        opened.peek()!.client.ask('moment', { thread: row.thread, time }, 'moment').then(
          ({ moment }) => { if (!drag.current && shownTip.current === event) tip.value = { ...at, content: <MomentTip moment={moment} time={time} /> }; },
          () => {},
        );
        break;
      case 'memory': {
        const level = levelAt(facts.levels, levelsOf(row.process), time);
        tip.value = level < 0 ? null : { ...at, content: <LevelTip facts={facts} row={level} /> };
        break;
      }
      case 'regions':
      case 'blocks': {
        const spans = row.kind === 'regions' ? facts.regions : facts.blocks;
        const level = Math.floor((y - RULER_HEIGHT + viewport.scroll - row.top) / HEIGHTS.span);
        const found = spanAt(spans, row, level, time, (2 * span) / width);
        const what = row.kind === 'regions' ? 'region' : 'a callback that held its event loop';
        tip.value = found < 0 ? null : { ...at, content: <SpanTip spans={spans} span={found} what={what} /> };
        break;
      }
      case 'task':
        tip.value = { ...at, content: <TaskTip task={row.task} /> };
        break;
      default:
        tip.value = null;
    }
    shownTip.current = row ? event : null;
  };
  const shownTip = useRef<MouseEvent | null>(null);

  const zoomBy = (factor: number) => setViewport({ ...viewport, ...zoomed(viewport, extent, factor, 0.5, LEAST_SPAN) });
  const moveBy = (share: number) => setViewport({ ...viewport, ...moved(viewport, extent, share) });
  const shiftRange = (share: number) => {
    const { range } = selection.peek();
    if (!range) return moveBy(share);
    const step = moved(range, extent, share);
    select({ range: { begin: Math.round(step.begin), end: Math.round(step.end) } });
  };
  useShortcuts('Timeline', [
    { keys: ['w', '+'], title: 'Zoom in', run: () => zoomBy(0.7) },
    { keys: ['s', '-'], title: 'Zoom out', run: () => zoomBy(1 / 0.7) },
    { keys: ['a'], title: 'Move to the left', run: () => moveBy(-0.2) },
    { keys: ['d'], title: 'Move to the right', run: () => moveBy(0.2) },
    { keys: ['0'], title: 'Show everything', run: () => setViewport({ ...viewport, ...extent }) },
    { keys: ['x'], title: 'Select what is shown', run: () => selectBetween(Math.round(viewport.begin), Math.round(viewport.end)) },
    { keys: ['ArrowLeft', 'ArrowRight'], title: 'Move the selected range', run: (event) => shiftRange(event.key === 'ArrowLeft' ? -0.25 : 0.25) },
    { keys: ['z', 'Enter'], title: 'Zoom to the selected range', run: () => of.range && setViewport({ ...viewport, ...bounded(of.range, extent) }) },
    { keys: ['Escape'], title: 'Clear the selected range', run: () => select({ range: null }) },
  ]);

  const isSelected = (row: Row) => {
    const inProcess = (process: number) => of.processes.length === 0 || of.processes.includes(process);
    if (row.kind === 'thread') return inProcess(names.threads[row.thread].process) && (of.threads.length === 0 || of.threads.includes(row.thread));
    if (row.kind === 'task') return inProcess(names.tasks[row.task].process) && (of.tasks.length === 0 || of.tasks.includes(row.task));
    return true;
  };
  const picture: Picture = {
    theme: theme.value, gutter, shown: viewport, scroll: viewport.scroll, rows: onScreen, facts, levelsOf, threadData, taskData, isSelected,
    range: of.range, hover,
  };
  const paint = (painter: Painter) => paintTimeline(painter, picture);
  useExports(pictureExports('pyrometer-timeline', size.width, size.height, (painter) => {
    paintTimeline(painter, { ...picture, hover: null });
    for (const row of onScreen) {
      const y = RULER_HEIGHT + row.top - viewport.scroll + row.height / 2;
      painter.text(titleOf(row), 8, y, gutter - 14, { colour: theme.value.text });
    }
  }));
  const titleOf = (row: Row): string => {
    switch (row.kind) {
      case 'process': return `${names.processes[row.process].pid} ${names.processes[row.process].name}`;
      case 'thread': return names.threads[row.thread].name || `thread ${names.threads[row.thread].tid}`;
      case 'task': return names.tasks[row.task].name;
      default: return row.kind;
    }
  };
  const onToggle = (id: string) => {
    const toggled = new Set(toggledText.split('.').filter(Boolean));
    if (!toggled.delete(id)) toggled.add(id);
    setOption('timeline.toggled', [...toggled].join('.'), '');
  };
  return (
    <div
      class="timeline-lanes"
      role="region"
      aria-label="Timeline: keys move and zoom it"
      aria-busy={lanes === null}
      ref={element}
      tabIndex={-1}
      onScroll={(event) => setViewport({ ...viewport, scroll: event.currentTarget.scrollTop })}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => { drag.current = null; }}
      onPointerLeave={() => {
        setHover(null);
        shownTip.current = null;
        tip.value = null;
      }}
      onDblClick={() => of.range && setViewport({ ...viewport, ...bounded(of.range, extent) })}
    >
      <div class="timeline-canvas">
        <Canvas size={size} paint={paint} label="Timeline of processes, threads and tasks" />
      </div>
      <div class="timeline-corner" style={{ width: `${gutter - 1}px`, height: `${RULER_HEIGHT}px` }} />
      <div class="timeline-rows" style={{ height: `${heightOf(rows)}px` }}>
        <Labels rows={onScreen} gutter={gutter - 1} onToggle={onToggle} />
      </div>
    </div>
  );
}

function rowAt(rows: readonly Row[], y: number): Row | undefined {
  return rows.find(({ top, height }) => y >= top && y < top + height);
}
