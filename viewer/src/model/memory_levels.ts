// SPDX-License-Identifier: Apache-2.0
// Memory of the selected processes over time.
import type { Profile } from '../data/profile';
import type { Weighing } from './selection';

export const LEVELS = ['rss', 'pss', 'python', 'native', 'mapped'] as const;
export type Level = (typeof LEVELS)[number];

/** Sums over processes at some points of time. A PSS of 0 was not read at that time, or not of all. */
export interface MemoryLevels extends Record<Level, Float64Array> {
  time: Float64Array;
  /** Python, native and mapped: what the program has asked for and not freed. */
  inUse: Float64Array;
  /** The point with most in use; -1: there are none. */
  peak: number;
}

/** At most `most` points: of those that fall together, the one with most in use, so that the peak stays. */
export function memoryLevels(profile: Profile, weighing: Weighing, most: number): MemoryLevels {
  const { level, process } = profile;
  const picked = selectedProcesses(profile, weighing);
  const { begin, end } = weighing.range ?? { begin: 0, end: Infinity };
  const rows = Array.from({ length: level.rows }, (_, row) => row).filter((row) => picked.has(level.process[row]));
  // Ends of processes are steps too: from then on they have nothing.
  const steps = rows.map((row) => ({ time: level.time[row], process: level.process[row], row }));
  if (picked.size > 1) {
    for (const number of picked) if (process.end[number] > 0) steps.push({ time: process.end[number], process: number, row: -1 });
  }
  steps.sort((a, b) => a.time - b.time || b.row - a.row);
  const current = new Map<number, number>();
  // PSS is read now and then, of each process at its own times: the last one of each is as good as it gets.
  const lastPss = new Map<number, number>();
  const pssAt = (row: number) => {
    if (row < 0 || level.pss[row] === 0) return 0;
    const known = [...current.keys()].map((number) => lastPss.get(number));
    return known.every((value) => value !== undefined) ? known.reduce<number>((sum, value) => sum + value!, 0) : 0;
  };
  const points: { time: number; values: number[] }[] = [];
  for (const step of steps) {
    if (step.row < 0) current.delete(step.process);
    else current.set(step.process, step.row);
    if (step.row >= 0 && level.pss[step.row] > 0) lastPss.set(step.process, level.pss[step.row]);
    if (step.time < begin || step.time > end || current.size === 0) continue;
    const sumOf = (name: Level) => [...current.values()].reduce((sum, row) => sum + level[name][row], 0);
    points.push({ time: step.time, values: LEVELS.map((name) => (name === 'pss' ? pssAt(step.row) : sumOf(name))) });
  }
  return arrayed(thinned(points, most));
}

const inUseOf = (values: number[]) => values[2] + values[3] + values[4];

function selectedProcesses({ process, thread }: Profile, weighing: Weighing): Set<number> {
  if (weighing.processes.length > 0) return new Set(weighing.processes);
  if (weighing.threads.length > 0) return new Set(weighing.threads.map((number) => thread.process[number]));
  return new Set(Array.from({ length: process.rows }, (_, number) => number));
}

function thinned<Point extends { time: number; values: number[] }>(points: Point[], most: number): Point[] {
  if (points.length <= most) return points;
  const first = points[0].time;
  const width = (points[points.length - 1].time - first) / most || 1;
  const kept: Point[] = [];
  let bucket = -1;
  for (const point of points) {
    const at = Math.min(most - 1, Math.floor((point.time - first) / width));
    if (at !== bucket) kept.push(point);
    else if (inUseOf(point.values) > inUseOf(kept[kept.length - 1].values)) kept[kept.length - 1] = point;
    bucket = at;
  }
  return kept;
}

function arrayed(points: { time: number; values: number[] }[]): MemoryLevels {
  const column = (number: number) => Float64Array.from(points, ({ values }) => values[number]);
  const inUse = Float64Array.from(points, ({ values }) => inUseOf(values));
  let peak = points.length === 0 ? -1 : 0;
  inUse.forEach((value, i) => {
    if (value > inUse[peak]) peak = i;
  });
  return {
    time: Float64Array.from(points, ({ time }) => time),
    rss: column(0), pss: column(1), python: column(2), native: column(3), mapped: column(4),
    inUse,
    peak,
  };
}
