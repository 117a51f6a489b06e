// SPDX-License-Identifier: Apache-2.0
// The tables of docs/format/page-data.md and what each column may hold.

export type ColumnKind = 'index' | 'optional' | 'byte' | 'whole' | 'number';

export interface Column<Kind extends ColumnKind = ColumnKind> {
  kind: Kind;
  /** Name of the table that an index points into; "string" is one. */
  into: string;
  /** Largest value of a byte. */
  most: number;
}

const index = (into: string): Column<'index'> => ({ kind: 'index', into, most: 0 });
/** An index+1; 0 is none. */
const optional = (into: string): Column<'optional'> => ({ kind: 'optional', into, most: 0 });
const byte = (most: number): Column<'byte'> => ({ kind: 'byte', into: '', most });
const whole: Column<'whole'> = { kind: 'whole', into: '', most: 0 };
const number: Column<'number'> = { kind: 'number', into: '', most: 0 };

export const FILE_KIND = { own: 0, library: 1, native: 2, special: 3 } as const;
export const STACK_FLAG = { gc: 1, import: 2, worker: 4 } as const;
export const CHANGE_KIND = { python: 0, native: 1, mapped: 2, copied: 3 } as const;

export const SCHEMA = {
  file: { path: index('string'), kind: byte(3), source: index('string') },
  function: { file: index('file'), name: index('string'), line: whole },
  frame: { function: index('function'), line: whole, native_file: index('string'), native_line: whole },
  stack: { parent: index('stack'), frame: whole, flags: byte(255) },
  process: {
    pid: number, parent: optional('process'), start: number, end: number, name: index('string'), rank: whole,
  },
  thread: {
    process: index('process'), tid: number, name: index('string'), start: number, end: number, main: byte(1),
  },
  task: {
    process: index('process'), name: index('string'), function: index('function'), origin: index('stack'), start: number,
    end: number,
  },
  sample: {
    time: number, thread: index('thread'), stack: index('stack'), activity: byte(9), weight: number, count: whole,
    task: optional('task'),
  },
  /** The samples, added up, where they come later (`meta.page.rest`). */
  sum: { thread: index('thread'), stack: index('stack'), activity: byte(9), weight: number, count: whole },
  await: {
    time: number, task: index('task'), stack: index('stack'), ready: byte(1), weight: number, count: whole,
  },
  change: {
    time: number, thread: index('thread'), stack: index('stack'), kind: byte(3), bytes: number, blocks: number,
    samples: number, freed: number,
  },
  peak: {
    thread: index('thread'), stack: index('stack'), kind: byte(3), bytes: number, blocks: number, samples: number,
  },
  left: {
    thread: index('thread'), stack: index('stack'), kind: byte(3), bytes: number, blocks: number, samples: number,
    type: index('string'),
  },
  level: {
    process: index('process'), time: number, rss: number, pss: number, python: number, native: number, mapped: number,
  },
  region: { thread: index('thread'), name: index('string'), begin: number, length: number, cpu: number },
  block: { thread: index('thread'), stack: index('stack'), begin: number, length: number },
} as const;

type ArrayOf<C> = C extends Column<'number'> ? Float64Array : C extends Column<'byte'> ? Uint8Array : Uint32Array;

/** The columns of a table, and how many rows they have. */
export type Table<T extends keyof typeof SCHEMA> = { rows: number; columns: {
  [Name in keyof (typeof SCHEMA)[T]]: ArrayOf<(typeof SCHEMA)[T][Name]>;
} };

export type Tables = { [T in keyof typeof SCHEMA]: Table<T> };
