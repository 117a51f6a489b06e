// SPDX-License-Identifier: Apache-2.0

/** Rows of a table by a small number, in the order in which they stand. */
export interface Groups {
  /** Where each group begins in `rows`; one more element than there are groups. */
  start: Uint32Array;
  rows: Uint32Array;
}

/** Counting sort: O(rows). Rows whose key is not below `groups` are left out. */
export function groupRows(keys: Uint32Array | Int32Array, groups: number): Groups {
  const start = new Uint32Array(groups + 1);
  for (let i = 0; i < keys.length; ++i) if (keys[i] < groups) ++start[keys[i] + 1];
  for (let group = 0; group < groups; ++group) start[group + 1] += start[group];
  const rows = new Uint32Array(start[groups]);
  const next = start.slice(0, groups);
  for (let i = 0; i < keys.length; ++i) if (keys[i] < groups) rows[next[keys[i]]++] = i;
  return { start, rows };
}

/** As groupRows, each group in order of time: data that keep their promise are so already. */
export function groupRowsByTime(keys: Uint32Array, groups: number, time: Float64Array): Groups {
  const grouped = groupRows(keys, groups);
  for (let group = 0; group < groups; ++group) {
    const rows = grouped.rows.subarray(grouped.start[group], grouped.start[group + 1]);
    for (let i = 1; i < rows.length; ++i) {
      if (time[rows[i]] < time[rows[i - 1]]) {
        rows.sort((a, b) => time[a] - time[b] || a - b);
        break;
      }
    }
  }
  return grouped;
}

/** First position in [from, to) of `rows` whose time is above `limit`; `to` if there is none. */
export function firstAfter(rows: Uint32Array, time: Float64Array, from: number, to: number, limit: number): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (time[rows[middle]] > limit) to = middle;
    else from = middle + 1;
  }
  return from;
}
