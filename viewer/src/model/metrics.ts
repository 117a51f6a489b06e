// SPDX-License-Identifier: Apache-2.0
// The one table of what can be counted. Whatever names a metric, lists metrics or shows one in a column asks here.
import { ACTIVITY, MEMORY_KIND, METRIC } from '../data/schema';
import { declaredOf } from './report';

/** What a recording declares may be counted in units of its own: "count of hits". */
export type Unit = 'count' | 'nanoseconds' | 'bytes' | `${typeof COUNT_OF}${string}`;
export const COUNT_OF = 'count of ';

/** In a light and in a dark theme. */
export type Colour = readonly [light: string, dark: string];

export interface MetricRow {
  name: string;
  title: string;
  /** Of a narrow column. */
  head: string;
  /** Completes "2 s of …". */
  phrase: string;
  /** What is counted, in a few words. */
  meaning: string;
  unit: Unit;
  /** Names of what it is the sum of: its own, where it is recorded; none: it is made of others in another way. */
  parts: readonly string[];
  /** Of what stands beside others in one picture. */
  colour?: Colour;
  /** Of what the recording declares: its number there. */
  declared?: number;
}

/** Time of threads by what they did: metrics by the numbers that the data have for it. */
const ACTIVITY_NAMES = Object.keys(ACTIVITY) as (keyof typeof ACTIVITY)[];
export const ON_CPU: readonly number[] = [ACTIVITY.python, ACTIVITY.native, ACTIVITY.kernel];
export const WAITS: readonly number[] = Object.values(ACTIVITY).filter(isWait);

const COLOURS: Partial<Record<keyof typeof METRIC, Colour>> = {
  python: ['#2f6fde', '#5b8ff0'],
  native: ['#e59b1c', '#e8a83a'],
  kernel: ['#c4442a', '#dc6248'],
  io_wait: ['#58b8d8', '#3f93b3'],
  lock_wait: ['#b765b0', '#b06fac'],
  gil_wait: ['#7a2e4d', '#a8496f'],
  sleep: ['#c9ced6', '#4a505a'],
  child_wait: ['#3c9d77', '#3f9a78'],
  run_queue: ['#e6d45a', '#b9a83c'],
  other_wait: ['#9aa1ab', '#6d747f'],
  gc: ['#b3261e', '#ff8a80'],
  import: ['#1f7a45', '#8bd6a8'],
};

function known(name: keyof typeof METRIC): MetricRow {
  return { name, ...METRIC[name], colour: COLOURS[name] };
}

/** Only the page knows it: it is made of what was allocated and what was freed. */
const TEMPORARY: MetricRow = {
  name: 'temporary', title: 'Temporary', head: 'temporary', phrase: 'temporary memory', meaning: 'allocated and freed again', unit: 'bytes', parts: [],
};

/** What everybody knows, in the order in which it is offered. */
export const ROWS: readonly MetricRow[] = [
  ...(['time', 'wall', 'cpu', 'python', 'native', 'kernel', 'wait'] as const).map(known),
  ...WAITS.map((number) => known(ACTIVITY_NAMES[number])),
  known('await'),
  known('allocated'),
  TEMPORARY,
  // The column has no unit in its head that would say that it is of memory.
  { ...known('live_at_peak'), head: 'at peak' },
  known('live_at_exit'),
  { ...known('copied'), head: 'copied' },
  // Parts of others, which nobody can select.
  ...(['gc', 'import', 'worker'] as const).map(known),
];

/** The names of what a recording declares, so that none is that of anything else here. */
const DECLARED = 'declared:';

function declaredRows(metrics: unknown): MetricRow[] {
  return declaredOf(metrics).map(({ name, title, unit }, declared) => {
    const key = DECLARED + name;
    const meaning = `as the recording declares it, in ${unit}`;
    return { name: key, title, head: title, phrase: title, meaning, unit: unitOf(unit), parts: [key], declared };
  });
}

function unitOf(name: string): Unit {
  return name === 'count' || name === 'nanoseconds' || name === 'bytes' ? name : `${COUNT_OF}${name}`;
}

/** The table of the data that a metric is weighed with. */
export type Source = 'sample' | 'await' | 'change' | 'temporary' | 'peak' | 'left' | 'amount';

export interface Metric extends MetricRow {
  group: 'Time' | 'On a CPU' | 'Waits' | 'Memory' | 'Of this recording';
  source: Source;
  /** Of samples: the activities that count, for all threads and for the main thread of the run. */
  activities: readonly number[];
  mainActivities: readonly number[];
  /** Of memory: who handed it out, by MEMORY_KIND. */
  memoryKinds: readonly number[];
}

const HELD = [MEMORY_KIND.python, MEMORY_KIND.native, MEMORY_KIND.mapped];

const SOURCES: Record<string, { source: Source; memoryKinds: readonly number[] }> = {
  await: { source: 'await', memoryKinds: [] },
  allocated: { source: 'change', memoryKinds: HELD },
  temporary: { source: 'temporary', memoryKinds: HELD },
  live_at_peak: { source: 'peak', memoryKinds: HELD },
  live_at_exit: { source: 'left', memoryKinds: HELD },
  copied: { source: 'change', memoryKinds: [MEMORY_KIND.copied] },
};

/** Those of a table that the page can weigh by themselves. */
export function metricsOf(rows: readonly MetricRow[]): Metric[] {
  return rows.flatMap((of) => {
    const activities = ACTIVITY_NAMES.flatMap((name, number) => (of.parts.includes(name) ? [number] : []));
    const mainActivities = of.parts.includes('main_wait') ? [...activities, ...WAITS] : activities;
    const found = of.declared === undefined ? SOURCES[of.name] : { source: 'amount' as const, memoryKinds: [] };
    if (!found && mainActivities.length === 0) return [];
    const { source, memoryKinds } = found ?? { source: 'sample', memoryKinds: [] };
    return [{ ...of, group: groupOf(of, activities, mainActivities), source, activities, mainActivities, memoryKinds }];
  });
}

function groupOf({ unit, declared }: MetricRow, activities: readonly number[], mainActivities: readonly number[]): Metric['group'] {
  if (declared !== undefined) return 'Of this recording';
  if (unit === 'bytes') return 'Memory';
  if (mainActivities.every(isWait)) return 'Waits';
  return activities.length === mainActivities.length && !activities.some(isWait) ? 'On a CPU' : 'Time';
}

export function isWait(activity: number): boolean {
  return activity > ACTIVITY.kernel;
}

export const METRICS: readonly Metric[] = metricsOf(ROWS);

const ROW_BY_NAME = new Map(ROWS.map((of) => [of.name, of]));
const BY_NAME = new Map(METRICS.map((metric) => [metric.name, metric]));

/** One of those that everybody knows; METRICS[0] for any other name. */
export function metricOf(name: string): Metric {
  return BY_NAME.get(name) ?? METRICS[0];
}

/** "At peak", "Alloc": as a heading. */
export function headOf({ head }: MetricRow): string {
  return head[0].toUpperCase() + head.slice(1);
}

export interface Activity {
  name: string;
  title: string;
  /** For where colour alone would have to tell. */
  letter: string;
  onCpu: boolean;
  colour: Colour;
}

/** By their numbers in the data. */
export const ACTIVITIES: readonly Activity[] = ACTIVITY_NAMES.map((name, number) => {
  const of = ROW_BY_NAME.get(name)!;
  return { name, title: of.title, letter: of.head[0].toUpperCase(), onCpu: !isWait(number), colour: of.colour! };
});

function markOf(name: string): { title: string; colour: Colour } {
  return { title: ROW_BY_NAME.get(name)!.title, colour: ROW_BY_NAME.get(name)!.colour! };
}

/** What a thread did it for, beside what it did. */
export const GC = markOf('gc');
export const IMPORT = markOf('import');

/** Time that a line and a function show taken apart. */
export interface TimePart {
  name: string;
  head: string;
  activities: readonly number[];
  colour: Colour;
}

export const TIME_PARTS: readonly TimePart[] = ['python', 'native', 'kernel', 'wait'].map((name) => {
  const { activities } = metricOf(name);
  return { name, head: headOf(metricOf(name)), activities, colour: ACTIVITIES[activities[0]].colour };
});

/** By activity, its number in TIME_PARTS. */
export const TIME_PART_OF_ACTIVITY = Uint8Array.from(ACTIVITIES, (_, activity) =>
  TIME_PARTS.findIndex(({ activities }) => activities.includes(activity)));

/** Memory by who handed it out, in the order of MEMORY_KIND. */
export const MEMORY_PARTS: readonly { name: string; head: string; meaning: string; colour: Colour }[] = [
  { name: 'python', head: 'Python', meaning: 'the object and memory allocators of the interpreter', colour: ACTIVITIES[ACTIVITY.python].colour },
  { name: 'native', head: 'Native', meaning: 'malloc and the like', colour: ACTIVITIES[ACTIVITY.native].colour },
  { name: 'mapped', head: 'Mapped', meaning: 'anonymous mmap', colour: ACTIVITIES[ACTIVITY.child_wait].colour },
];

/** CPU time of all threads. */
export const CPU = 'cpu';
/** All that threads did. */
export const WALL = 'wall';
const TIME = 'time';

/** Whether waits of all threads count, not only those of the main thread. */
export function countsAllWaits(metric: string): boolean {
  return metricOf(metric).activities.some(isWait);
}

/** All time that goes with a metric: with the waits of all threads, or with those of the main thread. */
export function wholeTime(metric: string): string {
  return countsAllWaits(metric) ? WALL : TIME;
}

/** A column beside the lines of a file; HEAT, the selected metric, comes before them. */
export interface LineColumn {
  name: string;
  head: string;
  meaning: string;
  unit: Unit;
  /** The code needs its room: what is never looked at first is in the table of lines alone. */
  besideCode: boolean;
  isDeclared: boolean;
}

export const HEAT = 'heat';
/** CPU time that others spend for the line: a part of the columns before it. */
export const WORKER = 'worker';

const FIRST_COLUMNS = ['python', 'native', 'kernel', WORKER, 'wait', 'await', 'live_at_peak', 'allocated', 'copied', 'live_at_exit'];
const IN_TABLE_ONLY = ['live_at_exit'];
const MOST_DECLARED_BESIDE_CODE = 3;

/** All that is recorded and can be weighed, well-known ones first. Waits of threads are one column. */
export function lineColumnsOf(rows: readonly MetricRow[]): LineColumn[] {
  const first = FIRST_COLUMNS.flatMap((name) => rows.filter((of) => of.name === name));
  const others = metricsOf(rows).filter(({ name, parts, activities }) =>
    parts.includes(name) && activities.length === 0 && !FIRST_COLUMNS.includes(name));
  return [...first, ...others].map((of) => ({
    name: of.name,
    head: headOf(of),
    meaning: of.name === 'wait' ? 'time without a CPU' : `${of.title}: ${of.meaning}`,
    unit: of.unit,
    besideCode: !IN_TABLE_ONLY.includes(of.name) && (of.declared ?? 0) < MOST_DECLARED_BESIDE_CODE,
    isDeclared: of.declared !== undefined,
  }));
}

/** What a table of time shows of memory, too. */
export const MEMORY_COLUMNS: readonly Metric[] = METRICS.filter(({ name, unit, parts }) => unit === 'bytes' && parts.includes(name));

/** What can be counted in one profile: what everybody knows, and what its recording declares. */
export interface Metrics {
  all: readonly Metric[];
  declared: readonly Metric[];
  lineColumns: readonly LineColumn[];
  /** One of `all`; of what another recording declares: one that nothing here is counted in. */
  of: (name: string) => Metric;
}

/** `metrics`: that of the report. */
export function metricsOfProfile(metrics: unknown): Metrics {
  const declared = declaredRows(metrics);
  const all = [...METRICS, ...metricsOf(declared)];
  const byName = new Map(all.map((metric) => [metric.name, metric]));
  const absent = (name: string): Metric => ({
    ...METRICS[0], name, title: name.slice(DECLARED.length), unit: 'count', source: 'amount', activities: [], mainActivities: [], declared: -1,
  });
  return {
    all,
    declared: all.slice(METRICS.length),
    lineColumns: lineColumnsOf([...ROWS, ...declared]),
    of: (name) => byName.get(name) ?? (name.startsWith(DECLARED) ? absent(name) : METRICS[0]),
  };
}
