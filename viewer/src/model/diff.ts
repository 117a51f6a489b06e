// SPDX-License-Identifier: Apache-2.0
// Two profiles side by side: what each function, line or call has in the new one and in the base.
import { leastOf } from './detail';
import type { Engine } from './engine';
import { amountInterval, differenceInterval, Interval, Sampled, SampledWhole, shareInterval } from './interval';
import { Layout, layoutTree } from './layout';
import type { Matching } from './match';
import { Metric, ON_CPU, Unit, WAITS } from './metrics';
import { NodeTable } from './node_table';
import { Selection, weighingOf } from './selection';
import { sumByKey } from './table';
import { CallTree, withTotals } from './tree';

/** Amounts of one profile and the sums of their squares, by row, node or box. */
export interface Side {
  amount: Float64Array;
  squares: Float64Array;
}

export interface Whole {
  fresh: SampledWhole & { samples: number };
  base: SampledWhole & { samples: number };
  /** 95 % interval of the difference of the two, in units of the metric. */
  interval: Interval;
}

export interface DiffRows {
  /** Numbers of a Matching. */
  key: Int32Array;
  fresh: { self: Side; total: Side };
  base: { self: Side; total: Side };
}

/** Boxes of both; widths are amounts of the new profile, and what is gone keeps the width that it had. */
export interface DiffBoxes {
  layout: Layout;
  fresh: Side;
  base: Side;
}

/** What is chosen among processes, threads and time of the new profile does not exist in the base. */
export function inBase(selection: Selection): Selection {
  return { ...selection, processes: [], threads: [], tasks: [], range: null };
}

export function wholeOf(data: Engine, base: Engine, selection: Selection): Whole {
  const metric = data.metrics.of(selection.metric);
  const side = (engine: Engine, of: Selection) => {
    const whole = engine.sampledWhole(weighingOf(of));
    return { whole, interval: intervalOfWhole(engine, of, metric, whole) };
  };
  const fresh = side(data, selection);
  const old = side(base, inBase(selection));
  return {
    fresh: fresh.whole,
    base: old.whole,
    interval: differenceInterval(fresh.whole.amount, fresh.interval, old.whole.amount, old.interval),
  };
}

/** CPU and waiting times are measured; what of them was Python or a lock is sampled. */
function intervalOfWhole(engine: Engine, selection: Selection, metric: Metric, whole: SampledWhole): Interval {
  if (metric.unit === 'bytes') return amountInterval(whole, whole, 'bytes');
  const group = [ON_CPU, WAITS].find((activities) => activities.includes(metric.activities[0] ?? -1));
  const isPart = group !== undefined && metric.activities.length < group.length;
  if (metric.source !== 'sample' || !isPart) return { low: whole.amount, high: whole.amount };
  const widened = { ...metric, activities: group, mainActivities: group };
  const measured = {
    amount: engine.treeWith(selection, widened).total[0],
    squares: engine.treeWith(selection, widened, 'square').total[0],
  };
  const { low, high } = shareInterval(whole, measured);
  return { low: low * measured.amount, high: high * measured.amount };
}

export function diffRows(data: Engine, base: Engine, selection: Selection, matching: Matching): DiffRows {
  const keys = matching.ownKeys + matching.onlyBase.length;
  const identity = (key: number) => key;
  const old = inBase(selection);
  const sums = (engine: Engine, of: Selection, keyOf: (key: number) => number) => {
    const tree = engine.tree(of);
    const key = tree.key.map((own) => (own < 0 ? own : keyOf(own)));
    const amounts = sumByKey({ ...tree, key }, keys);
    const squares = sumByKey({ ...engine.squares(of), key }, keys);
    return {
      self: { amount: amounts.self, squares: squares.self },
      total: { amount: amounts.total, squares: squares.total },
    };
  };
  const fresh = sums(data, selection, identity);
  const before = sums(base, old, (key) => matching.keyOf[key]);
  const used: number[] = [];
  for (let key = 0; key < keys; ++key) if (fresh.total.amount[key] > 0 || before.total.amount[key] > 0) used.push(key);
  const key = Int32Array.from(used);
  const side = ({ amount, squares }: Side): Side => ({
    amount: Float64Array.from(key, (at) => amount[at]),
    squares: Float64Array.from(key, (at) => squares[at]),
  });
  const both = (of: DiffRows['fresh']) => ({ self: side(of.self), total: side(of.total) });
  return { key, fresh: both(fresh), base: both(before) };
}

/** The calls of both profiles as one tree. */
export interface DiffTree {
  fresh: CallTree;
  base: CallTree;
  freshSquares: Float64Array;
  baseSquares: Float64Array;
}

export function diffTree(data: Engine, base: Engine, selection: Selection, matching: Matching): DiffTree {
  const old = inBase(selection);
  const table = new NodeTable(data.tree(selection).nodes);
  const freshNodes = imageOf(table, data.tree(selection), (key) => key);
  const baseNodes = imageOf(table, base.tree(old), (key) => matching.keyOf[key]);
  const { nodes, parent, key } = table.finish();
  const collect = (tree: CallTree, image: Int32Array): CallTree => {
    const self = new Float64Array(nodes);
    const samples = new Float64Array(nodes);
    for (let node = 0; node < tree.nodes; ++node) {
      self[image[node]] += tree.self[node];
      samples[image[node]] += tree.selfSamples[node];
    }
    return withTotals(parent, key, self, samples);
  };
  return {
    fresh: collect(data.tree(selection), freshNodes),
    base: collect(base.tree(old), baseNodes),
    freshSquares: collect(data.squares(selection), freshNodes).total,
    baseSquares: collect(base.squares(old), baseNodes).total,
  };
}

/**
 * `scale`: what a unit of the base counts for when widths are of shares (1: absolute). `detail`: as for other flame
 * graphs (detail.ts); undefined: all boxes.
 */
export function diffBoxes(tree: DiffTree, scale: number, vanished: boolean, detail?: number): DiffBoxes {
  const { fresh, base } = tree;
  const { nodes, parent, key } = fresh;
  // A call that is gone has no width in the new profile: it keeps that of the base, and its callers grow by it.
  const width = fresh.total.slice();
  if (vanished) {
    const gone = new Float64Array(nodes);
    for (let node = nodes - 1; node > 0; --node) {
      if (fresh.total[node] === 0) gone[node] = base.total[node] * scale;
      width[node] += gone[node];
      gone[parent[node]] += gone[node];
    }
    width[0] += gone[0];
  }
  const numbers = new Int32Array(nodes);
  for (let node = 0; node < nodes; ++node) numbers[node] = node;
  const layout = layoutTree({ ...fresh, key: numbers, total: width }, leastOf(width[0], detail));
  const nodeOf = layout.key.slice();
  const pick = (values: Float64Array) => Float64Array.from(nodeOf, (node) => values[node]);
  for (let box = 0; box < layout.key.length; ++box) layout.key[box] = key[nodeOf[box]];
  return {
    layout,
    fresh: { amount: pick(fresh.total), squares: pick(tree.freshSquares) },
    base: { amount: pick(base.total), squares: pick(tree.baseSquares) },
  };
}

/** For each node of a tree its node in a table of nodes with common keys. */
function imageOf(table: NodeTable, tree: CallTree, keyOf: (key: number) => number): Int32Array {
  const image = new Int32Array(tree.nodes);
  for (let node = 1; node < tree.nodes; ++node) {
    if (tree.total[node] > 0) image[node] = table.child(image[tree.parent[node]], keyOf(tree.key[node]));
  }
  return image;
}

/** One function, line or call in both. */
export interface Change {
  fresh: number;
  base: number;
  difference: number;
  interval: Interval;
}

/** `share`: amounts are shares of their profiles, so that a longer run does not make everything larger. */
export function changeOf(fresh: Sampled, base: Sampled, whole: Whole, unit: Unit, share: boolean): Change {
  const side = (part: Sampled, of: SampledWhole) => {
    const scale = share ? (of.amount > 0 ? 1 / of.amount : 0) : 1;
    const { low, high } = amountInterval(part, of, unit);
    return { amount: part.amount * scale, interval: { low: low * scale, high: high * scale } };
  };
  const now = side(fresh, whole.fresh);
  const then = side(base, whole.base);
  return {
    fresh: now.amount,
    base: then.amount,
    difference: now.amount - then.amount,
    interval: differenceInterval(now.amount, now.interval, then.amount, then.interval),
  };
}
