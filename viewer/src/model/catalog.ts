// SPDX-License-Identifier: Apache-2.0
import type { Meta } from '../data/meta';
import type { Profile } from '../data/profile';
import { shownName } from '../data/shown';
import { summed } from './summed';

/**
 * The names of a profile, ready to be shown, and its small tables: what the page itself keeps. All
 * texts are harmless to show (see data/shown.ts).
 */
export interface Catalog {
  meta: Meta;
  title: string;
  end: number;
  mainThread: number;
  hasTime: boolean;
  hasMemory: boolean;
  hasAwaits: boolean;
  samples: number;
  stacks: number;
  files: { path: string[]; kind: Uint8Array; hasSource: Uint8Array };
  functions: { name: string[]; file: Uint32Array; line: Uint32Array };
  /** `native`: where a native frame's code comes from, into `nativeFiles`, and the line; both 0 if not known. */
  frames: { function: Uint32Array; line: Uint32Array; nativeFile: Uint32Array; nativeLine: Uint32Array };
  nativeFiles: string[];
  processes: { pid: number; name: string; parent: number; start: number; end: number; rank: number }[];
  threads: { name: string; tid: number; process: number; start: number; end: number; main: boolean }[];
  /** `origin`: the frame that has made it; -1: not known. */
  tasks: { name: string; process: number; function: number; origin: number; start: number; end: number }[];
}

export function catalogOf(profile: Profile): Catalog {
  const { string, file, function: functions, frame, stack, process, thread, task, meta } = profile;
  const text = (index: number) => shownName(string.get(index));
  const native = nativeFilesOf(profile);
  const range = (count: number) => Array.from({ length: count }, (_, i) => i);
  return {
    meta,
    title: shownName(String(meta.page.title ?? '')),
    end: Math.max(1, Number(meta.page.end_ns) || 1),
    mainThread: typeof meta.page.main_thread === 'number' ? meta.page.main_thread : -1,
    hasTime: summed(profile, null, null).rows > 0,
    hasMemory: meta.page.memory === true,
    hasAwaits: profile.await.rows > 0,
    samples: sumOf(summed(profile, null, null).count),
    stacks: profile.stack.rows,
    files: {
      path: range(file.rows).map((i) => text(file.path[i])),
      kind: file.kind.slice(),
      hasSource: Uint8Array.from(file.source, (source) => (source > 0 ? 1 : 0)),
    },
    functions: {
      name: range(functions.rows).map((i) => text(functions.name[i]) || `[${fileName(text(file.path[functions.file[i]]))}]`),
      file: functions.file.slice(),
      line: functions.line.slice(),
    },
    frames: { function: frame.function.slice(), line: frame.line.slice(), nativeFile: native.ofFrames, nativeLine: frame.native_line.slice() },
    nativeFiles: native.files,
    processes: range(process.rows).map((i) => ({
      pid: process.pid[i],
      name: text(process.name[i]),
      parent: process.parent[i] - 1,
      start: process.start[i],
      end: process.end[i],
      rank: process.rank[i] - 1,
    })),
    threads: range(thread.rows).map((i) => ({
      name: text(thread.name[i]),
      tid: thread.tid[i],
      process: thread.process[i],
      start: thread.start[i],
      end: thread.end[i],
      main: thread.main[i] === 1,
    })),
    tasks: range(task.rows).map((i) => ({
      name: text(task.name[i]),
      process: task.process[i],
      function: task.function[i],
      origin: task.origin[i] > 0 ? stack.frame[task.origin[i]] : -1,
      start: task.start[i],
      end: task.end[i],
    })),
  };
}

/** Source files of native frames, each text once; number 0 is "". */
function nativeFilesOf({ frame, string }: Profile): { files: string[]; ofFrames: Uint32Array } {
  const files = [''];
  const known = new Map<number, number>([[0, 0]]);
  const ofFrames = Uint32Array.from(frame.native_file, (text) => {
    let index = known.get(text);
    if (index === undefined) known.set(text, (index = files.push(shownName(string.get(text))) - 1));
    return index;
  });
  return { files, ofFrames };
}

/** A plain loop: a function for each of ten million values takes ten times as long. */
function sumOf(values: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; ++i) sum += values[i];
  return sum;
}

/** Of a native function without a symbol no more is known than where it is. */
function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || 'no name';
}

/** What a key of a tree stands for. */
export function placeOf(catalog: Catalog, by: 'function' | 'line', key: number): { function: number; line: number } {
  if (by === 'line') return { function: catalog.frames.function[key], line: catalog.frames.line[key] };
  return { function: key, line: catalog.functions.line[key] };
}
