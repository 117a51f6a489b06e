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

/**
 * Heaviest calls to the left. Row 0 is one box for everything. Calls below `least` are left out; they
 * stand to the right of their heavier siblings, so that all others are where they would be anyway.
 */
export function layoutTree(tree: CallTree, least = 0): Layout {
  const children = childrenOf(tree, least);
  const boxes = children.nodes.length + 1;
  const node = new Int32Array(boxes);
  const parent = new Int32Array(boxes);
  const begin = new Float64Array(boxes);
  const end = new Float64Array(boxes);
  const { start, nodes } = children;
  const { total } = tree;
  const rows = [0, 1];
  end[0] = total[0];
  parent[0] = -1;
  let count = 1;
  for (let row = 0; row + 1 < rows.length; ++row) {
    for (let box = rows[row]; box < rows[row + 1]; ++box) {
      let x = begin[box];
      const last = start[node[box] + 1];
      for (let at = start[node[box]]; at < last; ++at) {
        const child = nodes[at];
        node[count] = child;
        parent[count] = box;
        begin[count] = x;
        end[count] = x += total[child];
        ++count;
      }
    }
    if (count > rows[row + 1]) rows.push(count);
  }
  // Nodes lie anywhere in memory: short loops let the processor wait for many of them at once.
  return {
    rows: Uint32Array.from(rows),
    begin,
    end,
    parent,
    key: gather(tree.key, node, new Int32Array(boxes)),
    self: gather(tree.self, node, new Float64Array(boxes)),
    samples: gather(tree.totalSamples, node, new Float64Array(boxes)),
  };
}

function gather<Values extends Int32Array | Float64Array>(from: Values, at: Int32Array, into: Values): Values {
  for (let i = 0; i < at.length; ++i) into[i] = from[at[i]];
  return into;
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
