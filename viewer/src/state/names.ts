// SPDX-License-Identifier: Apache-2.0
// Names and colours of functions and lines, as all views show them.
import { computed } from '@preact/signals';
import { Catalog, placeOf } from '../model/catalog';
import type { Selection } from '../model/selection';
import { packageColour, packageOf } from '../render/colour';
import { opened } from './app';
import { theme } from './theme';

/** "name", or "name:12" by line; the root is "all". */
export function labelOf(catalog: Catalog, by: Selection['by'], key: number): string {
  if (key < 0) return 'all';
  const place = placeOf(catalog, by, key);
  const name = catalog.functions.name[place.function];
  const line = place.line || catalog.frames.nativeLine[key];
  return by === 'line' && line > 0 ? `${name}:${line}` : name;
}

/** "folder/file.py:12": enough of the path to know it. Of a native frame, its source where that is known. */
export function whereOf(catalog: Catalog, by: Selection['by'], key: number): string {
  if (key < 0) return '';
  const { nativeFile, nativeLine } = catalog.frames;
  if (by === 'line' && nativeLine[key] > 0) return `${shortPath(catalog.nativeFiles[nativeFile[key]])}:${nativeLine[key]}`;
  const place = placeOf(catalog, by, key);
  const path = shortPath(catalog.files.path[catalog.functions.file[place.function]]);
  return place.line > 0 ? `${path}:${place.line}` : path;
}

/** The last three parts of a path. */
export function shortPath(path: string): string {
  const parts = path.split('/');
  return parts.length <= 4 ? path : `…/${parts.slice(-3).join('/')}`;
}

/** By function. */
export const functionColours = computed<string[]>(() => {
  const catalog = opened.value?.catalog;
  if (!catalog) return [];
  const { path, kind } = catalog.files;
  const byFile = path.map((text, i) => packageColour(kind[i], packageOf(text, kind[i]), theme.value));
  return Array.from(catalog.functions.file, (file) => byFile[file]);
});

export function colourOfKey(catalog: Catalog, by: Selection['by'], key: number): string {
  return functionColours.value[by === 'line' ? catalog.frames.function[key] : key];
}

export function threadTitle({ threads, processes }: Catalog, thread: number): string {
  const { name, tid, main, process } = threads[thread];
  const own = name || (main ? 'main' : `thread ${tid}`);
  return processes.length > 1 ? `${own} (${processes[process].pid})` : own;
}
