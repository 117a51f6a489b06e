// SPDX-License-Identifier: Apache-2.0
// The stacks of one thread in order of time, as boxes for a screen of so many columns.
import type { Profile } from '../data/profile';
import type { Folding } from './fold';
import { firstAfter, Groups } from './groups';
import type { Layout } from './layout';
import { ACTIVITIES } from './metrics';
import type { Range } from './selection';

/** A time in which the thread was at one node of the tree; -1: nothing is known. */
interface Piece {
  begin: number;
  end: number;
  node: number;
  samples: number;
}

/**
 * Costs as much as the screen is wide and the stacks are deep, however many samples there are:
 * with more than two samples for each column, a column shows the sample in its middle. Columns
 * stand at multiples of their width since the start of the run, so that boxes keep still while the
 * chart is moved.
 */
export function chartOf(
  profile: Profile,
  folding: Folding,
  samplesByThread: Groups,
  thread: number,
  counted: Uint8Array,
  range: Range,
  columns: number,
): Layout {
  const { time, weight, stack, activity, count } = profile.sample;
  const { rows, start } = samplesByThread;
  const end = start[thread + 1];
  const first = firstAfter(rows, time, start[thread], end, range.begin);
  const last = Math.min(end, firstAfter(rows, time, first, end, range.end) + 1);
  const width = (range.end - range.begin) / columns;
  const isCounted = (row: number) => counted[thread * ACTIVITIES.length + activity[row]] !== 0;

  const drawing = new Drawing(folding);
  if (last - first <= 2 * columns) {
    for (let at = first; at < last; ++at) {
      const row = rows[at];
      if (!isCounted(row)) continue;
      const begin = time[row] - weight[row];
      // A thread's clock of CPU time runs a little slower than the clock: no gap to look at.
      const near = Math.max(width, weight[row] / 2);
      drawing.add({ begin, end: time[row], node: folding.nodeOf[stack[row]], samples: count[row] }, near);
    }
  } else {
    let at = first;
    for (let column = Math.floor(range.begin / width); column * width < range.end; ++column) {
      const middle = (column + 0.5) * width;
      at = firstAfter(rows, time, at, last, middle);
      if (at === last) break;
      const row = rows[at];
      if (time[row] - weight[row] > middle + width || !isCounted(row)) continue;
      const piece = { begin: column * width, end: (column + 1) * width, samples: count[row] };
      drawing.add({ ...piece, node: folding.nodeOf[stack[row]] }, width / 2);
    }
  }
  return drawing.finish(range);
}

interface OpenBox {
  node: number;
  key: number;
  begin: number;
  end: number;
  parent: number;
  samples: number;
}

/** Pieces in order of time; what neighbours have in common from the root on is one box. */
class Drawing {
  private readonly rows: OpenBox[][] = [];
  private path: number[] = [];
  private reach = -Infinity;

  constructor(private readonly folding: Folding) {}

  add(piece: Piece, near: number): void {
    const begin = Math.max(piece.begin, this.reach);
    if (piece.end <= begin) return;
    const path = this.pathOf(piece.node);
    const touches = begin - this.reach <= near;
    let common = 0;
    if (touches) while (common < path.length && path[common] === this.path[common]) ++common;
    for (let row = 0; row < path.length; ++row) {
      const boxes = (this.rows[row] ??= []);
      if (row < common) {
        const box = boxes[boxes.length - 1];
        box.end = piece.end;
        box.samples += piece.samples;
        continue;
      }
      boxes.push({
        node: path[row],
        key: this.folding.key[path[row]],
        begin: touches && this.reach > -Infinity ? this.reach : begin,
        end: piece.end,
        parent: row === 0 ? -1 : this.rows[row - 1].length - 1,
        samples: piece.samples,
      });
    }
    this.path = path;
    this.reach = piece.end;
  }

  /** As layoutTree: row 0 is one box for all of the time. */
  finish(range: Range): Layout {
    const boxes = this.rows.reduce((sum, row) => sum + row.length, 1);
    const layout: Layout = {
      rows: new Uint32Array(this.rows.length + 2),
      begin: new Float64Array(boxes),
      end: new Float64Array(boxes),
      key: new Int32Array(boxes),
      parent: new Int32Array(boxes),
      self: new Float64Array(boxes),
      samples: new Float64Array(boxes),
    };
    layout.begin[0] = range.begin;
    layout.end[0] = range.end;
    layout.key[0] = -1;
    layout.parent[0] = -1;
    layout.rows[1] = 1;
    let at = 1;
    this.rows.forEach((row, number) => {
      const rowAbove = layout.rows[number];
      for (const box of row) {
        layout.begin[at] = box.begin;
        layout.end[at] = box.end;
        layout.key[at] = box.key;
        layout.parent[at] = box.parent < 0 ? 0 : rowAbove + box.parent;
        layout.samples[at] = box.samples;
        layout.self[at] = box.end - box.begin;
        if (number > 0) layout.self[layout.parent[at]] -= box.end - box.begin;
        else layout.samples[0] += box.samples;
        ++at;
      }
      layout.rows[number + 2] = at;
    });
    return layout;
  }

  private pathOf(node: number): number[] {
    const path: number[] = [];
    for (let at = node; at > 0; at = this.folding.parent[at]) path.push(at);
    return path.reverse();
  }
}
