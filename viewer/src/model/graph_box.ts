// SPDX-License-Identifier: Apache-2.0
import type { Box } from './layers';

const NARROWEST = 156;
const WIDEST = 270;
const PER_CHARACTER = 7.4;
const MARGIN = 22;
/** Room for a name, its line and two lines of figures. */
export const BOX_HEIGHT = 66;

/** About as wide as the name: the worker has no fonts to measure with, and names are cut to fit. */
export function boxFor(name: string): Box {
  return { width: Math.round(Math.min(WIDEST, Math.max(NARROWEST, name.length * PER_CHARACTER + MARGIN))), height: BOX_HEIGHT };
}

// On each side, because boxes stand in the middle of their room.
const LOOP_ROOM = 52;

/** The room that a box needs: a call of itself and its label stand beside it. */
export function roomFor(box: Box, callsItself: boolean): Box {
  return callsItself ? { ...box, width: box.width + 2 * LOOP_ROOM } : box;
}
