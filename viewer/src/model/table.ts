// SPDX-License-Identifier: Apache-2.0
// Functions or lines of a selection with all that is known of them.
import type { Engine } from './engine';
import type { Sampled } from './interval';
import { metricOf, METRICS } from './metric';
import type { Selection } from './selection';
import { CallTree, KeyTotals, outermostNodes, totalsByKey } from './tree';

/** By row of the table. */
export interface Amounts {
  self: Float64Array;
  total: Float64Array;
}

export interface TableRows extends KeyTotals {
  squares: Amounts;
  /** By id of the part. */
  parts: Record<string, Amounts>;
  /** By id of the metric: what each row has of memory, where time is selected. */
  memory: Record<string, Amounts>;
  whole: Sampled & { samples: number };
}

export const MEMORY_COLUMNS = ['allocated', 'peak', 'left', 'copied'];

export function tableRows(engine: Engine, selection: Selection): TableRows {
  const keys = engine.keys(selection.by);
  const tree = engine.tree(selection);
  const rows = totalsByKey(tree, keys);
  const squares = engine.squares(selection);
  const parts: Record<string, Amounts> = {};
  for (const { part, tree: ofPart } of engine.parts(selection)) parts[part.id] = picked(sumByKey(ofPart, keys), rows.key);
  const memory: Record<string, Amounts> = {};
  if (metricOf(selection.metric).unit === 'time' && engine.profile.meta.page.memory === true) {
    for (const metric of METRICS.filter(({ id }) => MEMORY_COLUMNS.includes(id))) {
      memory[metric.id] = picked(sumByKey(engine.treeWith(selection, metric), keys), rows.key);
    }
  }
  return {
    ...rows,
    squares: picked(sumByKey(squares, keys), rows.key),
    parts,
    memory,
    whole: { amount: tree.total[0], squares: squares.total[0], samples: tree.totalSamples[0] },
  };
}

/** As totalsByKey, but by key. */
export function sumByKey(tree: CallTree, keys: number): Amounts {
  const outermost = outermostNodes(tree, keys);
  const self = new Float64Array(keys);
  const total = new Float64Array(keys);
  for (let node = 1; node < tree.nodes; ++node) {
    self[tree.key[node]] += tree.self[node];
    if (outermost[node] !== 0) total[tree.key[node]] += tree.total[node];
  }
  return { self, total };
}

function picked({ self, total }: Amounts, keys: Int32Array): Amounts {
  return { self: Float64Array.from(keys, (key) => self[key]), total: Float64Array.from(keys, (key) => total[key]) };
}
