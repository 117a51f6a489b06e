// SPDX-License-Identifier: Apache-2.0
// All boxes of a layout in a strip, and the part of them that is on the screen.
import { firstBoxEndingAfter, Layout } from '../model/layout';
import type { Range } from '../model/selection';
import type { Theme } from './colour';
import { FlameStyle, ROW_HEIGHT, Viewport } from './flame';
import { knownCell, Painter } from './painter';
import { bounded } from './zoom';

const TALLEST_ROW = 4;

/** The strip, and the picture of boxes that it is an overview of. */
export interface Strip {
  width: number;
  height: number;
  /** Of the layout, without those that are never painted. */
  rows: number;
  extent: Range;
  /** Pixels that the boxes have on the screen from top to bottom. */
  seen: number;
}

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

function rowHeightOf({ height, rows }: Strip): number {
  return Math.min(TALLEST_ROW, height / Math.max(1, rows));
}

/** Where the part that is on the screen lies in the strip. */
export function frameOf(strip: Strip, viewport: Viewport): Frame {
  const { extent, width } = strip;
  const scale = width / (extent.end - extent.begin);
  const perPixel = rowHeightOf(strip) / ROW_HEIGHT;
  const top = Math.min(viewport.scroll * perPixel, strip.height - 1);
  return {
    left: (viewport.begin - extent.begin) * scale,
    top,
    width: (viewport.end - viewport.begin) * scale,
    height: Math.min(strip.height - top, strip.seen * perPixel),
  };
}

/** The viewport after its frame was moved to begin at (left, top), as far as it can go. */
export function movedTo(strip: Strip, viewport: Viewport, left: number, top: number): Viewport {
  const { extent, width } = strip;
  const span = viewport.end - viewport.begin;
  const begin = extent.begin + (left / width) * (extent.end - extent.begin);
  const deepest = Math.max(0, strip.rows * ROW_HEIGHT - strip.seen);
  const scroll = Math.max(0, Math.min(deepest, (top * ROW_HEIGHT) / rowHeightOf(strip)));
  return { ...bounded({ begin, end: begin + span }, extent), scroll };
}

/** A column for each pixel, row by row: the box in its middle; nothing where there is none. */
export function overviewCells(layout: Layout, strip: Strip, style: Pick<FlameStyle, 'colourOf' | 'isMatch' | 'firstRow' | 'dimmed'> & { theme: Theme }): Uint32Array {
  const { extent } = strip;
  const columns = Math.ceil(strip.width);
  const perColumn = (extent.end - extent.begin) / columns;
  const cells = new Uint32Array(columns * strip.rows);
  for (let row = 0; row < strip.rows; ++row) {
    const last = layout.rows[row + style.firstRow + 1];
    let box = layout.rows[row + style.firstRow];
    for (let column = 0; column < columns; ) {
      const at = extent.begin + (column + 0.5) * perColumn;
      box = firstBoxEndingAfter(layout, row + style.firstRow, at, box);
      if (box >= last) break;
      // The first column whose middle is in the box, or behind a gap in front of it, and the first behind it.
      const from = Math.max(column, Math.ceil((layout.begin[box] - extent.begin) / perColumn - 0.5));
      const to = Math.min(columns, Math.max(from, Math.ceil((layout.end[box] - extent.begin) / perColumn - 0.5)));
      if (to > from) cells.fill(cellOfBox(layout.key[box], style), row * columns + from, row * columns + to);
      column = Math.max(column + 1, to);
    }
  }
  return cells;
}

function cellOfBox(key: number, style: Parameters<typeof overviewCells>[2]): number {
  if (key < 0) return knownCell(style.theme.line);
  if (!style.isMatch) return knownCell(style.colourOf(key));
  return knownCell(style.isMatch(key) ? style.theme.match : style.dimmed);
}

export function paintOverview(painter: Painter, cells: Uint32Array, strip: Strip, viewport: Viewport, theme: Theme): void {
  const { width, height } = painter;
  painter.rect(0, 0, width, height, theme.background);
  if (strip.rows === 0 || cells.length === 0) return;
  painter.grid(0, 0, width, strip.rows * rowHeightOf(strip), cells.length / strip.rows, cells);
  const frame = frameOf(strip, viewport);
  const [right, bottom] = [frame.left + frame.width, frame.top + frame.height];
  const veil = theme.dark ? 'rgba(20, 22, 26, 0.6)' : 'rgba(255, 255, 255, 0.6)';
  painter.rect(0, 0, frame.left, height, veil);
  painter.rect(right, 0, width - right, height, veil);
  painter.rect(frame.left, 0, frame.width, frame.top, veil);
  painter.rect(frame.left, bottom, frame.width, height - bottom, veil);
  // Never thinner than it can be seen.
  const shown = Math.max(3, frame.width);
  painter.frame(Math.min(frame.left, width - shown), frame.top, shown, Math.max(3, frame.height), theme.accent, 1.5);
}
