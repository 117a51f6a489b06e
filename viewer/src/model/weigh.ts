// SPDX-License-Identifier: Apache-2.0
// How much each stack weighs by itself in a selection.
import type { Profile } from '../data/profile';
import { firstAfter, Groups } from './groups';
import { ACTIVITIES, Metric, metricOf, TIME_PART_OF_ACTIVITY, TIME_PARTS } from './metrics';
import type { Range, Weighing } from './selection';
import { summed } from './summed';
import { temporaryRows } from './temporary';

export interface Weights {
  /** By stack: nanoseconds or bytes, and the observations behind them. */
  self: Float64Array;
  samples: Float64Array;
  total: number;
  totalSamples: number;
}

/**
 * `square`: weights are squared, each observation of a row by itself; of bytes, their variance. Intervals are made of such
 * sums.
 */
export type Quantity = 'weight' | 'square';

/** `samplesByThread` makes a short range cheap: only rows inside are looked at. Without a range nobody needs it. */
export function weigh(
  profile: Profile,
  weighing: Weighing,
  samplesByThread: () => Groups,
  metric: Metric,
  quantity: Quantity = 'weight',
): Weights {
  const sums = quantity === 'weight' ? new WeightSums(profile.stack.rows) : new SquareSums(profile.stack.rows);
  switch (metric.source) {
    case 'sample':
      weighSamples(profile, weighing, metric, samplesByThread, sums);
      break;
    case 'await':
      weighAwaits(profile, weighing, sums);
      break;
    case 'change':
      weighChanges(profile, weighing, metric, sums);
      break;
    case 'temporary':
      for (const row of temporaryRows(profile, weighing, selectedThreads(profile, weighing))) {
        if (metric.memoryKinds.includes(row.kind)) sums.addBytes(row.stack, row.bytes, row.samples, row.variance);
      }
      break;
    case 'amount':
      if (quantity === 'weight') weighAmounts(profile, weighing, metric, sums);
      break;
    default:
      weighLive(profile, weighing, metric, profile[metric.source], sums);
  }
  return sums.finish();
}

/** Where a pass puts what it finds. */
interface Sums {
  /** Sums of rows are not as good as each row by itself. */
  readonly needsEach: boolean;
  add(stack: number, weight: number, samples: number, activity: number): void;
}

class WeightSums implements Sums {
  readonly needsEach: boolean = false;
  // Weight and samples of a stack side by side: one miss of the cache for both, and that is what a pass costs.
  private readonly pairs: Float64Array;

  constructor(stacks: number) {
    this.pairs = new Float64Array(2 * stacks);
  }

  add(stack: number, weight: number, samples: number): void {
    this.pairs[2 * stack] += weight;
    this.pairs[2 * stack + 1] += samples;
  }

  /** Variances are in KiB², as the columns have them. */
  addBytes(stack: number, bytes: number, samples: number, _variance: number): void {
    this.add(stack, bytes, samples);
  }

  finish(): Weights {
    const stacks = this.pairs.length / 2;
    const weights: Weights = { self: new Float64Array(stacks), samples: new Float64Array(stacks), total: 0, totalSamples: 0 };
    let total = 0;
    let totalSamples = 0;
    for (let i = 0; i < stacks; ++i) {
      total += weights.self[i] = this.pairs[2 * i];
      totalSamples += weights.samples[i] = this.pairs[2 * i + 1];
    }
    return { ...weights, total, totalSamples };
  }
}

export const BYTES2_PER_KIB2 = 1024 ** 2;

class SquareSums extends WeightSums {
  override readonly needsEach = true;

  override add(stack: number, weight: number, samples: number): void {
    super.add(stack, (weight * weight) / Math.max(1, samples), samples);
  }

  override addBytes(stack: number, _bytes: number, samples: number, variance: number): void {
    super.add(stack, variance * BYTES2_PER_KIB2, samples);
  }
}

const PARTS = TIME_PARTS.length;

/** All TIME_PARTS side by side, and only as many slots as there are places: that stays in the processor's cache. */
class TimePartSums implements Sums {
  readonly needsEach = false;
  private readonly sums: Float64Array;

  constructor(private readonly slotOf: Int32Array, private readonly slots: number) {
    this.sums = new Float64Array(2 * PARTS * (slots + 1));
  }

  add(stack: number, weight: number, samples: number, activity: number): void {
    const slot = this.slotOf[stack];
    const at = 2 * (PARTS * (slot < 0 ? this.slots : slot) + TIME_PART_OF_ACTIVITY[activity]);
    this.sums[at] += weight;
    this.sums[at + 1] += samples;
  }

  finish(): Weights[] {
    return TIME_PARTS.map((_, part) => {
      const self = new Float64Array(this.slots);
      const samples = new Float64Array(this.slots);
      const rest = 2 * (PARTS * this.slots + part);
      let total = this.sums[rest];
      let totalSamples = this.sums[rest + 1];
      for (let slot = 0; slot < this.slots; ++slot) {
        const at = 2 * (PARTS * slot + part);
        total += self[slot] = this.sums[at];
        totalSamples += samples[slot] = this.sums[at + 1];
      }
      return { self, samples, total, totalSamples };
    });
  }
}

/**
 * Each of TIME_PARTS, as far as the metric (one of samples) counts it, in one pass: by slot, where `slotOf` has the slot
 * of each stack. What belongs to none (-1) counts in totals only.
 */
export function weighTimeParts(
  profile: Profile,
  weighing: Weighing,
  samplesByThread: () => Groups,
  slotOf: Int32Array,
  slots: number,
): Weights[] {
  const sums = new TimePartSums(slotOf, slots);
  weighSamples(profile, weighing, metricOf(weighing.metric), samplesByThread, sums);
  return sums.finish();
}

/** 1 for each thread that is selected, by itself or by its process. */
export function selectedThreads({ thread }: Profile, weighing: Weighing): Uint8Array {
  const selected = new Uint8Array(thread.rows);
  const processes = new Set(weighing.processes);
  const threads = new Set(weighing.threads);
  for (let i = 0; i < thread.rows; ++i) {
    const byProcess = processes.size === 0 || processes.has(thread.process[i]);
    selected[i] = byProcess && (threads.size === 0 || threads.has(i)) ? 1 : 0;
  }
  return selected;
}

/** 1 for each task that is selected, by itself or by its process. */
export function selectedTasks({ task }: Profile, weighing: Weighing): Uint8Array {
  const selected = new Uint8Array(task.rows);
  const processes = new Set(weighing.processes);
  const tasks = new Set(weighing.tasks);
  for (let i = 0; i < task.rows; ++i) {
    const byProcess = processes.size === 0 || processes.has(task.process[i]);
    selected[i] = byProcess && (tasks.size === 0 || tasks.has(i)) ? 1 : 0;
  }
  return selected;
}

/** 1 for each thread * activity that counts. */
export function countedActivities(profile: Profile, weighing: Weighing, metric: Metric): Uint8Array {
  const counted = new Uint8Array(profile.thread.rows * ACTIVITIES.length);
  selectedThreads(profile, weighing).forEach((selected, thread) => {
    if (!selected) return;
    const main = thread === profile.meta.page.main_thread;
    for (const activity of main ? metric.mainActivities : metric.activities) {
      counted[thread * ACTIVITIES.length + activity] = 1;
    }
  });
  return counted;
}

/** How much of the time up to `time` is in the range. */
function inside(range: Range, time: number, length: number): number {
  return Math.min(time, range.end) - Math.max(time - length, range.begin);
}

// In place of a column that nobody needs.
const NOTHING = new Uint32Array(0);

function weighSamples(profile: Profile, weighing: Weighing, metric: Metric, samplesByThread: () => Groups, sums: Sums): void {
  const counted = countedActivities(profile, weighing, metric);
  const tasks = weighing.tasks.length > 0 ? selectedTasks(profile, weighing) : null;
  // Columns that are not needed stay unread.
  const task = tasks ? profile.sample.task : NOTHING;
  const activities = ACTIVITIES.length;
  const { range } = weighing;
  const { rows, thread, stack, activity, weight, count } = sums.needsEach ? profile.sample : summed(profile, range, tasks);
  if (!range) {
    for (let i = 0; i < rows; ++i) {
      if (counted[thread[i] * activities + activity[i]] === 0) continue;
      if (tasks && (task[i] === 0 || tasks[task[i] - 1] === 0)) continue;
      sums.add(stack[i], weight[i], count[i], activity[i]);
    }
    return;
  }
  const groups = samplesByThread();
  const { time } = profile.sample;
  selectedThreads(profile, weighing).forEach((selected, number) => {
    if (!selected) return;
    const to = groups.start[number + 1];
    for (let at = firstAfter(groups.rows, time, groups.start[number], to, range.begin); at < to; ++at) {
      const i = groups.rows[at];
      if (time[i] - weight[i] >= range.end) break;
      if (counted[number * activities + activity[i]] === 0) continue;
      if (tasks && (task[i] === 0 || tasks[task[i] - 1] === 0)) continue;
      const part = inside(range, time[i], weight[i]);
      if (part > 0) sums.add(stack[i], part, count[i], activity[i]);
    }
  });
}

function weighAwaits(profile: Profile, weighing: Weighing, sums: WeightSums): void {
  const { time, task, stack, weight, count } = profile.await;
  const tasks = selectedTasks(profile, weighing);
  for (let i = 0; i < profile.await.rows; ++i) {
    if (tasks[task[i]] === 0) continue;
    const part = weighing.range ? inside(weighing.range, time[i], weight[i]) : weight[i];
    if (part > 0) sums.add(stack[i], part, count[i]);
  }
}

/** A change belongs to a range when its interval ends in it: nobody knows when within the interval it was. */
function weighChanges(profile: Profile, weighing: Weighing, metric: Metric, sums: WeightSums): void {
  const { time, thread, stack, kind, bytes, samples } = profile.change;
  const variance = sums.needsEach ? profile.change.variance : NOTHING;
  const threads = selectedThreads(profile, weighing);
  const { range } = weighing;
  for (let i = 0; i < profile.change.rows; ++i) {
    if (threads[thread[i]] === 0 || !metric.memoryKinds.includes(kind[i])) continue;
    if (range && (time[i] <= range.begin || time[i] > range.end)) continue;
    if (bytes[i] > 0) sums.addBytes(stack[i], bytes[i], samples[i], variance[i]);
  }
}

/** What was seen at no known time is in no range. */
function weighAmounts(profile: Profile, weighing: Weighing, metric: Metric, sums: WeightSums): void {
  const { rows, time, thread, stack, metric: declared, value, count } = profile.amount;
  const threads = selectedThreads(profile, weighing);
  const { range } = weighing;
  for (let i = 0; i < rows; ++i) {
    if (declared[i] !== metric.declared || threads[thread[i]] === 0) continue;
    // The column has 0 for an unknown time.
    if (range && (time[i] - 1 <= range.begin || time[i] - 1 > range.end)) continue;
    sums.add(stack[i], value[i], count[i]);
  }
}

/** What is live at one moment has no range. */
function weighLive(profile: Profile, weighing: Weighing, metric: Metric, live: Profile['peak'], sums: WeightSums): void {
  const threads = selectedThreads(profile, weighing);
  for (let i = 0; i < live.rows; ++i) {
    if (threads[live.thread[i]] === 0 || !metric.memoryKinds.includes(live.kind[i])) continue;
    sums.addBytes(live.stack[i], live.bytes[i], live.samples[i], live.variance[i]);
  }
}
