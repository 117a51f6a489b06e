// SPDX-License-Identifier: Apache-2.0
// Memory that a place has allocated and freed again.
import type { Profile } from '../data/profile';
import type { MemoryRow } from './memory_parts';
import type { Weighing } from './selection';

export interface TemporaryRow extends MemoryRow {
  /** In KiB². */
  variance: number;
}

/**
 * One row for each place and kind: the smaller of what it has allocated and what was freed of
 * it in the range. Blocks, samples and variance are those of the allocations, in proportion.
 */
export function temporaryRows(profile: Profile, weighing: Weighing, threads: Uint8Array): TemporaryRow[] {
  const sums = new Map<string, TemporaryRow & { freed: number }>();
  const { range } = weighing;
  // Out of the loop: a column is read when it is asked for.
  const change = { ...profile.change };
  for (let i = 0; i < change.rows; ++i) {
    if (threads[change.thread[i]] === 0 || change.kind[i] > 2) continue;
    if (range && (change.time[i] <= range.begin || change.time[i] > range.end)) continue;
    const key = `${change.thread[i]} ${change.stack[i]} ${change.kind[i]}`;
    let sum = sums.get(key);
    if (!sum) {
      const place = { thread: change.thread[i], stack: change.stack[i], kind: change.kind[i] };
      sums.set(key, (sum = { ...place, bytes: 0, blocks: 0, samples: 0, variance: 0, type: 0, freed: 0 }));
    }
    sum.bytes += change.bytes[i];
    sum.blocks += change.blocks[i];
    sum.samples += change.samples[i];
    sum.variance += change.variance[i];
    sum.freed += change.freed[i];
  }
  const rows: TemporaryRow[] = [];
  for (const { freed, ...row } of sums.values()) {
    const bytes = Math.min(row.bytes, freed);
    if (bytes <= 0) continue;
    const share = bytes / row.bytes;
    const samples = Math.round(row.samples * share);
    rows.push({ ...row, bytes, blocks: Math.round(row.blocks * share), samples, variance: row.variance * share });
  }
  return rows;
}
