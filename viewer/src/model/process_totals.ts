// SPDX-License-Identifier: Apache-2.0
import type { Profile } from '../data/profile';
import { ACTIVITIES } from './metrics';
import type { Weighing } from './selection';
import { threadSums } from './thread_sums';
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
  const { process, thread, level } = profile;
  const rows = Array.from({ length: process.rows }, (_, number) => ({ process: number, cpu: 0, waits: 0, samples: 0, rss: 0 }));
  const sums = threadSums(profile, weighing.range, null);
  selectedThreads(profile, weighing).forEach((selected, number) => {
    if (selected === 0) return;
    const row = rows[thread.process[number]];
    ACTIVITIES.forEach(({ onCpu }, activity) => {
      const at = number * ACTIVITIES.length + activity;
      if (onCpu) row.cpu += sums.time[at];
      else row.waits += sums.time[at];
      row.samples += sums.samples[at];
    });
  });
  const range = weighing.range ?? { begin: -Infinity, end: Infinity };
  for (let i = 0; i < level.rows; ++i) {
    if (level.time[i] < range.begin || level.time[i] > range.end) continue;
    const row = rows[level.process[i]];
    row.rss = Math.max(row.rss, level.rss[i]);
  }
  return rows.filter(({ process: number }) => weighing.processes.length === 0 || weighing.processes.includes(number));
}
