// SPDX-License-Identifier: Apache-2.0
// How the lines of a file were over time: at work, and with memory.
import type { Profile } from '../data/profile';
import type { Atlas } from './atlas';
import { metricOf, wholeTime } from './metrics';
import type { Charge } from './places';
import type { Range, Weighing } from './selection';
import { countedActivities, selectedThreads } from './weigh';

export const HISTORY_PARTS = 40;

/** Both have HISTORY_PARTS elements for each line, one line after another. */
export interface LineHistory {
  line: Uint32Array;
  /** Time in each part of the range. */
  activity: Float64Array;
  /** Bytes that are live at the end of each part. */
  live: Float64Array;
}

export function lineHistory(atlas: Atlas, weighing: Weighing, file: number, charge: Charge): LineHistory {
  const { profile, lines } = atlas;
  const numbers: number[] = [];
  lines.file.forEach((owner, number) => {
    if (owner === file) numbers.push(number);
  });
  numbers.sort((a, b) => lines.line[a] - lines.line[b]);
  const rowOf = new Map(numbers.map((number, row) => [number, row]));
  const rowsOfStack = chargedRows(atlas, charge, rowOf);
  const whole = weighing.range ?? { begin: 0, end: Math.max(1, Number(profile.meta.page.end_ns) || 1) };
  return {
    line: Uint32Array.from(numbers, (number) => lines.line[number]),
    activity: activityOf(profile, weighing, whole, rowsOfStack, numbers.length),
    live: liveOf(profile, weighing, whole, rowsOfStack, numbers.length),
  };
}

/** The rows that a stack is charged to. */
function chargedRows(atlas: Atlas, charge: Charge, rowOf: Map<number, number>): (stack: number) => readonly number[] {
  const none: readonly number[] = [];
  const rowOfFrame = atlas.lines.ofFrame.map((line) => rowOf.get(line) ?? -1);
  if (charge !== 'total') {
    const innermost = atlas.innermost.ofStack(charge);
    const lists = Array.from({ length: rowOf.size }, (_, row): readonly number[] => [row]);
    return (stack) => {
      const row = innermost[stack] < 0 ? -1 : rowOfFrame[innermost[stack]];
      return row < 0 ? none : lists[row];
    };
  }
  // The innermost frame of the file in each stack: 0 if there is none. From one to the next, the others are skipped.
  const { parent, frame, rows } = atlas.profile.stack;
  const inFile = new Uint32Array(rows);
  for (let stack = 1; stack < rows; ++stack) inFile[stack] = rowOfFrame[frame[stack]] >= 0 ? stack : inFile[parent[stack]];
  const known = new Map<number, readonly number[]>();
  return (stack) => {
    const first = inFile[stack];
    if (first === 0) return none;
    let found = known.get(first);
    if (!found) {
      const seen = new Set<number>();
      for (let at = first; at !== 0; at = inFile[parent[at]]) seen.add(rowOfFrame[frame[at]]);
      known.set(first, (found = [...seen]));
    }
    return found;
  };
}

function activityOf(profile: Profile, weighing: Weighing, whole: Range, rowsOfStack: (stack: number) => readonly number[], rows: number): Float64Array {
  const out = new Float64Array(rows * HISTORY_PARTS);
  const { time, thread, stack, activity, weight } = profile.sample;
  const metric = metricOf(metricOf(weighing.metric).source === 'sample' ? weighing.metric : wholeTime(weighing.metric));
  const counted = countedActivities(profile, weighing, metric);
  const activities = counted.length / Math.max(1, profile.thread.rows);
  const width = (whole.end - whole.begin) / HISTORY_PARTS;
  for (let i = 0; i < profile.sample.rows; ++i) {
    if (counted[thread[i] * activities + activity[i]] === 0) continue;
    const charged = rowsOfStack(stack[i]);
    if (charged.length === 0) continue;
    const [begin, end] = [Math.max(whole.begin, time[i] - weight[i]), Math.min(whole.end, time[i])];
    if (end <= begin) continue;
    const last = Math.min(HISTORY_PARTS - 1, Math.floor((end - whole.begin) / width));
    for (let part = Math.floor((begin - whole.begin) / width); part <= last; ++part) {
      const from = Math.max(begin, whole.begin + part * width);
      const to = part === last ? end : Math.min(end, whole.begin + (part + 1) * width);
      for (const row of charged) out[row * HISTORY_PARTS + part] += to - from;
    }
  }
  return out;
}

function liveOf(profile: Profile, weighing: Weighing, whole: Range, rowsOfStack: (stack: number) => readonly number[], rows: number): Float64Array {
  const out = new Float64Array(rows * HISTORY_PARTS);
  const { time, thread, stack, kind, bytes, freed } = profile.change;
  const threads = selectedThreads(profile, weighing);
  const width = (whole.end - whole.begin) / HISTORY_PARTS;
  for (let i = 0; i < profile.change.rows; ++i) {
    if (threads[thread[i]] === 0 || kind[i] > 2 || time[i] > whole.end) continue;
    const part = Math.max(0, Math.min(HISTORY_PARTS - 1, Math.floor((time[i] - whole.begin) / width)));
    for (const row of rowsOfStack(stack[i])) out[row * HISTORY_PARTS + part] += bytes[i] - freed[i];
  }
  for (let row = 0; row < rows; ++row) {
    let live = 0;
    for (let at = row * HISTORY_PARTS; at < (row + 1) * HISTORY_PARTS; ++at) out[at] = live += out[at];
  }
  // Frees can be seen a little before the interval in which their memory was allocated.
  return out.map((value) => Math.max(0, value));
}
