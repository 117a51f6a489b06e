// SPDX-License-Identifier: Apache-2.0
// Where boxes are on the screen, and what moves, wheels and fingers make of what is shown.
import { boxAt, Layout } from '../../model/layout';
import type { Range } from '../../model/selection';
import { ROW_HEIGHT, rowAtPixel, Viewport } from '../../render/flame';
import { moved, wheelFactor, zoomed } from '../../render/zoom';

/** The picture in pixels; `top`: where its rows begin. */
export interface FlameArea {
  width: number;
  height: number;
  top: number;
  shown: Viewport;
  whole: Range;
  layout: Layout;
  upwards: boolean;
  firstRow: number;
}

export interface Point {
  x: number;
  y: number;
}

const LEAST_SPAN = 10;

export function rowsHeight({ height, top }: Pick<FlameArea, 'height' | 'top'>): number {
  return Math.max(0, height - top);
}

export function positionAt({ shown, width }: FlameArea, x: number): number {
  return shown.begin + (x / width) * (shown.end - shown.begin);
}

/** -1: none. */
export function boxUnder(area: FlameArea, { x, y }: Point): number {
  const row = rowAtPixel(y - area.top, area.shown, area, rowsHeight(area));
  return y < area.top || row < area.firstRow ? -1 : boxAt(area.layout, row, positionAt(area, x));
}

/** Between two pixels, as far as they are on the picture. */
export function rangeBetween(area: FlameArea, a: number, b: number): Range {
  const at = (x: number) => positionAt(area, Math.min(area.width, Math.max(0, x)));
  return { begin: at(Math.min(a, b)), end: at(Math.max(a, b)) };
}

/** One row may stand alone above the end. */
function scrolled(area: FlameArea, scroll: number): number {
  const most = (area.layout.rows.length - area.firstRow) * ROW_HEIGHT - rowsHeight(area);
  return Math.max(0, Math.min(scroll, most));
}

/** Down and up zooms at the pointer, to the side moves, with Shift it scrolls. */
export function wheeled(area: FlameArea, x: number, event: Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode' | 'ctrlKey' | 'shiftKey'>): Viewport {
  const { shown, whole, width } = area;
  if (event.shiftKey) return { ...shown, scroll: scrolled(area, shown.scroll + event.deltaY + event.deltaX) };
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return { ...shown, ...moved(shown, whole, event.deltaX / width) };
  return { ...shown, ...zoomed(shown, whole, wheelFactor(event), x / width, LEAST_SPAN) };
}

export function dragged(area: FlameArea, start: Viewport, dx: number, dy: number): Viewport {
  return { ...moved(start, area.whole, -dx / area.width), scroll: scrolled(area, start.scroll + (area.upwards ? dy : -dy)) };
}

/** Two fingers zoom around their middle, and move what is between them. */
export function pinched(area: FlameArea, before: readonly number[], now: readonly number[]): Viewport {
  const inOrder = (ends: readonly number[]) => [...ends].sort((a, b) => a - b);
  const [leftBefore, rightBefore] = inOrder(before);
  const [left, right] = inOrder(now);
  const factor = Math.max(1, rightBefore - leftBefore) / Math.max(1, right - left);
  const anchor = (left + right) / 2 / area.width;
  const shift = (leftBefore + rightBefore - left - right) / 2 / area.width;
  return { ...area.shown, ...zoomed(moved(area.shown, area.whole, shift), area.whole, factor, anchor, LEAST_SPAN) };
}
