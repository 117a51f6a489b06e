// SPDX-License-Identifier: Apache-2.0
import type { Box } from './layers';

const NARROWEST = 132;
const WIDEST = 260;
const PER_CHARACTER = 6.8;
const MARGIN = 22;
/** Room for a name, its place and two lines of figures. */
export const BOX_HEIGHT = 66;

/** About as wide as the name: the worker has no fonts to measure with, and names are cut to fit. */
export function boxFor(name: string): Box {
  return { width: Math.round(Math.min(WIDEST, Math.max(NARROWEST, name.length * PER_CHARACTER + MARGIN))), height: BOX_HEIGHT };
}
