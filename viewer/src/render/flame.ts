// SPDX-License-Identifier: Apache-2.0
import { firstBoxEndingAfter, Layout } from '../model/layout';
import type { Theme } from './colour';
import type { Painter } from './painter';

export const ROW_HEIGHT = 19;

/** The part of a layout that is on the screen. */
export interface Viewport {
  begin: number;
  end: number;
  /** Pixels by which rows are scrolled. */
  scroll: number;
}

export interface FlameLook {
  theme: Theme;
  nameOf(key: number): string;
  colourOf(key: number): string;
  /** Whether a key is found by the search; null: nothing is searched for. */
  isMatch: ((key: number) => boolean) | null;
  dimmed: string;
  chosenBox: number;
  hoveredBox: number;
  /** All boxes of this key get a mark; -1: none. */
  chosenKey: number;
  /** Rows grow upwards: the callers in a sandwich. */
  upwards: boolean;
  /** The first row to paint: 1 leaves out the one for everything. */
  firstRow: number;
}

// Thinner boxes are painted as one with their neighbours, so that a frame costs at most so many boxes
// for each row, however many there are.
const THIN = 0.8;
const DENSE_STEP = 3;

/** Top of a row on the screen. */
export function rowTop(row: number, viewport: Viewport, look: Pick<FlameLook, 'upwards' | 'firstRow'>, height: number): number {
  const offset = (row - look.firstRow) * ROW_HEIGHT - viewport.scroll;
  return look.upwards ? height - offset - ROW_HEIGHT : offset;
}

export function rowAtPixel(y: number, viewport: Viewport, look: Pick<FlameLook, 'upwards' | 'firstRow'>, height: number): number {
  const offset = look.upwards ? height - y : y;
  return Math.floor((offset + viewport.scroll) / ROW_HEIGHT) + look.firstRow;
}

/** `top`: where the rows begin on the picture. */
export function paintFlame(painter: Painter, layout: Layout, viewport: Viewport, look: FlameLook, top = 0): void {
  const scale = painter.width / (viewport.end - viewport.begin);
  const visible = Math.ceil(painter.height / ROW_HEIGHT) + 1;
  const first = Math.max(look.firstRow, Math.floor(viewport.scroll / ROW_HEIGHT) + look.firstRow);
  const last = Math.min(layout.rows.length - 1, first + visible);
  for (let row = first; row < last; ++row) {
    paintRow(painter, layout, row, top + rowTop(row, viewport, look, painter.height - top), viewport, scale, look);
  }
}

function paintRow(
  painter: Painter,
  layout: Layout,
  row: number,
  top: number,
  viewport: Viewport,
  scale: number,
  look: FlameLook,
): void {
  const { begin, end, key } = layout;
  const last = layout.rows[row + 1];
  const textColour = look.theme.text;
  let box = firstBoxEndingAfter(layout, row, viewport.begin);
  while (box < last && begin[box] < viewport.end) {
    const left = Math.max(0, (begin[box] - viewport.begin) * scale);
    const right = Math.min(painter.width, (end[box] - viewport.begin) * scale);
    const matches = look.isMatch === null || (key[box] >= 0 && look.isMatch(key[box]));
    if (right - left < THIN) {
      const next = Math.max(box + 1, firstBoxEndingAfter(layout, row, viewport.begin + (left + DENSE_STEP) / scale, box));
      const room = next < last ? (begin[next] - viewport.begin) * scale - left : DENSE_STEP;
      const fill = !matches ? look.dimmed : look.isMatch ? look.theme.match : colourOf(look, key[box]);
      painter.rect(left, top, Math.max(1, Math.min(DENSE_STEP, room)), ROW_HEIGHT - 1, fill);
      box = next;
      continue;
    }
    const width = Math.max(THIN, right - left - 0.6);
    const found = look.isMatch !== null && matches;
    painter.rect(left, top, width, ROW_HEIGHT - 1, found ? look.theme.match : matches ? colourOf(look, key[box]) : look.dimmed);
    if (key[box] === look.chosenKey && key[box] >= 0 && width > 3) painter.rect(left, top + ROW_HEIGHT - 3, width, 2, look.theme.accent);
    if (width > 20) {
      const colour = found ? look.theme.matchText : matches ? textColour : look.theme.faint;
      painter.text(look.nameOf(key[box]), left + 4, top + ROW_HEIGHT / 2, width - 7, { colour, bold: found });
    }
    if (box === look.chosenBox) painter.frame(left, top, width, ROW_HEIGHT - 1, look.theme.accent, 2);
    else if (box === look.hoveredBox) painter.frame(left, top, width, ROW_HEIGHT - 1, look.theme.text, 1);
    ++box;
  }
}

function colourOf(look: FlameLook, key: number): string {
  return key < 0 ? look.theme.line : look.colourOf(key);
}
