// SPDX-License-Identifier: Apache-2.0
// A base as it is written beside the data that are compared with it, for tests. Which code is the same is decided by
// src/analyze/diff; here the names of functions and files, and the numbers of lines, are enough.
import { readProfile } from '../src/data/profile';
import { containerOf, numbersSection, Source } from './encoder';

export function matchedBase(base: Source, now: Source): Source {
  const keysOf = ({ strings, tables }: Source) => {
    const { function: functions, file, frame } = tables;
    const names = (functions?.name ?? []).map((name, i) => `${strings[file.path[functions.file[i]]].split('/').at(-1)} ${strings[name]}`);
    const nativeOf = (column: string, i: number) => frame[column]?.[i] ?? 0;
    const lines = (frame?.function ?? []).map((owner, i) =>
      `${names[owner]} ${frame.line[i]} ${strings[nativeOf('native_file', i)]} ${nativeOf('native_line', i)}`);
    return { names, lines };
  };
  const [was, is] = [keysOf(base), keysOf(now)];
  const { function: functions = {}, frame = {}, ...others } = base.tables;
  return {
    ...base,
    tables: {
      ...others,
      function: { ...functions, match: was.names.map((name) => is.names.indexOf(name) + 1) },
      frame: { ...frame, match: was.lines.map((line) => is.lines.indexOf(line) + 1) },
    },
  };
}

/** The data of a profile as a base of itself. */
export function besideItself(data: Uint8Array): Uint8Array {
  const { function: functions, frame } = readProfile(data);
  const numbers = (rows: number) => Array.from({ length: rows }, (_, i) => i + 1);
  const more = containerOf([numbersSection('function.match', numbers(functions.rows)), numbersSection('frame.match', numbers(frame.rows))]);
  // Behind the signature and the version stands the number of sections.
  const head = 16;
  const whole = new Uint8Array(data.length + more.length - head);
  whole.set(data);
  whole.set(more.subarray(head), data.length);
  const count = new DataView(whole.buffer);
  count.setUint32(head - 4, count.getUint32(head - 4, true) + 2, true);
  return whole;
}
