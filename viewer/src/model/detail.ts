// SPDX-License-Identifier: Apache-2.0
// How many boxes a picture needs. Of a million boxes most are far thinner than a pixel until somebody zooms in.

// A quarter of a pixel on a screen of 5,000: enough for a fourfold zoom.
const FINEST = 1 / 20_000;
const STEP = 16;
const ALL = 4;

/** Grows with the zoom, in large steps, so that it seldom changes. */
export function detailOf(whole: number, shown: number): number {
  return Math.min(ALL, Math.max(0, Math.ceil(Math.log(whole / shown / 4) / Math.log(STEP) - 1e-9)));
}

/** Boxes below this are not needed at a detail; from some detail on all of them are. */
export function leastOf(whole: number, detail: number | undefined): number {
  return detail === undefined || detail >= ALL ? 0 : (whole * FINEST) / STEP ** detail;
}
