// SPDX-License-Identifier: Apache-2.0
// How the lines of a file were over time: at work, and with memory.
import type { Profile } from '../data/profile';
import type { Atlas } from './atlas';
import { metricOf } from './metric';
import type { Charge } from './places';
import type { Range, Weighing } from './selection';
import { countedActivities, selectedThreads } from './weigh';
import { wholeTime } from './kinds';

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

/** By stack: the rows that it is charged to. Stacks with the same rows share one list. */
function chargedRows(atlas: Atlas, charge: Charge, rowOf: Map<number, number>): (readonly number[])[] {
  const none: readonly number[] = [];
  const { parent, frame, rows } = atlas.profile.stack;
  const charged = new Array<readonly number[]>(rows).fill(none);
  const listOfLine: (readonly number[])[] = Array.from({ length: atlas.lines.count }, () => none);
  for (const [line, row] of rowOf) listOfLine[line] = [row];
  if (charge !== 'total') {
    const place = atlas.places('line').ofStack(charge);
    for (let stack = 1; stack < rows; ++stack) if (place[stack] >= 0) charged[stack] = listOfLine[place[stack]];
    return charged;
  }
  const { ofFrame } = atlas.lines;
  for (let stack = 1; stack < rows; ++stack) {
    const line = ofFrame[frame[stack]];
    const own = line >= 0 ? listOfLine[line] : none;
    const above = charged[parent[stack]];
    charged[stack] = own.length === 0 || above.includes(own[0]) ? above : [...above, own[0]];
  }
  return charged;
}

function activityOf(profile: Profile, weighing: Weighing, whole: Range, rowsOfStack: (readonly number[])[], rows: number): Float64Array {
  const out = new Float64Array(rows * HISTORY_PARTS);
  const { time, thread, stack, activity, weight } = profile.sample;
  const metric = metricOf(metricOf(weighing.metric).source === 'sample' ? weighing.metric : wholeTime(weighing.metric));
  const counted = countedActivities(profile, weighing, metric);
  const kinds = counted.length / Math.max(1, profile.thread.rows);
  const width = (whole.end - whole.begin) / HISTORY_PARTS;
  for (let i = 0; i < profile.sample.rows; ++i) {
    if (counted[thread[i] * kinds + activity[i]] === 0) continue;
    const charged = rowsOfStack[stack[i]];
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

function liveOf(profile: Profile, weighing: Weighing, whole: Range, rowsOfStack: (readonly number[])[], rows: number): Float64Array {
  const out = new Float64Array(rows * HISTORY_PARTS);
  const { time, thread, stack, kind, bytes, freed } = profile.change;
  const threads = selectedThreads(profile, weighing);
  const width = (whole.end - whole.begin) / HISTORY_PARTS;
  for (let i = 0; i < profile.change.rows; ++i) {
    if (threads[thread[i]] === 0 || kind[i] > 2 || time[i] > whole.end) continue;
    const part = Math.max(0, Math.min(HISTORY_PARTS - 1, Math.floor((time[i] - whole.begin) / width)));
    for (const row of rowsOfStack[stack[i]]) out[row * HISTORY_PARTS + part] += bytes[i] - freed[i];
  }
  for (let row = 0; row < rows; ++row) {
    let live = 0;
    for (let at = row * HISTORY_PARTS; at < (row + 1) * HISTORY_PARTS; ++at) out[at] = live += out[at];
  }
  // Frees can be seen a little before the stretch in which their memory was allocated.
  return out.map((value) => Math.max(0, value));
}
