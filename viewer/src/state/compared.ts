// SPDX-License-Identifier: Apache-2.0
// Names of what two profiles have, in the numbering of a Matching.
import { placeOf } from '../model/catalog';
import { patternOf } from '../model/search';
import type { Selection } from '../model/selection';
import { catalog, opened } from './app';
import { labelOf, whereOf } from './names';

export interface Compared {
  labelOf: (key: number) => string;
  whereOf: (key: number) => string;
  isOnlyBase: (key: number) => boolean;
  /** Function of the new profile; -1: it has none. */
  functionOf: (key: number) => number;
  /** null: nothing is searched for. */
  isMatch: ((key: number) => boolean) | null;
}

export function comparedNames(by: Selection['by'], ownKeys: number, onlyBase: Int32Array, search: string): Compared {
  const fresh = catalog();
  const base = opened.value!.base!;
  const choose = <T>(key: number, own: (key: number) => T, old: (key: number) => T): T =>
    key < ownKeys ? own(key) : old(onlyBase[key - ownKeys]);
  const label = (key: number) => choose(key, (own) => labelOf(fresh, by, own), (old) => labelOf(base, by, old));
  const where = (key: number) => choose(key, (own) => whereOf(fresh, by, own), (old) => whereOf(base, by, old));
  const pattern = search ? patternOf(search) : null;
  const found = new Map<number, boolean>();
  return {
    labelOf: label,
    whereOf: where,
    isOnlyBase: (key) => key >= ownKeys,
    functionOf: (key) => (key >= 0 && key < ownKeys ? placeOf(fresh, by, key).function : -1),
    isMatch: pattern && ((key) => {
      let matches = found.get(key);
      if (matches === undefined) found.set(key, (matches = pattern.test(`${label(key)} ${pathOf(key)}`)));
      return matches;
    }),
  };

  function pathOf(key: number): string {
    const path = (of: typeof fresh) => (own: number) => of.files.path[of.functions.file[placeOf(of, by, own).function]];
    return key < 0 ? '' : choose(key, path(fresh), path(base));
  }
}
