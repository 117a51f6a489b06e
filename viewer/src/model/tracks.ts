// SPDX-License-Identifier: Apache-2.0
// What threads and tasks did over time, for any range and any number of columns, without a pass over all samples.
import type { Profile } from '../data/profile';
import { STACK_FLAG } from '../data/schema';
import { firstAfter, Groups, groupRowsByTime } from './groups';
import { ACTIVITIES } from './metrics';
import type { Range } from './selection';
import { separateInTime } from './sample_times';

/** Activities come first; then, of threads, garbage collection and imports, which are part of them. */
export const CHANNEL = { gc: ACTIVITIES.length, import: ACTIVITIES.length + 1 } as const;
/** Of tasks, what they do when they do not run. */
export const TASK_CHANNEL = { suspended: ACTIVITIES.length, ready: ACTIVITIES.length + 1 } as const;
export const CHANNELS = ACTIVITIES.length + 2;

// Sums are kept for each so many rows: a question costs at most that many steps, and the sums an eighth of the samples.
const BLOCK = 64;

/** The rows of a number of tracks (threads or tasks), each in order of time. */
export class Tracks {
  /** By block and channel: the sum of all weights of the track before the block. */
  private readonly sums: Float64Array;
  private readonly firstBlock: Uint32Array;

  /** `second`: a channel to which a row belongs besides its own, by bits (1: gc, 2: import); null: none. */
  constructor(
    private readonly groups: Groups,
    private readonly time: Float64Array,
    private readonly weight: Float64Array,
    private readonly channel: Uint8Array,
    private readonly second: ((row: number) => number) | null,
  ) {
    const tracks = groups.start.length - 1;
    this.firstBlock = new Uint32Array(tracks + 1);
    for (let track = 0; track < tracks; ++track) {
      const rows = groups.start[track + 1] - groups.start[track];
      this.firstBlock[track + 1] = this.firstBlock[track] + Math.ceil(rows / BLOCK);
    }
    this.sums = new Float64Array(this.firstBlock[tracks] * CHANNELS);
    const sum = new Float64Array(CHANNELS);
    for (let track = 0; track < tracks; ++track) {
      sum.fill(0);
      let block = this.firstBlock[track];
      for (let at = groups.start[track]; at < groups.start[track + 1]; ++at) {
        if ((at - groups.start[track]) % BLOCK === 0) this.sums.set(sum, block++ * CHANNELS);
        this.add(sum, groups.rows[at], weight[groups.rows[at]]);
      }
    }
  }

  get count(): number {
    return this.groups.start.length - 1;
  }

  /** All that was before `time`, by channel, added to `into`. A row that goes on then counts in part. */
  private until(track: number, time: number, into: Float64Array): void {
    const { start, rows } = this.groups;
    const [first, last] = [start[track], start[track + 1]];
    if (first === last) return;
    const end = firstAfter(rows, this.time, first, last, time);
    const block = Math.min(Math.floor((end - first) / BLOCK), this.firstBlock[track + 1] - this.firstBlock[track] - 1);
    const from = (this.firstBlock[track] + block) * CHANNELS;
    for (let channel = 0; channel < CHANNELS; ++channel) into[channel] += this.sums[from + channel];
    for (let at = first + block * BLOCK; at < end; ++at) this.add(into, rows[at], this.weight[rows[at]]);
    for (let at = end; at < last; ++at) {
      const row = rows[at];
      const part = time - (this.time[row] - this.weight[row]);
      if (part <= 0) break;
      this.add(into, row, Math.min(part, this.weight[row]));
    }
  }

  /** Nanoseconds by column and channel: `columns` * CHANNELS values. */
  columns(track: number, range: Range, columns: number): Float32Array {
    const result = new Float32Array(columns * CHANNELS);
    const before = new Float64Array(CHANNELS);
    const now = new Float64Array(CHANNELS);
    this.until(track, range.begin, before);
    for (let column = 0; column < columns; ++column) {
      now.fill(0);
      this.until(track, range.begin + ((range.end - range.begin) * (column + 1)) / columns, now);
      for (let channel = 0; channel < CHANNELS; ++channel) {
        result[column * CHANNELS + channel] = now[channel] - before[channel];
        before[channel] = now[channel];
      }
    }
    return result;
  }

  /** Nanoseconds by channel in a range. */
  totals(track: number, range: Range): Float64Array {
    const before = new Float64Array(CHANNELS);
    const now = new Float64Array(CHANNELS);
    this.until(track, range.begin, before);
    this.until(track, range.end, now);
    return now.map((value, channel) => value - before[channel]);
  }

  /** The row that covers a time; -1: none. */
  rowAt(track: number, time: number): number {
    const { start, rows } = this.groups;
    const at = firstAfter(rows, this.time, start[track], start[track + 1], time);
    if (at === start[track + 1]) return -1;
    return this.time[rows[at]] - this.weight[rows[at]] <= time ? rows[at] : -1;
  }

  private add(sum: Float64Array, row: number, weight: number): void {
    sum[this.channel[row]] += weight;
    if (!this.second) return;
    const bits = this.second(row);
    if (bits & STACK_FLAG.gc) sum[CHANNEL.gc] += weight;
    if (bits & STACK_FLAG.import) sum[CHANNEL.import] += weight;
  }
}

export function threadTracks({ sample, stack }: Profile, samplesByThread: Groups): Tracks {
  const { stack: stackOf } = sample;
  const { flags } = stack;
  return new Tracks(samplesByThread, sample.time, sample.weight, sample.activity, (row) => flags[stackOf[row]]);
}

/** Samples in which a task ran, and what was seen of it when it did not. */
export function taskTracks({ sample, await: awaits, task }: Profile): Tracks {
  const running: number[] = [];
  const { task: taskOf } = sample;
  for (let i = 0; i < sample.rows; ++i) if (taskOf[i] > 0) running.push(i);
  const rows = running.length + awaits.rows;
  const time = new Float64Array(rows);
  const weight = new Float64Array(rows);
  const channel = new Uint8Array(rows);
  const owner = new Uint32Array(rows);
  running.forEach((from, i) => {
    time[i] = sample.time[from];
    weight[i] = sample.weight[from];
    channel[i] = sample.activity[from];
    owner[i] = sample.task[from] - 1;
  });
  for (let i = 0; i < awaits.rows; ++i) {
    const at = running.length + i;
    time[at] = awaits.time[i];
    weight[at] = awaits.weight[i];
    channel[at] = awaits.ready[i] ? TASK_CHANNEL.ready : TASK_CHANNEL.suspended;
    owner[at] = awaits.task[i];
  }
  const groups = groupRowsByTime(owner, task.rows, time);
  separateInTime(groups, time, weight);
  return new Tracks(groups, time, weight, channel, null);
}
