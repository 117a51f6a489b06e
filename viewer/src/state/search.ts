// SPDX-License-Identifier: Apache-2.0
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { matchedFunctions } from '../model/matched_places';
import type { Questions } from '../worker/protocol';
import { opened, selection } from './app';
import { useQuery } from './query';

export type Found = Questions['search']['out'];

/** What the search of the page has found; null: nothing is searched for. All views read it. */
export const found = signal<Found | null>(null);

/** Keeps `found` up to date; used once, by the search box. */
export function useSearch(): Found | null {
  const of = selection.value;
  const { output } = useQuery('search', of.search ? { selection: of, recursion: false } : null);
  useEffect(() => {
    found.value = of.search ? output : null;
  }, [output, of.search === '']);
  return output;
}

/** 1 for each function that is found; null: nothing is searched for. */
export const foundFunctions = computed<Uint8Array | null>(() => {
  const of = opened.value?.catalog;
  return found.value && of ? matchedFunctions(of, found.value.by, found.value.matches.key) : null;
});

/** For keys of the granularity of the selection; null: nothing is searched for. */
export function matcher(): ((key: number) => boolean) | null {
  const matches = found.value?.matches.key;
  return matches ? (key) => matches[key] === 1 : null;
}
