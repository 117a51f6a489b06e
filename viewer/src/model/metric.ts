// SPDX-License-Identifier: Apache-2.0
// What can be counted: activities of threads, and the metrics that are made of them and of memory.

export interface Activity {
  id: string;
  title: string;
  /** One letter, for where colour alone would have to tell. */
  letter: string;
  onCpu: boolean;
}

/** In the order of their numbers in the data. */
export const ACTIVITIES: readonly Activity[] = [
  { id: 'python', title: 'Python', letter: 'P', onCpu: true },
  { id: 'native', title: 'Native code', letter: 'N', onCpu: true },
  { id: 'kernel', title: 'Kernel', letter: 'K', onCpu: true },
  { id: 'io', title: 'Waits for I/O', letter: 'I', onCpu: false },
  { id: 'lock', title: 'Waits for a lock', letter: 'L', onCpu: false },
  { id: 'gil', title: 'Waits for the GIL', letter: 'G', onCpu: false },
  { id: 'sleep', title: 'Sleeps', letter: 'S', onCpu: false },
  { id: 'child', title: 'Waits for a child process', letter: 'C', onCpu: false },
  { id: 'runnable', title: 'Waits for a CPU', letter: 'R', onCpu: false },
  { id: 'other', title: 'Waits otherwise', letter: 'O', onCpu: false },
];

export const ON_CPU = [0, 1, 2];
export const WAITS = [3, 4, 5, 6, 7, 8, 9];

export type Unit = 'time' | 'bytes';
export type Source = 'sample' | 'await' | 'change' | 'temporary' | 'peak' | 'left';

export interface Metric {
  id: string;
  title: string;
  group: 'Time' | 'On a CPU' | 'Waits' | 'Memory';
  hint: string;
  unit: Unit;
  source: Source;
  /** Of samples: the activities that count, for all threads and for the main thread of the run. */
  activities: readonly number[];
  mainActivities: readonly number[];
  /** Of memory: the kinds that count. */
  kinds: readonly number[];
}

function ofTime(id: string, title: string, group: Metric['group'], activities: readonly number[], hint: string): Metric {
  return { id, title, group, hint, unit: 'time', source: 'sample', activities, mainActivities: activities, kinds: [] };
}

function ofMemory(id: string, title: string, source: Source, kinds: readonly number[], hint: string): Metric {
  return { id, title, group: 'Memory', hint, unit: 'bytes', source, activities: [], mainActivities: [], kinds };
}

export const METRICS: readonly Metric[] = [
  {
    ...ofTime('time', 'Time', 'Time', ON_CPU, 'CPU of all threads and waits of the main thread: what you sit through'),
    mainActivities: [...ON_CPU, ...WAITS],
  },
  ofTime('wall', 'Wall clock', 'Time', [...ON_CPU, ...WAITS], 'everything that all threads do, waits included'),
  ofTime('cpu', 'CPU', 'On a CPU', ON_CPU, 'Python, native code and kernel'),
  ofTime('python', 'Python', 'On a CPU', [0], 'the interpreter itself'),
  ofTime('native', 'Native code', 'On a CPU', [1], 'extensions and libraries'),
  ofTime('kernel', 'Kernel', 'On a CPU', [2], 'system calls and page faults'),
  ofTime('waits', 'All waits', 'Waits', WAITS, 'all threads'),
  ...WAITS.map((number) => {
    const activity = ACTIVITIES[number];
    return ofTime(activity.id, activity.title, 'Waits', [number], 'all threads');
  }),
  {
    ...ofTime('await', 'Await', 'Waits', [], 'tasks that are suspended, or ready but not yet run'),
    source: 'await',
  },
  ofMemory('allocated', 'Allocated', 'change', [0, 1, 2], 'all requests, also of what was given back'),
  ofMemory('temporary', 'Temporary', 'temporary', [0, 1, 2], 'allocated and given back again'),
  ofMemory('peak', 'Live at the peak', 'peak', [0, 1, 2], 'what was live when most was in use'),
  ofMemory('left', 'Live at the end', 'left', [0, 1, 2], 'what was never given back'),
  ofMemory('copied', 'Copied', 'change', [3], 'bytes that memcpy and its kin have moved'),
];

const BY_ID = new Map(METRICS.map((metric) => [metric.id, metric]));

export function metricOf(id: string): Metric {
  return BY_ID.get(id) ?? METRICS[0];
}
