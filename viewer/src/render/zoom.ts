// SPDX-License-Identifier: Apache-2.0
// How a stretch of a longer whole is moved and zoomed; the same for boxes and times.
import type { Range } from '../model/selection';

/** Zooms by `factor` (below 1: closer) so that what is at `anchor` (0..1 of the width) stays there. */
export function zoomed(shown: Range, whole: Range, factor: number, anchor: number, least: number): Range {
  const span = Math.max(least, (shown.end - shown.begin) * factor);
  const at = shown.begin + (shown.end - shown.begin) * anchor;
  return bounded({ begin: at - span * anchor, end: at + span * (1 - anchor) }, whole);
}

/** Moves by a share of its own width. */
export function moved(shown: Range, whole: Range, share: number): Range {
  const step = (shown.end - shown.begin) * share;
  return bounded({ begin: shown.begin + step, end: shown.end + step }, whole);
}

/** Inside the whole, with its width kept as far as that goes. */
export function bounded(shown: Range, whole: Range): Range {
  const span = shown.end - shown.begin;
  if (!(span < whole.end - whole.begin)) return { ...whole };
  const begin = Math.min(Math.max(shown.begin, whole.begin), whole.end - span);
  return { begin, end: begin + span };
}

/** One notch of a wheel, a touchpad's trickle, or whole pages: all become about the same zoom. */
export function wheelFactor(event: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
  const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * (event.deltaMode === 1 ? 16 : 400);
  // Pinching on a touchpad comes as a wheel with Ctrl and small steps.
  return Math.exp(Math.max(-240, Math.min(240, pixels)) * (event.ctrlKey ? 0.01 : 0.002));
}
