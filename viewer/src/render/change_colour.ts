// SPDX-License-Identifier: Apache-2.0
import { oklch, Theme } from './colour';

/**
 * Red for more, blue for less, the stronger the larger the change is relative to what was there
 * (-1: gone, 1: new); grey for none. Lightness stays the same, so that text can be read on all of them.
 */
export function changeColour(relative: number, theme: Theme): string {
  const strength = Math.sqrt(Math.min(1, Math.abs(relative)));
  const hue = relative > 0 ? 25 : 255;
  return theme.dark ? oklch(0.36 + 0.06 * strength, 0.14 * strength, hue) : oklch(0.9 - 0.1 * strength, 0.13 * strength, hue);
}
