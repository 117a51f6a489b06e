// SPDX-License-Identifier: Apache-2.0
// Boxes by where they are: found again in another layout, next to another one, brought into sight.
import { boxAt, firstBoxEndingAfter, Layout, rowOf } from '../../model/layout';
import type { Range } from '../../model/selection';
import { ROW_HEIGHT, Viewport } from '../../render/flame';
import { bounded } from '../../render/zoom';

/** A box that can be found again in the next layout, which has other numbers for its boxes. */
export interface Mark {
  row: number;
  at: number;
  key: number;
}

export const NOWHERE: Mark = { row: -1, at: 0, key: -1 };
// A box has at least this part of the width.
const THINNEST = 1 / 50;

export function markOf(layout: Layout, box: number): Mark {
  if (box < 0) return NOWHERE;
  return { row: rowOf(layout, box), at: (layout.begin[box] + layout.end[box]) / 2, key: layout.key[box] };
}

/** -1: it is not there. */
export function boxOf(layout: Layout, mark: Mark): number {
  const box = boxAt(layout, mark.row, mark.at);
  return box >= 0 && layout.key[box] === mark.key ? box : -1;
}

export type Direction = 'in' | 'out' | 'before' | 'after';

/** Itself, where there is none; -1: there is no box at all. */
export function neighbourOf(layout: Layout, box: number, direction: Direction, firstRow: number): number {
  const first = layout.rows[firstRow] ?? 0;
  if (box < first) return first < layout.begin.length ? first : -1;
  const row = rowOf(layout, box);
  switch (direction) {
    case 'out':
      return Math.max(first, row === firstRow ? box : layout.parent[box]);
    case 'before':
      return Math.max(layout.rows[row], box - 1);
    case 'after':
      return Math.min(layout.rows[row + 1] - 1, box + 1);
    case 'in': {
      if (row + 2 >= layout.rows.length) return box;
      const child = firstBoxEndingAfter(layout, row + 1, layout.begin[box]);
      return layout.parent[child] === box ? child : box;
    }
  }
}

/** Moves as little as needed for a box to be seen in `height` pixels, and not thinner than it can be read. */
export function withBoxInSight(layout: Layout, box: number, viewport: Viewport, extent: Range, height: number): Viewport {
  const [begin, end] = [layout.begin[box], layout.end[box]];
  const top = rowOf(layout, box) * ROW_HEIGHT;
  const scroll = Math.max(0, Math.min(viewport.scroll, top), top - height);
  const span = Math.min(viewport.end - viewport.begin, (end - begin) / THINNEST);
  const isSeen = begin >= viewport.begin && end <= viewport.end;
  if (isSeen && span === viewport.end - viewport.begin) return { ...viewport, scroll };
  const middle = (begin + end) / 2;
  return { ...bounded({ begin: middle - span / 2, end: middle + span / 2 }, extent), scroll };
}
