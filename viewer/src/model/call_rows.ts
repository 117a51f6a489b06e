// SPDX-License-Identifier: Apache-2.0
// A tree of calls as rows: each call before those that it makes, heaviest first.
import { CallTree, childrenOf } from './tree';

export interface CallRows {
  count: number;
  depth: Uint32Array;
  /** First row that is not below this one. */
  end: Uint32Array;
  key: Int32Array;
  self: Float64Array;
  total: Float64Array;
  selfSamples: Float64Array;
  totalSamples: Float64Array;
  /** What calls that are too small for a row of their own have together, and how many they are. */
  rest: Float64Array;
  restCalls: Uint32Array;
  /** Total and self by id of the part. */
  parts: Record<string, { self: Float64Array; total: Float64Array }>;
  /** The least total that a row has. */
  floor: number;
  /** The same for the outermost calls. */
  outerRest: number;
  outerRestCalls: number;
}

/** Values by node of a tree. */
export interface NodeParts {
  name: string;
  self: Float64Array;
  total: Float64Array;
}

export const MOST_ROWS = 200_000;

/** Calls below `share` of everything have no row; nor have the smallest, where rows would be more than `most`. */
export function callRows(tree: CallTree, nodeParts: NodeParts[], share: number, most = MOST_ROWS): CallRows {
  const floor = Math.max(share * tree.total[0], floorFor(tree, most));
  const children = childrenOf(tree);
  let count = 0;
  for (let node = 1; node < tree.nodes; ++node) if (isRow(tree, node, floor)) ++count;
  const rows: CallRows = {
    count,
    depth: new Uint32Array(count),
    end: new Uint32Array(count),
    key: new Int32Array(count),
    self: new Float64Array(count),
    total: new Float64Array(count),
    selfSamples: new Float64Array(count),
    totalSamples: new Float64Array(count),
    rest: new Float64Array(count),
    restCalls: new Uint32Array(count),
    parts: {},
    floor,
    outerRest: 0,
    outerRestCalls: 0,
  };
  const nodeOf = new Int32Array(count);
  const next = children.start.slice(0, tree.nodes);
  // Nodes whose calls are being written, and the rows that they have; the root has none.
  const path = [0];
  const rowOf = [-1];
  let written = 0;
  while (path.length > 0) {
    const node = path[path.length - 1];
    const row = rowOf[rowOf.length - 1];
    if (next[node] < children.start[node + 1]) {
      const child = children.nodes[next[node]++];
      if (!isRow(tree, child, floor)) {
        if (row < 0) {
          rows.outerRest += tree.total[child];
          ++rows.outerRestCalls;
        } else {
          rows.rest[row] += tree.total[child];
          ++rows.restCalls[row];
        }
        continue;
      }
      nodeOf[written] = child;
      rows.depth[written] = path.length - 1;
      path.push(child);
      rowOf.push(written++);
      continue;
    }
    if (row >= 0) rows.end[row] = written;
    path.pop();
    rowOf.pop();
  }
  // Rounding may leave a caller below the floor that its call has reached.
  rows.count = written;
  for (let row = 0; row < written; ++row) {
    const node = nodeOf[row];
    rows.key[row] = tree.key[node];
    rows.self[row] = tree.self[node];
    rows.total[row] = tree.total[node];
    rows.selfSamples[row] = tree.selfSamples[node];
    rows.totalSamples[row] = tree.totalSamples[node];
  }
  for (const { name, self, total } of nodeParts) {
    rows.parts[name] = {
      self: Float64Array.from(nodeOf, (node) => self[node]),
      total: Float64Array.from(nodeOf, (node) => total[node]),
    };
  }
  return rows;
}

function isRow(tree: CallTree, node: number, floor: number): boolean {
  return tree.total[node] > 0 && tree.total[node] >= floor;
}

/** The least total of which there are at most so many nodes. A caller has at least what its calls have, so no row loses its caller. */
function floorFor(tree: CallTree, most: number): number {
  if (tree.nodes - 1 <= most) return 0;
  const totals = tree.total.slice(1).sort();
  const last = totals[totals.length - most];
  // Of equals at the border, all or none: some would be by chance.
  if (totals[totals.length - most - 1] < last) return last;
  let above = totals.length - most;
  while (above < totals.length && totals[above] === last) ++above;
  return above < totals.length ? totals[above] : last;
}
