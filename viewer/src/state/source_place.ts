// SPDX-License-Identifier: Apache-2.0
// Which line the source view shows. Other views send the user there.
import type { Catalog } from '../model/catalog';
import { isPython } from '../model/places';
import { catalog, chosen, option, setOption } from './app';

export interface SourcePlace {
  file: number;
  /** 0: none. */
  line: number;
}

/** The option holds the function that was chosen at that time as well: a later choice in another view counts more. */
export function sourcePlace(): SourcePlace | null {
  const found = /^(\d{1,9})_(\d{1,9})_(-?\d{1,9})$/.exec(option('source.at', ''));
  const { files, functions } = catalog();
  const owner = chosen.value;
  const isNews = owner >= 0 && (!found || Number(found[3]) !== owner);
  if (isNews && isPython(files.kind[functions.file[owner]])) return { file: functions.file[owner], line: functions.line[owner] };
  if (!found || Number(found[1]) >= files.path.length) return null;
  return { file: Number(found[1]), line: Number(found[2]) };
}

export function setSourcePlace({ file, line }: SourcePlace): void {
  setOption('source.at', `${file}_${line}_${chosen.peek()}`, '');
}

const filesByPath = new WeakMap<Catalog, Map<string, number>>();

/** The number of a file; -1: none. Both paths are as they are shown. */
export function fileOfPath(of: Catalog, path: string): number {
  let known = filesByPath.get(of);
  if (!known) filesByPath.set(of, (known = new Map(of.files.path.map((text, i) => [text, i]))));
  return known.get(path) ?? -1;
}
