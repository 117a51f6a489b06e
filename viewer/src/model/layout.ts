// SPDX-License-Identifier: Apache-2.0
import { CallTree, childrenOf } from './tree';

/**
 * Boxes of a flame graph or chart: rows from the root on, each row from left to right. Positions
 * are in the unit of the metric; of a chart they are times.
 */
export interface Layout {
  /** Where each row begins among the boxes; one more element than there are rows. */
  rows: Uint32Array;
  begin: Float64Array;
  end: Float64Array;
  key: Int32Array;
  /** The box below which each box stands; of row 0: -1. */
  parent: Int32Array;
  self: Float64Array;
  samples: Float64Array;
}

/** Heaviest calls to the left. Row 0 is one box for everything. */
export function layoutTree(tree: CallTree): Layout {
  const children = childrenOf(tree);
  const boxes = children.nodes.length + 1;
  const layout: Layout = {
    rows: new Uint32Array(0),
    begin: new Float64Array(boxes),
    end: new Float64Array(boxes),
    key: new Int32Array(boxes),
    parent: new Int32Array(boxes),
    self: new Float64Array(boxes),
    samples: new Float64Array(boxes),
  };
  const node = new Int32Array(boxes);
  const rows = [0, 1];
  layout.end[0] = tree.total[0];
  layout.key[0] = tree.key[0];
  layout.parent[0] = -1;
  layout.self[0] = tree.self[0];
  layout.samples[0] = tree.totalSamples[0];
  let count = 1;
  for (let row = 0; row + 1 < rows.length; ++row) {
    for (let box = rows[row]; box < rows[row + 1]; ++box) {
      let x = layout.begin[box];
      const last = children.start[node[box] + 1];
      for (let at = children.start[node[box]]; at < last; ++at) {
        const child = children.nodes[at];
        node[count] = child;
        layout.begin[count] = x;
        x += tree.total[child];
        layout.end[count] = x;
        layout.key[count] = tree.key[child];
        layout.parent[count] = box;
        layout.self[count] = tree.self[child];
        layout.samples[count] = tree.totalSamples[child];
        ++count;
      }
    }
    if (count > rows[row + 1]) rows.push(count);
  }
  layout.rows = Uint32Array.from(rows);
  return layout;
}

/** First box of a row that ends above `x`: the first one that is visible from there on. */
export function firstBoxEndingAfter(layout: Layout, row: number, x: number, from = layout.rows[row]): number {
  let low = from;
  let high = layout.rows[row + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (layout.end[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The box at a position; -1: none. */
export function boxAt(layout: Layout, row: number, x: number): number {
  if (row < 0 || row + 1 >= layout.rows.length) return -1;
  const box = firstBoxEndingAfter(layout, row, x);
  return box < layout.rows[row + 1] && layout.begin[box] <= x ? box : -1;
}

export function rowOf(layout: Layout, box: number): number {
  let low = 0;
  let high = layout.rows.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (layout.rows[middle] > box) high = middle;
    else low = middle;
  }
  return low;
}
