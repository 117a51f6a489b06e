// SPDX-License-Identifier: Apache-2.0
// Profiles for tests: small ones written by hand, and large ones with a fixed seed.
import type { Rows, Source } from './encoder';

/** Names of frames are "file:function:line"; the file's kind comes from its ending. */
export interface SampleText {
  stack: string;
  activity?: number;
  weight?: number;
  thread?: number;
  time?: number;
  task?: number;
  count?: number;
}

/** Builds the tables of a profile piece by piece. */
export class ProfileBuilder {
  readonly strings = [''];
  readonly tables: Record<string, Rows> = {};
  meta: Record<string, unknown> = {
    page: { title: 'python app.py', end_ns: 0, main_thread: 0, memory: false },
  };
  private readonly known = new Map<string, number>();

  constructor() {
    this.add('stack', { parent: 0, frame: 0, flags: 0 });
  }

  get page(): { title: string; end_ns: number; main_thread: number | null; memory: boolean; pieces?: boolean } {
    return this.meta.page as never;
  }

  add(table: string, row: Record<string, number>): number {
    const columns = (this.tables[table] ??= Object.fromEntries(Object.keys(row).map((name) => [name, []])));
    for (const [name, value] of Object.entries(row)) columns[name].push(value);
    return Object.values(columns)[0].length - 1;
  }

  once(key: string, make: () => number): number {
    let index = this.known.get(key);
    if (index === undefined) this.known.set(key, (index = make()));
    return index;
  }

  string(text: string): number {
    if (text === '') return 0;
    return this.once(`string\n${text}`, () => this.strings.push(text) - 1);
  }

  file(path: string, source = ''): number {
    const kind = path.endsWith('.so') ? 2 : path.includes('site-packages') ? 1 : path.startsWith('<') ? 3 : 0;
    return this.once(`file\n${path}`, () =>
      this.add('file', { path: this.string(path), kind, source: this.string(source) }));
  }

  function(path: string, name: string, line = 1): number {
    return this.once(`function\n${path}\n${name}`, () =>
      this.add('function', { file: this.file(path), name: this.string(name), line }));
  }

  /** "app.py:main:3;app.py:work:7": outermost first. */
  stack(text: string, flags = 0): number {
    let parent = 0;
    for (const part of text === '' ? [] : text.split(';')) {
      const [path, name, line = '0'] = part.split(':');
      const owner = this.function(path, name);
      const frame = this.once(`frame\n${owner}\n${line}`, () => this.frame(owner, Number(line), path));
      const above = parent;
      parent = this.once(`stack\n${above}\n${frame}\n${flags}`, () => this.add('stack', { parent: above, frame, flags }));
    }
    return parent;
  }

  /** "lib.so" is compiled from "lib.c": lines of native frames are lines there. */
  private frame(owner: number, line: number, path: string): number {
    const isNative = path.endsWith('.so') && line > 0;
    return this.add('frame', {
      function: owner,
      line: isNative ? 0 : line,
      native_file: isNative ? this.string(path.replace(/so$/, 'c')) : 0,
      native_line: isNative ? line : 0,
    });
  }

  process(pid: number, name = 'python app.py', parent = 0): number {
    return this.add('process', { pid, parent, start: 0, end: 0, name: this.string(name), rank: 0 });
  }

  thread(process: number, name: string, main = false): number {
    return this.add('thread', {
      process, tid: 1000 + (this.tables.thread?.tid.length ?? 0), name: this.string(name), start: 0, end: 0, main: main ? 1 : 0,
    });
  }

  task(process: number, name: string, owner: number, origin = 0): number {
    return this.add('task', { process, name: this.string(name), function: owner, origin, start: 0, end: 0 });
  }

  private readonly clocks = new Map<number, number>();

  /** Samples of one thread follow each other without a gap unless a time is given. */
  sample({ stack, activity = 0, weight = 10, thread = 0, time, task = 0, count = 1 }: SampleText): this {
    const end = time ?? (this.clocks.get(thread) ?? 0) + weight;
    this.clocks.set(thread, end);
    this.page.end_ns = Math.max(this.page.end_ns, end);
    this.add('sample', { time: end, thread, stack: this.stack(stack), activity, weight, count, task });
    const ends = this.tables.thread?.end;
    if (ends) ends[thread] = Math.max(ends[thread], end);
    const process = this.tables.thread?.process[thread];
    if (process !== undefined) this.tables.process.end[process] = Math.max(this.tables.process.end[process], end);
    return this;
  }

  finish(): Source {
    return { meta: this.meta, strings: this.strings, tables: this.tables };
  }
}

/** One process with one main thread. */
export function oneThread(): ProfileBuilder {
  const builder = new ProfileBuilder();
  builder.thread(builder.process(100), 'MainThread', true);
  return builder;
}

/** Numbers that look random and are the same each time (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
