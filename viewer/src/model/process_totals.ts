// SPDX-License-Identifier: Apache-2.0
import type { Profile } from '../data/profile';
import { ACTIVITIES } from './metric';
import type { Weighing } from './selection';
import { selectedThreads } from './weigh';

export interface ProcessTotals {
  process: number;
  cpu: number;
  waits: number;
  samples: number;
  /** Most resident memory that was seen in the range; 0: not known. */
  rss: number;
}

/** Each selected process by itself; waits are those of all its threads. */
export function processTotals(profile: Profile, weighing: Weighing): ProcessTotals[] {
  const { process, thread, sample, level } = profile;
  const range = weighing.range ?? { begin: -Infinity, end: Infinity };
  const rows = Array.from({ length: process.rows }, (_, number) => ({ process: number, cpu: 0, waits: 0, samples: 0, rss: 0 }));
  const threads = selectedThreads(profile, weighing);
  for (let i = 0; i < sample.rows; ++i) {
    if (threads[sample.thread[i]] === 0) continue;
    const part = Math.min(sample.time[i], range.end) - Math.max(sample.time[i] - sample.weight[i], range.begin);
    if (part <= 0) continue;
    const row = rows[thread.process[sample.thread[i]]];
    if (ACTIVITIES[sample.activity[i]].onCpu) row.cpu += part;
    else row.waits += part;
    row.samples += sample.count[i];
  }
  for (let i = 0; i < level.rows; ++i) {
    if (level.time[i] < range.begin || level.time[i] > range.end) continue;
    const row = rows[level.process[i]];
    row.rss = Math.max(row.rss, level.rss[i]);
  }
  return rows.filter(({ process: number }) => weighing.processes.length === 0 || weighing.processes.includes(number));
}
