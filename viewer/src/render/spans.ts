// SPDX-License-Identifier: Apache-2.0
import type { Spans } from '../model/timeline';
import { oklch, Theme } from './colour';
import { Place, readableOn } from './lane';
import type { Painter } from './painter';

export interface SpanRow {
  spans: number[];
  levels: Uint8Array;
}

export function spanColour(isBlock: boolean, theme: Theme): string {
  return isBlock ? oklch(theme.dark ? 0.55 : 0.7, 0.13, 30) : oklch(theme.dark ? 0.48 : 0.78, 0.07, 300);
}

/** Labelled stretches, each level a line of its own. */
export function paintSpans(painter: Painter, spans: Spans, row: SpanRow, place: Place, lineHeight: number, colour: string): void {
  const scale = place.width / (place.shown.end - place.shown.begin);
  const text = readableOn(colour);
  const reach = new Float64Array(256).fill(-Infinity);
  row.spans.forEach((span, i) => {
    const left = Math.max(place.x, place.x + (spans.begin[span] - place.shown.begin) * scale);
    const right = Math.min(place.x + place.width, place.x + (spans.begin[span] + spans.length[span] - place.shown.begin) * scale);
    if (right < place.x || left > place.x + place.width) return;
    const level = row.levels[i];
    // A thousand spans on one pixel are one stroke.
    if (right <= reach[level]) return;
    const width = Math.max(1, right - left - 0.5);
    reach[level] = left + Math.max(1, width);
    const top = place.top + level * lineHeight;
    painter.rect(left, top, width, lineHeight - 2, colour);
    if (width > 24) painter.text(spans.labels[spans.label[span]], left + 4, top + lineHeight / 2 - 1, width - 7, { colour: text, size: 11 });
  });
}

/** The span at a place; -1: none. */
export function spanAt(spans: Spans, row: SpanRow, level: number, time: number, tolerance: number): number {
  for (let i = row.spans.length - 1; i >= 0; --i) {
    const span = row.spans[i];
    if (row.levels[i] !== level || spans.begin[span] > time + tolerance) continue;
    if (spans.begin[span] + spans.length[span] >= time - tolerance) return span;
  }
  return -1;
}
