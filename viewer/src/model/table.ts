// SPDX-License-Identifier: Apache-2.0
// Functions or lines of a selection with all that is known of them.
import type { Engine } from './engine';
import type { SampledWhole } from './interval';
import { MEMORY_COLUMNS } from './metrics';
import { Selection, weighingOf } from './selection';
import { CallTree, KeyTotals, outermostNodes, totalsByKey } from './tree';

/** By row of the table. */
export interface Amounts {
  self: Float64Array;
  total: Float64Array;
}

export interface TableRows extends KeyTotals {
  squares: Amounts;
  /** By name of the part. */
  parts: Record<string, Amounts>;
  /** By name of the metric: what each row has of memory, where time is selected, and of what the recording declares. */
  others: Record<string, Amounts>;
  whole: SampledWhole & { samples: number };
}

export function tableRows(engine: Engine, selection: Selection): TableRows {
  const keys = engine.keys(selection.by);
  const tree = engine.tree(selection);
  const rows = totalsByKey(tree, keys);
  const squares = engine.squares(selection);
  const parts: Record<string, Amounts> = {};
  for (const { part, tree: ofPart } of engine.parts(selection)) parts[part.name] = picked(sumByKey(ofPart, keys), rows.key);
  const others: Record<string, Amounts> = {};
  const hasMemory = engine.profile.meta.page.memory === true && engine.metrics.of(selection.metric).group !== 'Memory';
  for (const metric of [...(hasMemory ? MEMORY_COLUMNS : []), ...engine.metrics.declared]) {
    if (metric.name !== selection.metric) others[metric.name] = picked(sumByKey(engine.treeWith(selection, metric), keys), rows.key);
  }
  return {
    ...rows,
    squares: picked(sumByKey(squares, keys), rows.key),
    parts,
    others,
    whole: engine.sampledWhole(weighingOf(selection)),
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
