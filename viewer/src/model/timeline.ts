// SPDX-License-Identifier: Apache-2.0
// The rest of what a timeline shows: named spans, memory, and what was going on at one moment.
import type { Profile } from '../data/profile';
import { FILE_KIND } from '../data/schema';
import { shownName } from '../data/shown';
import type { Engine } from './engine';
import { Range, Weighing } from './selection';
import { CHANNELS } from './tracks';
import { selectedThreads } from './weigh';

/** Times of threads that have a label. */
export interface Spans {
  thread: Uint32Array;
  begin: Float64Array;
  length: Float64Array;
  /** Into `labels`. */
  label: Uint32Array;
  labels: string[];
}

export interface Levels {
  process: Uint32Array;
  time: Float64Array;
  rss: Float64Array;
  python: Float64Array;
  native: Float64Array;
  mapped: Float64Array;
}

export function regionsOf({ region, string }: Profile): Spans {
  const labels = new Labels();
  const label = Uint32Array.from(region.name, (name) => labels.add(name, () => shownName(string.get(name))));
  return { thread: region.thread.slice(), begin: region.begin.slice(), length: region.length.slice(), label, labels: labels.texts };
}

/** Callbacks that held their event loop, by the name of the innermost Python function. */
export function blocksOf({ block, stack, frame, function: functions, file, string }: Profile): Spans {
  const labels = new Labels();
  const isNative = (at: number) => file.kind[functions.file[frame.function[stack.frame[at]]]] === FILE_KIND.native;
  const label = Uint32Array.from(block.stack, (innermost) => {
    let at = innermost;
    while (at !== 0 && isNative(at)) at = stack.parent[at];
    if (at === 0) return labels.add(-1, () => 'callback');
    const owner = frame.function[stack.frame[at]];
    return labels.add(owner, () => shownName(string.get(functions.name[owner])));
  });
  return { thread: block.thread.slice(), begin: block.begin.slice(), length: block.length.slice(), label, labels: labels.texts };
}

class Labels {
  readonly texts: string[] = [];
  private readonly known = new Map<number, number>();

  add(key: number, text: () => string): number {
    let index = this.known.get(key);
    if (index === undefined) this.known.set(key, (index = this.texts.push(text()) - 1));
    return index;
  }
}

export function levelsOf({ level }: Profile): Levels {
  return {
    process: level.process.slice(),
    time: level.time.slice(),
    rss: level.rss.slice(),
    python: level.python.slice(),
    native: level.native.slice(),
    mapped: level.mapped.slice(),
  };
}

/** What a thread did at one moment. */
export interface Moment {
  activity: number;
  begin: number;
  length: number;
  /** Frames, innermost first. */
  frames: number[];
}

export function momentOf(engine: Engine, thread: number, time: number): Moment | null {
  const { sample, stack } = engine.profile;
  const row = engine.threadTracks().rowAt(thread, time);
  if (row < 0) return null;
  const frames: number[] = [];
  for (let at = sample.stack[row]; at !== 0; at = stack.parent[at]) frames.push(stack.frame[at]);
  return {
    activity: sample.activity[row],
    begin: sample.time[row] - sample.weight[row],
    length: sample.weight[row],
    frames,
  };
}

/** Nanoseconds by channel (activities, gc, imports) of the selected threads in the selected range. */
export function channelTotals(engine: Engine, weighing: Weighing): Float64Array {
  const sum = new Float64Array(CHANNELS);
  const range: Range = weighing.range ?? { begin: 0, end: Number.MAX_SAFE_INTEGER };
  selectedThreads(engine.profile, weighing).forEach((selected, thread) => {
    if (!selected) return;
    engine.threadTracks().totals(thread, range).forEach((value, channel) => { sum[channel] += value; });
  });
  return sum;
}
