// SPDX-License-Identifier: Apache-2.0
import type { Profile } from '../data/profile';
import { STACK_FLAG } from '../data/schema';
import { ACTIVITIES } from './metrics';
import type { Range, Weighing } from './selection';
import { summed } from './summed';
import { countedPart, threadSums } from './thread_sums';
import { selectedTasks, selectedThreads } from './weigh';

export interface ActivityTotals {
  /** By activity, all threads. */
  time: number[];
  samples: number[];
  /** The waits of the main thread of the run, by activity; on-CPU activities are 0. */
  mainWaits: number[];
  /** CPU time of all threads in the garbage collector, and with waits of the main thread during imports. */
  gc: number;
  imports: number;
}

export function activityTotals(profile: Profile, weighing: Weighing): ActivityTotals {
  const threads = selectedThreads(profile, weighing);
  const tasks = weighing.tasks.length > 0 ? selectedTasks(profile, weighing) : null;
  const main = profile.meta.page.main_thread;
  const byThread = threadSums(profile, weighing.range, tasks);
  const zeros = () => ACTIVITIES.map(() => 0);
  const sums = { time: zeros(), samples: zeros(), mainWaits: zeros() };
  threads.forEach((selected, thread) => {
    if (selected === 0) return;
    ACTIVITIES.forEach(({ onCpu }, activity) => {
      const at = thread * ACTIVITIES.length + activity;
      sums.time[activity] += byThread.time[at];
      sums.samples[activity] += byThread.samples[at];
      if (!onCpu && thread === main) sums.mainWaits[activity] += byThread.time[at];
    });
  });
  return { ...sums, ...flaggedTime(profile, weighing.range, threads, tasks) };
}

/** A pass of its own: few programs have any of it. */
function flaggedTime(profile: Profile, range: Range | null, threads: Uint8Array, tasks: Uint8Array | null): { gc: number; imports: number } {
  const sums = { gc: 0, imports: 0 };
  const { flags } = profile.stack;
  if (flags.every((bits) => bits === 0)) return sums;
  const { rows, thread, stack, activity, weight } = summed(profile, range, tasks);
  const main = profile.meta.page.main_thread;
  const part = countedPart(profile, range, tasks);
  for (let i = 0; i < rows; ++i) {
    const bits = flags[stack[i]];
    if (bits === 0 || threads[thread[i]] === 0) continue;
    const length = Math.max(0, part ? part(i) : weight[i]);
    const { onCpu } = ACTIVITIES[activity[i]];
    if ((bits & STACK_FLAG.gc) !== 0 && onCpu) sums.gc += length;
    if ((bits & STACK_FLAG.import) !== 0 && (onCpu || thread[i] === main)) sums.imports += length;
  }
  return sums;
}
