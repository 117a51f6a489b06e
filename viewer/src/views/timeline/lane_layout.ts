// SPDX-License-Identifier: Apache-2.0
// Where times and rows are on the screen, and what a pointer there means.
import type { Catalog } from '../../model/catalog';
import type { Range, Selection } from '../../model/selection';
import type { Viewport } from '../../render/flame';
import { RULER_HEIGHT } from '../../render/ruler';
import { HEIGHTS, Row } from './rows';

export interface Point {
  x: number;
  y: number;
}

/** The picture in pixels: labels up to `gutter`, time from there to `right`. */
export interface LaneArea {
  gutter: number;
  right: number;
  shown: Viewport;
  /** Of the whole run. */
  extent: Range;
}

const EDGE_PIXELS = 5;
const NARROW = 700;

export function gutterOf(width: number): number {
  return width < NARROW ? 112 : 208;
}

export function widthOf({ gutter, right }: LaneArea): number {
  return Math.max(1, right - gutter);
}

export function timeAt(area: LaneArea, x: number): number {
  const { shown, extent } = area;
  const time = shown.begin + ((x - area.gutter) / widthOf(area)) * (shown.end - shown.begin);
  return Math.round(Math.min(extent.end, Math.max(extent.begin, time)));
}

export function xOf(area: LaneArea, time: number): number {
  const { shown } = area;
  return area.gutter + ((time - shown.begin) / (shown.end - shown.begin)) * widthOf(area);
}

/** Left of it are labels, right of it is the scroll bar. */
export function isOnLanes({ gutter, right }: LaneArea, x: number): boolean {
  return x >= gutter && x <= right;
}

export function rowAt({ shown }: LaneArea, rows: readonly Row[], { y }: Point): Row | undefined {
  const at = y - RULER_HEIGHT + shown.scroll;
  return y < RULER_HEIGHT ? undefined : rows.find(({ top, height }) => at >= top && at < top + height);
}

/** In a row of spans. */
export function levelAtPoint({ shown }: LaneArea, { top }: Row, { y }: Point): number {
  return Math.floor((y - RULER_HEIGHT + shown.scroll - top) / HEIGHTS.span);
}

export type Drag =
  | { does: 'move'; x: number; start: Range }
  /** `moving`: far enough from where it began to be no click. */
  | { does: 'select'; x: number; fixed: number; moving: boolean };

/** What a press begins: on the ruler (or `moves`) the picture moves, at an edge of the range that edge, else a new range. */
export function dragAt(area: LaneArea, { x, y }: Point, range: Range | null, moves: boolean): Drag {
  if (moves || y < RULER_HEIGHT) return { does: 'move', x, start: area.shown };
  if (range && Math.abs(x - xOf(area, range.begin)) < EDGE_PIXELS) return { does: 'select', x, fixed: range.end, moving: true };
  if (range && Math.abs(x - xOf(area, range.end)) < EDGE_PIXELS) return { does: 'select', x, fixed: range.begin, moving: true };
  return { does: 'select', x, fixed: timeAt(area, x), moving: false };
}

/** null: nothing is between them. */
export function rangeBetween(a: number, b: number): Range | null {
  return Math.abs(a - b) < 1 ? null : { begin: Math.min(a, b), end: Math.max(a, b) };
}

export function isSelected({ processes, threads, tasks }: Selection, names: Catalog, row: Row): boolean {
  const has = (chosen: readonly number[], index: number) => chosen.length === 0 || chosen.includes(index);
  if (row.kind === 'thread') return has(processes, names.threads[row.thread].process) && has(threads, row.thread);
  if (row.kind === 'task') return has(processes, names.tasks[row.task].process) && has(tasks, row.task);
  return true;
}

/** In a picture without buttons. */
export function titleOf({ processes, threads, tasks }: Catalog, row: Row): string {
  switch (row.kind) {
    case 'process': return `${processes[row.process].pid} ${processes[row.process].name}`;
    case 'thread': return threads[row.thread].name || `thread ${threads[row.thread].tid}`;
    case 'task': return tasks[row.task].name;
    default: return row.kind;
  }
}

/** "p0.k1": ids of rows that are open or closed against what they are at first. */
export function toggled(text: string, id: string): string {
  const ids = new Set(text.split('.').filter(Boolean));
  if (!ids.delete(id)) ids.add(id);
  return [...ids].join('.');
}
