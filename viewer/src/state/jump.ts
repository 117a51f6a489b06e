// SPDX-License-Identifier: Apache-2.0
// From a row or box of any view to where its code is.
import { batch } from '@preact/signals';
import { placeOf } from '../model/catalog';
import type { Selection } from '../model/selection';
import { catalog, chosen, setOption, view, viewIds } from './app';

/** Shows the source of a key; where there is none to show, its callers and callees. */
export function openKey(by: Selection['by'], key: number): void {
  const names = catalog();
  const place = placeOf(names, by, key);
  const file = names.functions.file[place.function];
  batch(() => {
    chosen.value = place.function;
    if (viewIds.peek().includes('source') && names.files.hasSource[file] === 1) {
      setOption('source.at', `${file}_${place.line}_${place.function}`, '');
      view.value = 'source';
    } else {
      openSandwich();
    }
  });
}

/** Shows callers and callees of the chosen function as boxes. */
export function openSandwich(): void {
  batch(() => {
    setOption('flame.mode', 'sandwich', 'left');
    view.value = 'flame';
  });
}
