// SPDX-License-Identifier: Apache-2.0
import { Colour, MEMORY_PARTS, TIME_PARTS } from '../model/metrics';
import { colourIn, Theme } from './colour';

const COLOURS = new Map<string, Colour>([...MEMORY_PARTS, ...TIME_PARTS].map(({ name, colour }) => [name, colour]));

/** Parts of a metric look like the activities that they are made of. */
export function partColour(name: string, theme: Theme): string {
  return colourIn(theme, COLOURS.get(name)) ?? theme.faint;
}
