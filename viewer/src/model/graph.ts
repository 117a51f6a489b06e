// SPDX-License-Identifier: Apache-2.0
// Who calls whom, each function once.
import { NodeTable } from './node_table';
import { CallTree, totalsByKey, withTotals } from './tree';

export interface GraphNode {
  key: number;
  self: number;
  total: number;
  selfSamples: number;
  totalSamples: number;
}

export interface GraphEdge {
  /** Positions among the nodes; equal for a function that calls itself. */
  from: number;
  to: number;
  /** What the callee has when called so. */
  total: number;
  samples: number;
}

export interface CallGraph {
  /** Heaviest first. */
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** How many nodes and edges were too small to be shown. */
  hiddenNodes: number;
  hiddenEdges: number;
  /** The least share of everything that a node has here. */
  nodeShare: number;
}

export interface GraphLimits {
  /** Least shares of everything; null: so that at most MOST_NODES nodes are left. */
  nodeShare: number | null;
  edgeShare: number;
}

export const MOST_NODES = 40;
const LEAST_SHARE = 0.005;
/** Whatever the user asks for: more boxes than anybody reads, and than a layout makes in a moment. */
export const MOST_NODES_EVER = 400;

export function graphOf(tree: CallTree, keys: number, limits: GraphLimits): CallGraph {
  const rows = totalsByKey(tree, keys);
  const whole = tree.total[0];
  const order = Array.from(rows.key, (_, i) => i).sort((a, b) => rows.total[b] - rows.total[a] || rows.key[a] - rows.key[b]);
  const share = limits.nodeShare ?? LEAST_SHARE;
  const most = limits.nodeShare === null ? MOST_NODES : MOST_NODES_EVER;
  const kept = order.filter((i) => rows.total[i] > 0 && rows.total[i] >= share * whole).slice(0, most);
  const place = new Map(kept.map((i, at) => [rows.key[i], at]));
  const nodes = kept.map((i) => ({
    key: rows.key[i],
    self: rows.self[i],
    total: rows.total[i],
    selfSamples: rows.selfSamples[i],
    totalSamples: rows.totalSamples[i],
  }));
  const all = edgesOf(tree).filter(({ from, to }) => place.has(from) && place.has(to));
  const edges = all
    .filter(({ total }) => total >= limits.edgeShare * whole)
    .map((edge) => ({ ...edge, from: place.get(edge.from)!, to: place.get(edge.to)! }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  return {
    nodes,
    edges,
    hiddenNodes: order.length - kept.length,
    hiddenEdges: all.length - edges.length,
    nodeShare: whole > 0 && nodes.length > 0 ? nodes[nodes.length - 1].total / whole : 0,
  };
}

/** Edges between keys. In a recursion the same call counts once, as the totals of nodes do. */
function edgesOf(tree: CallTree): GraphEdge[] {
  // A table of nodes is one of pairs of numbers, too: an edge is a pair of keys.
  const pairs = new NodeTable(1024);
  const edgeOf = new Int32Array(tree.nodes);
  for (let node = 1; node < tree.nodes; ++node) {
    const parent = tree.parent[node];
    if (parent !== 0 && tree.total[node] > 0) edgeOf[node] = pairs.child(tree.key[parent], tree.key[node]);
  }
  const { nodes: count, parent: from, key: to } = pairs.finish();
  const total = new Float64Array(count);
  const samples = new Float64Array(count);
  // How often each edge is on the way to the node that is visited: only the outermost counts.
  const open = new Uint32Array(count);
  visit(tree, {
    enter(node) {
      const edge = edgeOf[node];
      if (open[edge]++ > 0) return;
      total[edge] += tree.total[node];
      samples[edge] += tree.totalSamples[node];
    },
    leave(node) {
      --open[edgeOf[node]];
    },
  });
  const edges: GraphEdge[] = [];
  for (let edge = 1; edge < count; ++edge) edges.push({ from: from[edge], to: to[edge], total: total[edge], samples: samples[edge] });
  return edges;
}

/** All nodes with weight below the root, callers before callees and left behind after them. */
function visit(tree: CallTree, to: { enter: (node: number) => void; leave: (node: number) => void }): void {
  const first = new Int32Array(tree.nodes).fill(-1);
  const sibling = new Int32Array(tree.nodes).fill(-1);
  for (let node = tree.nodes - 1; node > 0; --node) {
    if (tree.total[node] === 0) continue;
    sibling[node] = first[tree.parent[node]];
    first[tree.parent[node]] = node;
  }
  let node = first[0];
  while (node > 0) {
    to.enter(node);
    if (first[node] > 0) {
      node = first[node];
      continue;
    }
    to.leave(node);
    while (sibling[node] < 0 && tree.parent[node] !== 0) {
      node = tree.parent[node];
      to.leave(node);
    }
    node = sibling[node];
  }
}

/** Only stacks with the key somewhere in them: what leads to it, and what it leads to. */
export function through(tree: CallTree, key: number): CallTree {
  const self = new Float64Array(tree.nodes);
  const selfSamples = new Float64Array(tree.nodes);
  const covered = new Uint8Array(tree.nodes);
  for (let node = 1; node < tree.nodes; ++node) {
    covered[node] = covered[tree.parent[node]] | (tree.key[node] === key ? 1 : 0);
    if (covered[node] === 0) continue;
    self[node] = tree.self[node];
    selfSamples[node] = tree.selfSamples[node];
  }
  return withTotals(tree.parent, tree.key, self, selfSamples);
}
