// SPDX-License-Identifier: Apache-2.0
// Trees that look from a function outwards (its callers) or inwards (its callees).
import { NodeTable } from './node_table';
import { CallTree, outermostNodes, withTotals } from './tree';

/** Nodes of a tree from which callers are followed, with the weight that each carries outwards. */
interface Starts {
  node: Int32Array;
  weight: Float64Array;
  samples: Float64Array;
  /** More weights that go the same ways. */
  more: Float64Array[];
}

/** A tree of callers; `more` has the totals of the weights that went along. */
export type CallersTree = CallTree & { more: Float64Array[] };

// Callers of what is below this share of everything are left out: thinner than a pixel even at a
// thirtyfold zoom. Without a floor the tree of callers of a million stacks has tens of millions of nodes.
const SMALLEST_SHARE = 1 / 50_000;

/** Callers of everything: row 1 is who had the time, row 2 who called them, and so on. `more`: by node. */
export function invert(tree: CallTree, more: Float64Array[] = []): CallersTree {
  return follow(tree, startsAt(tree, (node) => tree.self[node] > 0, tree.self, tree.selfSamples, more), tree.total[0]);
}

/** Row 1 is the function with all that it has, row 2 its callers. Calls by itself are counted once. */
export function callersOf(tree: CallTree, key: number, keys: number): CallTree {
  const outermost = outermostNodes(tree, keys);
  const isStart = (node: number) => tree.key[node] === key && outermost[node] !== 0;
  return follow(tree, startsAt(tree, isStart, tree.total, tree.totalSamples), tree.total[0]);
}

/** Row 1 is the function with all that it has, row 2 what it calls. */
export function calleesOf(tree: CallTree, key: number): CallTree {
  const table = new NodeTable(1024);
  const image = new Int32Array(tree.nodes);
  let self = new Float64Array(1024);
  let samples = new Float64Array(1024);
  for (let node = 1; node < tree.nodes; ++node) {
    const above = image[tree.parent[node]];
    if (above === 0 && tree.key[node] !== key) continue;
    const copy = table.child(above, tree.key[node]);
    image[node] = copy;
    if (copy >= self.length) {
      self = enlarged(self);
      samples = enlarged(samples);
    }
    self[copy] += tree.self[node];
    samples[copy] += tree.selfSamples[node];
  }
  const shape = table.finish();
  return withTotals(shape.parent, shape.key, self.slice(0, shape.nodes), samples.slice(0, shape.nodes));
}

/** A direct caller or callee of a function, with the part of the function's total that goes with it. */
export interface Neighbour {
  key: number;
  total: number;
  samples: number;
}

export interface Neighbours {
  self: number;
  selfSamples: number;
  total: number;
  totalSamples: number;
  /** Heaviest first. */
  callers: Neighbour[];
  callees: Neighbour[];
}

export function neighboursOf(tree: CallTree, key: number, keys: number): Neighbours {
  const callees = calleesOf(tree, key);
  const secondRow = (of: CallTree): Neighbour[] => {
    const found: Neighbour[] = [];
    for (let node = 2; node < of.nodes; ++node) {
      if (of.parent[node] !== 1 || of.total[node] === 0) continue;
      found.push({ key: of.key[node], total: of.total[node], samples: of.totalSamples[node] });
    }
    return found.sort((a, b) => b.total - a.total);
  };
  let self = 0;
  let selfSamples = 0;
  for (let node = 1; node < tree.nodes; ++node) {
    if (tree.key[node] !== key) continue;
    self += tree.self[node];
    selfSamples += tree.selfSamples[node];
  }
  return {
    self,
    selfSamples,
    total: callees.total[0],
    totalSamples: callees.totalSamples[0],
    callers: secondRow(callersOf(tree, key, keys)),
    callees: secondRow(callees),
  };
}

function enlarged(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(values.length * 2);
  larger.set(values);
  return larger;
}

function startsAt(
  tree: CallTree,
  isStart: (node: number) => boolean,
  weight: Float64Array,
  samples: Float64Array,
  more: Float64Array[] = [],
): Starts {
  const nodes: number[] = [];
  for (let node = 1; node < tree.nodes; ++node) if (isStart(node)) nodes.push(node);
  return {
    node: Int32Array.from(nodes),
    weight: Float64Array.from(nodes, (node) => weight[node]),
    samples: Float64Array.from(nodes, (node) => samples[node]),
    more: more.map((values) => Float64Array.from(nodes, (node) => values[node])),
  };
}

/** Goes outwards level by level, all starts at once, and drops what has become too thin to be seen. */
function follow(tree: CallTree, starts: Starts, whole: number): CallersTree {
  const table = new NodeTable(starts.node.length);
  const floor = whole * SMALLEST_SHARE;
  const at = starts.node.slice();
  const box = new Int32Array(at.length);
  const carried: number[] = [0];
  const carriedSamples: number[] = [0];
  const carriedMore: number[][] = starts.more.map(() => [0]);
  let alive = at.length;
  while (alive > 0) {
    for (let i = 0; i < alive; ++i) {
      const child = table.child(box[i], tree.key[at[i]]);
      if (child >= carried.length) {
        carried.push(0);
        carriedSamples.push(0);
        for (const values of carriedMore) values.push(0);
      }
      box[i] = child;
      carried[child] += starts.weight[i];
      carriedSamples[child] += starts.samples[i];
      for (let k = 0; k < carriedMore.length; ++k) carriedMore[k][child] += starts.more[k][i];
    }
    let kept = 0;
    for (let i = 0; i < alive; ++i) {
      const outer = tree.parent[at[i]];
      if (outer === 0 || carried[box[i]] < floor) continue;
      at[kept] = outer;
      box[kept] = box[i];
      starts.weight[kept] = starts.weight[i];
      starts.samples[kept] = starts.samples[i];
      for (const values of starts.more) values[kept] = values[i];
      ++kept;
    }
    alive = kept;
  }
  const shape = table.finish();
  const total = Float64Array.from(carried);
  const totalSamples = Float64Array.from(carriedSamples);
  const self = total.slice();
  const selfSamples = totalSamples.slice();
  for (let node = 1; node < shape.nodes; ++node) {
    const outer = shape.parent[node];
    if (outer === 0) {
      total[0] += total[node];
      totalSamples[0] += totalSamples[node];
    } else {
      self[outer] -= total[node];
      selfSamples[outer] -= totalSamples[node];
    }
  }
  const more = carriedMore.map((values) => Float64Array.from(values));
  return { ...shape, self, total, selfSamples, totalSamples, more };
}
