// SPDX-License-Identifier: Apache-2.0
import type { Profile } from '../data/profile';
import { STACK_FLAG } from '../data/schema';
import { ACTIVITIES } from './metric';
import type { Weighing } from './selection';
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

/** All in one pass: there may be ten million samples. */
export function activityTotals(profile: Profile, weighing: Weighing): ActivityTotals {
  const { sample, stack } = profile;
  const zeros = () => ACTIVITIES.map(() => 0);
  const sums: ActivityTotals = { time: zeros(), samples: zeros(), mainWaits: zeros(), gc: 0, imports: 0 };
  const threads = selectedThreads(profile, weighing);
  const tasks = weighing.tasks.length > 0 ? selectedTasks(profile, weighing) : null;
  const main = profile.meta.page.main_thread;
  const { begin, end } = weighing.range ?? { begin: -Infinity, end: Infinity };
  for (let i = 0; i < sample.rows; ++i) {
    const thread = sample.thread[i];
    if (threads[thread] === 0) continue;
    if (tasks && (sample.task[i] === 0 || tasks[sample.task[i] - 1] === 0)) continue;
    const part = Math.min(sample.time[i], end) - Math.max(sample.time[i] - sample.weight[i], begin);
    if (part <= 0) continue;
    const activity = sample.activity[i];
    const { onCpu } = ACTIVITIES[activity];
    sums.time[activity] += part;
    sums.samples[activity] += sample.count[i];
    if (!onCpu && thread === main) sums.mainWaits[activity] += part;
    const flags = stack.flags[sample.stack[i]];
    if ((flags & STACK_FLAG.gc) !== 0 && onCpu) sums.gc += part;
    if ((flags & STACK_FLAG.import) !== 0 && (onCpu || thread === main)) sums.imports += part;
  }
  return sums;
}
