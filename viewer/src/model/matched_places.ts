// SPDX-License-Identifier: Apache-2.0
// What a search has found, as places of the source.
import { Catalog } from './catalog';
import { isPython } from './places';
import type { Selection } from './selection';

export interface MatchedPlace {
  file: number;
  /** First line of the function. */
  line: number;
}

/** 1 for each function of which the search has found anything; `keys` are those of the granularity. */
export function matchedFunctions(catalog: Catalog, by: Selection['by'], keys: Uint8Array): Uint8Array {
  if (by === 'function') return keys;
  const matched = new Uint8Array(catalog.functions.name.length);
  keys.forEach((found, frame) => {
    if (found !== 0) matched[catalog.frames.function[frame]] = 1;
  });
  return matched;
}

/** Functions of Python files, in the given order of files, then by line. */
export function matchedPlaces(catalog: Catalog, matched: Uint8Array, files: readonly number[]): MatchedPlace[] {
  const { functions, files: { kind } } = catalog;
  const order = new Map(files.map((file, at) => [file, at]));
  const places: MatchedPlace[] = [];
  matched.forEach((found, number) => {
    const file = functions.file[number];
    if (found !== 0 && order.has(file) && isPython(kind[file])) places.push({ file, line: functions.line[number] });
  });
  return places.sort((a, b) => order.get(a.file)! - order.get(b.file)! || a.line - b.line);
}

/**
 * Lines of a file that belong to functions which were found: where they begin, and where they were seen. Where all of
 * its functions were found, the search is for the file, and no line stands out.
 */
export function matchedLines(catalog: Catalog, matched: Uint8Array, file: number): Set<number> {
  const { functions, frames } = catalog;
  const lines = new Set<number>();
  let others = 0;
  functions.file.forEach((owner, number) => {
    if (owner !== file) return;
    if (matched[number] !== 0) lines.add(functions.line[number]);
    else ++others;
  });
  if (others === 0) return new Set();
  frames.function.forEach((owner, frame) => {
    if (functions.file[owner] === file && matched[owner] !== 0) lines.add(frames.line[frame]);
  });
  lines.delete(0);
  return lines;
}

/** The place after (or before) a line of a file, around the end; null: there is none. */
export function nextPlace(places: readonly MatchedPlace[], files: readonly number[], from: MatchedPlace, step: 1 | -1): MatchedPlace | null {
  if (places.length === 0) return null;
  const order = new Map(files.map((file, at) => [file, at]));
  const isBehind = ({ file, line }: MatchedPlace) => {
    const files = (order.get(file) ?? -1) - (order.get(from.file) ?? -1);
    return files !== 0 ? files * step > 0 : (line - from.line) * step > 0;
  };
  const inOrder = step === 1 ? places : [...places].reverse();
  return inOrder.find(isBehind) ?? inOrder[0];
}
