// SPDX-License-Identifier: Apache-2.0
// What is inside of calls that are closed, and behind those of libraries that are hidden.
import type { CallRows } from './call_rows';
import type { LibraryRuns } from './visible_calls';

type IsMatch = (key: number) => boolean;

/** Tells for each row whether a call inside matches: matches are counted once, and grow within such a row. */
export function matchesInside({ count, key, end }: CallRows, isMatch: IsMatch): (row: number) => boolean {
  const before = new Uint32Array(count + 1);
  for (let row = 0; row < count; ++row) before[row + 1] = before[row] + (isMatch(key[row]) ? 1 : 0);
  return (row) => before[end[row]] > before[row + 1];
}

/** Rows behind which a match is hidden. */
export function runsWithMatch({ count, key }: CallRows, { hiddenBy }: LibraryRuns, isMatch: IsMatch): Set<number> {
  const found = new Set<number>();
  for (let row = 0; row < count; ++row) if (hiddenBy[row] >= 0 && isMatch(key[row])) found.add(hiddenBy[row]);
  return found;
}

/** Where the calls that are hidden behind a row belong, those with most by themselves first. */
export function ownersBehind(rows: CallRows, { hiddenBy }: LibraryRuns, entry: number, ownerOf: (key: number) => string): string[] {
  const weights = new Map<string, number>();
  for (let row = entry + 1; row < rows.end[entry]; ++row) {
    if (hiddenBy[row] !== entry) continue;
    const owner = ownerOf(rows.key[row]);
    weights.set(owner, (weights.get(owner) ?? 0) + rows.self[row]);
  }
  return [...weights].sort((a, b) => b[1] - a[1]).map(([owner]) => owner);
}
