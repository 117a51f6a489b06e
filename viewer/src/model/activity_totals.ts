// SPDX-License-Identifier: Apache-2.0
import type { Profile } from '../data/profile';
import { STACK_FLAG } from '../data/schema';
import type { Engine } from './engine';
import { ACTIVITIES } from './metric';
import type { Weighing } from './selection';

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

export function activityTotals(engine: Engine, weighing: Weighing): ActivityTotals {
  const { profile } = engine;
  const of = (metric: string, change: Partial<Weighing> = {}) => engine.weights({ ...weighing, ...change, metric });
  const all = ACTIVITIES.map(({ id }) => of(id));
  const main = profile.meta.page.main_thread;
  const mainSelected = main !== null && (weighing.threads.length === 0 || weighing.threads.includes(main));
  const mainOf = (id: string) => (mainSelected ? of(id, { threads: [main] }).total : 0);
  return {
    time: all.map(({ total }) => total),
    samples: all.map(({ totalSamples }) => totalSamples),
    mainWaits: ACTIVITIES.map(({ id, onCpu }) => (onCpu ? 0 : mainOf(id))),
    gc: flagged(profile, of('cpu').self, STACK_FLAG.gc),
    imports: flagged(profile, of('time').self, STACK_FLAG.import),
  };
}

function flagged({ stack }: Profile, self: Float64Array, flag: number): number {
  let sum = 0;
  for (let i = 0; i < self.length; ++i) if ((stack.flags[i] & flag) !== 0) sum += self[i];
  return sum;
}
