// SPDX-License-Identifier: Apache-2.0
// How a part of a longer whole is moved and zoomed; the same for boxes and times.
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

/** Pixels stand for so much at a zoom that is near enough to that of `shown`, and not larger. */
export interface Supply {
  range: Range;
  span: number;
}

/**
 * What to have ready for what is shown: more than that to both sides, and the same while the picture is moved or zoomed
 * a little, so that most steps of a drag need nothing new. At `span`, a pixel is 1 to 1.42 times what it is on the screen.
 */
export function supplyFor(shown: Range, whole: Range): Supply {
  const span = 2 ** (Math.ceil(2 * Math.log2(shown.end - shown.begin) - 1e-9) / 2);
  const step = span / 2;
  return {
    range: {
      begin: Math.max(whole.begin, Math.floor(shown.begin / step - 0.5) * step),
      end: Math.min(whole.end, Math.ceil(shown.end / step + 0.5) * step),
    },
    span,
  };
}

/** One notch of a wheel, a touchpad's trickle, or whole pages: all become about the same zoom. */
export function wheelFactor(event: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
  const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * (event.deltaMode === 1 ? 16 : 400);
  // Pinching on a touchpad comes as a wheel with Ctrl and small steps.
  return Math.exp(Math.max(-240, Math.min(240, pixels)) * (event.ctrlKey ? 0.01 : 0.002));
}
