// SPDX-License-Identifier: Apache-2.0
import { firstBoxEndingAfter, Layout } from '../model/layout';
import type { Theme } from './colour';
import { knownCell, Painter } from './painter';

export const ROW_HEIGHT = 19;

/** The part of a layout that is on the screen. */
export interface Viewport {
  begin: number;
  end: number;
  /** Pixels by which rows are scrolled. */
  scroll: number;
}

export interface FlameStyle {
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
// Boxes below this are cells of one grid: thousands of rectangles with colours of their own cost far more.
const FINE = 5;

/** Top of a row on the screen. */
export function rowTop(row: number, viewport: Viewport, style: Pick<FlameStyle, 'upwards' | 'firstRow'>, height: number): number {
  const offset = (row - style.firstRow) * ROW_HEIGHT - viewport.scroll;
  return style.upwards ? height - offset - ROW_HEIGHT : offset;
}

export function rowAtPixel(y: number, viewport: Viewport, style: Pick<FlameStyle, 'upwards' | 'firstRow'>, height: number): number {
  const offset = style.upwards ? height - y : y;
  return Math.floor((offset + viewport.scroll) / ROW_HEIGHT) + style.firstRow;
}

/** `top`: where the rows begin on the picture. */
export function paintFlame(painter: Painter, layout: Layout, viewport: Viewport, style: FlameStyle, top = 0): void {
  const scale = painter.width / (viewport.end - viewport.begin);
  const visible = Math.ceil(painter.height / ROW_HEIGHT) + 1;
  const first = Math.max(style.firstRow, Math.floor(viewport.scroll / ROW_HEIGHT) + style.firstRow);
  const last = Math.min(layout.rows.length - 1, first + visible);
  if (last <= first) return;
  const topOf = (row: number) => top + rowTop(row, viewport, style, painter.height - top);
  const fine = new FineBoxes(Math.ceil(painter.width), last - first);
  for (let row = first; row < last; ++row) {
    paintRow(painter, layout, row, topOf(row), viewport, scale, style, fine, style.upwards ? last - 1 - row : row - first);
  }
  if (fine.isEmpty) return;
  fine.paint(painter, Math.min(topOf(first), topOf(last - 1)));
  for (let row = first; row < last; ++row) painter.rect(0, topOf(row) + ROW_HEIGHT - 1, painter.width, 1, style.theme.background);
}

/** The thin boxes of all rows, in columns of a pixel. */
class FineBoxes {
  isEmpty = true;
  private readonly cells: Uint32Array;

  constructor(private readonly columns: number, private readonly rows: number) {
    this.cells = new Uint32Array(columns * rows);
  }

  add(row: number, left: number, right: number, colour: string): void {
    const from = Math.min(this.columns - 1, Math.round(left));
    const to = Math.min(this.columns, Math.max(from + 1, Math.round(right)));
    this.cells.fill(knownCell(colour), row * this.columns + from, row * this.columns + to);
    this.isEmpty = false;
  }

  paint(painter: Painter, top: number): void {
    painter.grid(0, top, this.columns, this.rows * ROW_HEIGHT, this.columns, this.cells);
  }
}

function paintRow(
  painter: Painter,
  layout: Layout,
  row: number,
  top: number,
  viewport: Viewport,
  scale: number,
  style: FlameStyle,
  fine: FineBoxes,
  fineRow: number,
): void {
  const { begin, end, key } = layout;
  const last = layout.rows[row + 1];
  const textColour = style.theme.text;
  let box = firstBoxEndingAfter(layout, row, viewport.begin);
  while (box < last && begin[box] < viewport.end) {
    const left = Math.max(0, (begin[box] - viewport.begin) * scale);
    const right = Math.min(painter.width, (end[box] - viewport.begin) * scale);
    const matches = style.isMatch === null || (key[box] >= 0 && style.isMatch(key[box]));
    const found = style.isMatch !== null && matches;
    const fill = found ? style.theme.match : matches ? colourOf(style, key[box]) : style.dimmed;
    if (right - left < THIN) {
      const next = Math.max(box + 1, firstBoxEndingAfter(layout, row, viewport.begin + (left + DENSE_STEP) / scale, box));
      const room = next < last ? (begin[next] - viewport.begin) * scale - left : DENSE_STEP;
      fine.add(fineRow, left, left + Math.max(1, Math.min(DENSE_STEP, room)), fill);
      box = next;
      continue;
    }
    const isMarked = box === style.chosenBox || box === style.hoveredBox;
    if (right - left < FINE && !isMarked) {
      fine.add(fineRow, left, right, fill);
      ++box;
      continue;
    }
    const width = Math.max(THIN, right - left - 0.6);
    painter.rect(left, top, width, ROW_HEIGHT - 1, fill);
    if (key[box] === style.chosenKey && key[box] >= 0 && width > 3) painter.rect(left, top + ROW_HEIGHT - 3, width, 2, style.theme.accent);
    if (width > 20) {
      const colour = found ? style.theme.matchText : matches ? textColour : style.theme.faint;
      painter.text(style.nameOf(key[box]), left + 4, top + ROW_HEIGHT / 2, width - 7, { colour, bold: found });
    }
    if (box === style.chosenBox) painter.frame(left, top, width, ROW_HEIGHT - 1, style.theme.accent, 2);
    else if (box === style.hoveredBox) painter.frame(left, top, width, ROW_HEIGHT - 1, style.theme.text, 1);
    ++box;
  }
}

function colourOf(style: FlameStyle, key: number): string {
  return key < 0 ? style.theme.line : style.colourOf(key);
}
