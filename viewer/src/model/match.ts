// SPDX-License-Identifier: Apache-2.0
// Which functions and lines of two profiles are the same, though paths and line numbers may differ.
import type { Profile } from '../data/profile';
import { lineKeys } from './fold';
import type { Selection } from './selection';

/** Keys of both profiles in one numbering: first those of the new one, then what only the base has. */
export interface Matching {
  /** By key of the base. */
  keyOf: Int32Array;
  /** How many keys the new profile has. */
  ownKeys: number;
  /** Keys of the base by number - ownKeys. */
  onlyBase: Int32Array;
}

export function matchKeys(data: Profile, base: Profile, by: Selection['by']): Matching {
  const functions = matchFunctions(data, base);
  return by === 'function'
    ? numbered(functions, data.function.rows)
    : numbered(matchLines(data, base, functions), data.frame.rows);
}

function numbered(matches: Int32Array, ownKeys: number): Matching {
  const keyOf = matches.slice();
  const onlyBase: number[] = [];
  for (let key = 0; key < keyOf.length; ++key) if (keyOf[key] < 0) keyOf[key] = ownKeys + onlyBase.push(key) - 1;
  return { keyOf, ownKeys, onlyBase: Int32Array.from(onlyBase) };
}

// Packages have thousands of functions called "<module>" in files called "__init__.py".
const MOST_PAIRS = 200_000;

/** For each function of the base that of the new profile; -1: none. One to one. */
export function matchFunctions(data: Profile, base: Profile): Int32Array {
  const matches = new Int32Array(base.function.rows).fill(-1);
  const taken = new Uint8Array(data.function.rows);
  const pair = (ofBase: number, ofData: number) => {
    matches[ofBase] = ofData;
    taken[ofData] = 1;
  };
  // The same name in the same file: of several, such as lambdas, in order of their lines.
  const exactly = grouped(data, (path, name) => `${name}\n${path}`);
  for (const [key, ofBase] of grouped(base, (path, name) => `${name}\n${path}`)) {
    const ofData = exactly.get(key) ?? [];
    for (let i = 0; i < Math.min(ofBase.length, ofData.length); ++i) pair(ofBase[i], ofData[i]);
  }
  // Then the same name in a file of the same name: the more of the path agrees, the better.
  const byFileName = grouped(data, (path, name) => `${name}\n${fileName(path)}`);
  for (const [key, allOfBase] of grouped(base, (path, name) => `${name}\n${fileName(path)}`)) {
    const ofBase = allOfBase.filter((i) => matches[i] < 0);
    const ofData = (byFileName.get(key) ?? []).filter((i) => taken[i] === 0);
    if (ofBase.length * ofData.length > MOST_PAIRS) continue;
    const pairs = ofBase.flatMap((one) => ofData.map((other) => ({
      one, other,
      agreement: commonEnd(pathOf(base, one), pathOf(data, other)),
      distance: Math.abs(base.function.line[one] - data.function.line[other]),
    })));
    pairs.sort((a, b) => b.agreement - a.agreement || a.distance - b.distance || a.one - b.one || a.other - b.other);
    for (const { one, other } of pairs) if (matches[one] < 0 && taken[other] === 0) pair(one, other);
  }
  return matches;
}

function pathOf({ function: functions, file, string }: Profile, index: number): string {
  return string.get(file.path[functions.file[index]]);
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Functions by a text made of path and name, each list in order of lines. */
function grouped(profile: Profile, keyOf: (path: string, name: string) => string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (let i = 0; i < profile.function.rows; ++i) {
    const key = keyOf(pathOf(profile, i), profile.string.get(profile.function.name[i]));
    const list = found.get(key);
    if (list) list.push(i);
    else found.set(key, [i]);
  }
  for (const list of found.values()) list.sort((a, b) => profile.function.line[a] - profile.function.line[b] || a - b);
  return found;
}

/** How many parts of two paths agree, from the end. */
function commonEnd(one: string, other: string): number {
  const [left, right] = [one.split('/').reverse(), other.split('/').reverse()];
  let same = 0;
  while (same < left.length && same < right.length && left[same] === right[same]) ++same;
  return same;
}

// Lines of one function that moved further than this from each other are not taken for the same.
const FARTHEST = 400;

/**
 * For each line of the base (by its first frame, see lineKeys) that of the new profile; -1: none.
 * Where both have the source, text decides: the line with the same text that is nearest to where
 * it would be if only the function had moved. Else the number of the line inside its function.
 */
function matchLines(data: Profile, base: Profile, functions: Int32Array): Int32Array {
  const dataKeys = lineKeys(data);
  const frameAt = new Map<string, number>();
  for (let i = 0; i < data.frame.rows; ++i) {
    if (dataKeys[i] === i) frameAt.set(`${data.frame.function[i]}:${data.frame.line[i]}`, i);
  }
  const sources = new Sources(data);
  const baseSources = new Sources(base);
  const matches = new Int32Array(base.frame.rows).fill(-1);
  for (let i = 0; i < base.frame.rows; ++i) {
    const owner = functions[base.frame.function[i]];
    if (owner < 0) continue;
    const line = base.frame.line[i];
    const first = base.function.line[base.frame.function[i]];
    const expected = line === 0 ? 0 : line - first + data.function.line[owner];
    const now = sources.of(data.function.file[owner]);
    const then = baseSources.of(base.function.file[base.frame.function[i]]);
    const text = then?.lines[line - 1];
    const found = now && text !== undefined && line > 0
      ? now.nearest(text, expected, data.function.line[owner])
      : expected;
    matches[i] = frameAt.get(`${owner}:${found}`) ?? -1;
  }
  return matches;
}

/** The lines of a file, without their indentation, and where each text stands. */
class SourceLines {
  readonly lines: string[];
  private readonly places = new Map<string, number[]>();

  constructor(text: string) {
    this.lines = text.split('\n').map((line) => line.trim());
    this.lines.forEach((line, i) => {
      const known = this.places.get(line);
      if (known) known.push(i + 1);
      else this.places.set(line, [i + 1]);
    });
  }

  /** Number of the line with this text that is nearest to `expected`, from line `first` on; -1: none. */
  nearest(text: string, expected: number, first: number): number {
    let best = -1;
    for (const line of this.places.get(text) ?? []) {
      const distance = Math.abs(line - expected);
      if (line < first || distance > FARTHEST) continue;
      if (best < 0 || distance < Math.abs(best - expected)) best = line;
    }
    return best;
  }
}

class Sources {
  private readonly known = new Map<number, SourceLines | null>();

  constructor(private readonly profile: Profile) {}

  of(file: number): SourceLines | null {
    let lines = this.known.get(file);
    if (lines === undefined) {
      const source = this.profile.file.source[file];
      lines = source > 0 ? new SourceLines(this.profile.string.get(source)) : null;
      this.known.set(file, lines);
    }
    return lines;
  }
}
