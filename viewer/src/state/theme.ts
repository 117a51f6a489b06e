// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';
import { DARK, LIGHT, Theme } from '../render/colour';

/** Dark or light as the system says; the style sheet asks for itself. */
export const theme = signal<Theme>(LIGHT);

export function followSystemTheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const update = () => {
    theme.value = dark.matches ? DARK : LIGHT;
  };
  dark.addEventListener('change', update);
  update();
}
