// SPDX-License-Identifier: Apache-2.0
// What an amount of memory is made of: kinds, threads, types, and sizes of blocks.
import type { Profile } from '../data/profile';
import type { Metric } from './metrics';
import type { Weighing } from './selection';
import { temporaryRows } from './temporary';
import { selectedThreads } from './weigh';

/** One place with memory of one kind, in one thread. */
export interface MemoryRow {
  thread: number;
  stack: number;
  kind: number;
  bytes: number;
  blocks: number;
  samples: number;
  /** Number of a string; only of what is left. */
  type: number;
}

export interface Part {
  bytes: number;
  blocks: number;
  samples: number;
}

export interface MemoryParts {
  whole: Part;
  /** By kind: Python, native, mapped. */
  kinds: Part[];
  /** Largest first. */
  threads: (Part & { thread: number })[];
  types: (Part & { name: string })[];
  /** Bucket i has places whose blocks have 2^i up to 2^(i+1) bytes on average. */
  sizes: Part[];
}

export function memoryParts(profile: Profile, weighing: Weighing, metric: Metric): MemoryParts {
  const kinds = [0, 1, 2].map(nothing);
  const threads = new Map<number, Part>();
  const types = new Map<number, Part>();
  const sizes: Part[] = [];
  const whole = nothing();
  for (const row of memoryRows(profile, weighing, metric)) {
    add(whole, row);
    if (row.kind < 3) add(kinds[row.kind], row);
    add(ofKey(threads, row.thread), row);
    if (metric.source === 'left') add(ofKey(types, row.type), row);
    if (row.blocks <= 0) continue;
    const bucket = Math.max(0, Math.floor(Math.log2(Math.max(1, row.bytes / row.blocks))));
    while (sizes.length <= bucket) sizes.push(nothing());
    add(sizes[bucket], row);
  }
  const sorted = <Key>(parts: Map<Key, Part>) => [...parts].sort(([, a], [, b]) => b.bytes - a.bytes);
  return {
    whole,
    kinds,
    threads: sorted(threads).map(([thread, part]) => ({ thread, ...part })),
    types: sorted(types).map(([type, part]) => ({ name: profile.string.get(type), ...part })),
    sizes,
  };
}

/** The rows that a metric of memory counts; changes of one place are one row. */
function memoryRows(profile: Profile, weighing: Weighing, metric: Metric): MemoryRow[] {
  if (metric.source === 'temporary') return temporaryRows(profile, weighing, selectedThreads(profile, weighing));
  const threads = selectedThreads(profile, weighing);
  const rows: MemoryRow[] = [];
  const range = metric.source === 'change' ? weighing.range : null;
  const table = metric.source === 'peak' ? profile.peak : metric.source === 'left' ? profile.left : profile.change;
  for (let i = 0; i < table.rows; ++i) {
    if (threads[table.thread[i]] === 0 || !metric.memoryKinds.includes(table.kind[i]) || table.bytes[i] === 0) continue;
    if (range && (profile.change.time[i] <= range.begin || profile.change.time[i] > range.end)) continue;
    rows.push({
      thread: table.thread[i], stack: table.stack[i], kind: table.kind[i], bytes: table.bytes[i],
      blocks: table.blocks[i], samples: table.samples[i], type: metric.source === 'left' ? profile.left.type[i] : 0,
    });
  }
  return rows;
}

function nothing(): Part {
  return { bytes: 0, blocks: 0, samples: 0 };
}

function add(part: Part, { bytes, blocks, samples }: Part): void {
  part.bytes += bytes;
  part.blocks += blocks;
  part.samples += samples;
}

function ofKey<Key>(parts: Map<Key, Part>, key: Key): Part {
  let part = parts.get(key);
  if (!part) parts.set(key, (part = nothing()));
  return part;
}
