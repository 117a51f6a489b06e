// SPDX-License-Identifier: Apache-2.0
import type { Folding } from './fold';
import { groupRows } from './groups';
import type { Weights } from './weigh';

/** A tree of calls with what each node has by itself and with all that it calls. Node 0 is the root. */
export interface CallTree {
  nodes: number;
  parent: Int32Array;
  key: Int32Array;
  self: Float64Array;
  total: Float64Array;
  selfSamples: Float64Array;
  totalSamples: Float64Array;
}

export function treeOf(folding: Folding, weights: Weights): CallTree {
  const self = new Float64Array(folding.nodes);
  const selfSamples = new Float64Array(folding.nodes);
  for (let stack = 0; stack < folding.nodeOf.length; ++stack) {
    const weight = weights.self[stack];
    if (weight === 0) continue;
    const node = folding.nodeOf[stack];
    self[node] += weight;
    selfSamples[node] += weights.samples[stack];
  }
  return withTotals(folding.parent, folding.key, self, selfSamples);
}

/** Parents stand before their children, so one pass from the back adds everything up. */
export function withTotals(
  parent: Int32Array,
  key: Int32Array,
  self: Float64Array,
  selfSamples: Float64Array,
): CallTree {
  const total = self.slice();
  const totalSamples = selfSamples.slice();
  for (let node = parent.length - 1; node > 0; --node) {
    total[parent[node]] += total[node];
    totalSamples[parent[node]] += totalSamples[node];
  }
  return { nodes: parent.length, parent, key, self, total, selfSamples, totalSamples };
}

/** The children of each node that have any weight, heaviest first; those below `least` are left out. */
export interface Children {
  start: Uint32Array;
  nodes: Uint32Array;
}

export function childrenOf(tree: CallTree, least = 0): Children {
  const start = new Uint32Array(tree.nodes + 1);
  const isKept = (node: number) => tree.total[node] > 0 && tree.total[node] >= least;
  for (let node = 1; node < tree.nodes; ++node) if (isKept(node)) ++start[tree.parent[node] + 1];
  for (let node = 0; node < tree.nodes; ++node) start[node + 1] += start[node];
  const nodes = new Uint32Array(start[tree.nodes]);
  const next = start.slice(0, tree.nodes);
  for (let node = 1; node < tree.nodes; ++node) {
    if (isKept(node)) nodes[next[tree.parent[node]]++] = node;
  }
  for (let node = 0; node < tree.nodes; ++node) {
    const [from, to] = [start[node], start[node + 1]];
    if (to - from > FEW) nodes.subarray(from, to).sort((a, b) => tree.total[b] - tree.total[a] || a - b);
    else if (to - from > 1) sortFew(nodes, from, to, tree.total);
  }
  return { start, nodes };
}

// Nearly all nodes have a handful of children: a million calls of sort() took most of the time.
const FEW = 24;

function sortFew(nodes: Uint32Array, from: number, to: number, weight: Float64Array): void {
  for (let i = from + 1; i < to; ++i) {
    const node = nodes[i];
    let at = i;
    for (; at > from && weight[nodes[at - 1]] < weight[node]; --at) nodes[at] = nodes[at - 1];
    nodes[at] = node;
  }
}

/** Rows of a table: each key once, however deep a recursion. */
export interface KeyTotals {
  key: Int32Array;
  self: Float64Array;
  total: Float64Array;
  selfSamples: Float64Array;
  totalSamples: Float64Array;
}

export function totalsByKey(tree: CallTree, keys: number): KeyTotals {
  const self = new Float64Array(keys);
  const total = new Float64Array(keys);
  const selfSamples = new Float64Array(keys);
  const totalSamples = new Float64Array(keys);
  const outermost = outermostNodes(tree, keys);
  let used = 0;
  const seen = new Uint8Array(keys);
  for (let node = 1; node < tree.nodes; ++node) {
    if (tree.total[node] === 0) continue;
    const key = tree.key[node];
    if (seen[key] === 0) {
      seen[key] = 1;
      ++used;
    }
    self[key] += tree.self[node];
    selfSamples[key] += tree.selfSamples[node];
    if (outermost[node] === 0) continue;
    total[key] += tree.total[node];
    totalSamples[key] += tree.totalSamples[node];
  }
  const key = new Int32Array(used);
  for (let i = 0, at = 0; i < keys; ++i) if (seen[i] !== 0) key[at++] = i;
  const pick = (values: Float64Array) => Float64Array.from(key, (i) => values[i]);
  return {
    key,
    self: pick(self),
    total: pick(total),
    selfSamples: pick(selfSamples),
    totalSamples: pick(totalSamples),
  };
}

// By the keys of a tree: trees of one shape share them, whatever their weights.
const knownOutermost = new WeakMap<Int32Array, Uint8Array>();

/** 1 for each node above which its key does not stand: those whose totals may be added up. */
export function outermostNodes(tree: CallTree, keys: number): Uint8Array {
  let outermost = knownOutermost.get(tree.key);
  if (!outermost) knownOutermost.set(tree.key, (outermost = findOutermost(tree, keys)));
  return outermost;
}

function findOutermost({ nodes, parent, key: keyOf }: CallTree, keys: number): Uint8Array {
  const outermost = new Uint8Array(nodes);
  // Without the root, which is nobody's child: numbers are one less.
  const { start, rows } = groupRows(parent.subarray(1), nodes);
  const active = new Uint8Array(keys);
  const path = [0];
  const next = start.slice(0, nodes);
  while (path.length > 0) {
    const node = path[path.length - 1];
    if (next[node] < start[node + 1]) {
      const child = rows[next[node]++] + 1;
      const key = keyOf[child];
      if (active[key] === 0) {
        active[key] = 1;
        outermost[child] = 1;
      }
      path.push(child);
      continue;
    }
    path.pop();
    if (outermost[node] !== 0) active[keyOf[node]] = 0;
  }
  return outermost;
}
