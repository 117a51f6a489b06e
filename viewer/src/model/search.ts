// SPDX-License-Identifier: Apache-2.0
import type { CallTree } from './tree';

export interface Matches {
  /** 1 for each key whose text matches. */
  key: Uint8Array;
  /** How many keys with weight match, and what all stacks with at least one of them weigh. */
  keys: number;
  total: number;
  samples: number;
}

/** A regular expression without regard to case, unless it has capitals; what is none is taken as plain text. */
export function patternOf(search: string): RegExp {
  const flags = /\p{Lu}/u.test(search.replace(/\\./gu, '')) ? 'u' : 'iu';
  try {
    return new RegExp(search, flags);
  } catch {
    return new RegExp(search.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), flags);
  }
}

export function findMatches(tree: CallTree, keys: number, textOf: (key: number) => string, search: string): Matches {
  const pattern = patternOf(search);
  const key = new Uint8Array(keys);
  for (let i = 0; i < keys; ++i) key[i] = pattern.test(textOf(i)) ? 1 : 0;
  const covered = new Uint8Array(tree.nodes);
  const seen = new Uint8Array(keys);
  let total = 0;
  let samples = 0;
  for (let node = 1; node < tree.nodes; ++node) {
    const matches = key[tree.key[node]];
    covered[node] = covered[tree.parent[node]] | matches;
    if (matches && tree.total[node] > 0) seen[tree.key[node]] = 1;
    if (covered[node] === 0) continue;
    total += tree.self[node];
    samples += tree.selfSamples[node];
  }
  return { key, keys: seen.reduce((sum, one) => sum + one, 0), total, samples };
}
