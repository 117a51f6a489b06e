// SPDX-License-Identifier: Apache-2.0
// From a row or box of any view to where its code is.
import { batch } from '@preact/signals';
import { placeOf } from '../model/catalog';
import { isPython } from '../model/places';
import type { Selection } from '../model/selection';
import { catalog, chosen, setOption, view } from './app';
import { setSourcePlace } from './source_place';

/** Shows callers and callees of the chosen function as boxes. */
export function openSandwich(): void {
  batch(() => {
    setOption('flame.mode', 'sandwich', 'left');
    view.value = 'flame';
  });
}

/** Goes to a line in the source view; `owner` is the function it is in, -1 if not known. Native functions are shown with their callers. */
export function showSource(file: number, line: number, owner = -1): void {
  batch(() => {
    chosen.value = owner;
    if (!isPython(catalog().files.kind[file])) return openSandwich();
    setSourcePlace({ file, line });
    view.value = 'source';
  });
}

/** The same for a function or a line. */
export function openKey(by: Selection['by'], key: number): void {
  const place = placeOf(catalog(), by, key);
  showSource(catalog().functions.file[place.function], place.line, place.function);
}
