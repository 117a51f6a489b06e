// SPDX-License-Identifier: Apache-2.0
// Which functions and lines of two profiles are the same. The base says it: whoever wrote both has found out.
import { DataError, NumberArray } from '../data/container';
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
  if (by === 'function') return numbered(base.function.match, data.function.rows, (key) => key);
  const keys = lineKeys(data);
  return numbered(base.frame.match, data.frame.rows, (frame) => keys[frame]);
}

/** `matches` are numbers of the new profile, plus 1. */
function numbered(matches: NumberArray, ownKeys: number, toKey: (own: number) => number): Matching {
  const keyOf = new Int32Array(matches.length);
  const onlyBase: number[] = [];
  matches.forEach((match, key) => {
    if (match > ownKeys) throw new DataError('the profile to compare with was written for another one');
    keyOf[key] = match > 0 ? toKey(match - 1) : ownKeys + onlyBase.push(key) - 1;
  });
  return { keyOf, ownKeys, onlyBase: Int32Array.from(onlyBase) };
}
