// SPDX-License-Identifier: Apache-2.0
import type { Profile } from '../data/profile';
import { ACTIVITIES } from './metrics';
import type { Range } from './selection';
import { summed } from './summed';

/** By thread * ACTIVITIES.length + activity. */
export interface ThreadSums {
  time: Float64Array;
  samples: Float64Array;
}

/** `tasks`: 1 for each task that counts; null: all, and what no task has done. */
export function threadSums(profile: Profile, range: Range | null, tasks: Uint8Array | null): ThreadSums {
  const { rows, thread, activity, weight, count } = summed(profile, range, tasks);
  const sums: ThreadSums = {
    time: new Float64Array(profile.thread.rows * ACTIVITIES.length),
    samples: new Float64Array(profile.thread.rows * ACTIVITIES.length),
  };
  const part = countedPart(profile, range, tasks);
  for (let i = 0; i < rows; ++i) {
    const length = part ? part(i) : weight[i];
    if (length <= 0) continue;
    const at = thread[i] * ACTIVITIES.length + activity[i];
    sums.time[at] += length;
    sums.samples[at] += count[i];
  }
  return sums;
}

/** How much of a sample counts; null: all of every sample. Columns that are not needed stay unread. */
export function countedPart({ sample }: Profile, range: Range | null, tasks: Uint8Array | null): ((row: number) => number) | null {
  if (!range && !tasks) return null;
  const { weight } = sample;
  const time = range ? sample.time : null;
  const task = tasks ? sample.task : null;
  return (row) => {
    if (task && tasks && (task[row] === 0 || tasks[task[row] - 1] === 0)) return 0;
    return time && range ? Math.min(time[row], range.end) - Math.max(time[row] - weight[row], range.begin) : weight[row];
  };
}
