// SPDX-License-Identifier: Apache-2.0
import type { Spans } from '../model/timeline';
import { oklch, readableOn, Theme } from './colour';
import type { LaneBox } from './lane';
import type { Painter } from './painter';

export interface SpanRow {
  spans: number[];
  levels: Uint8Array;
}

export function spanColour(isBlock: boolean, theme: Theme): string {
  return isBlock ? oklch(theme.dark ? 0.55 : 0.7, 0.13, 30) : oklch(theme.dark ? 0.48 : 0.78, 0.07, 300);
}

/** Labelled spans, each level a line of its own. */
export function paintSpans(painter: Painter, spans: Spans, row: SpanRow, box: LaneBox, lineHeight: number, colour: string): void {
  const scale = box.width / (box.shown.end - box.shown.begin);
  const text = readableOn(colour);
  const reach = new Float64Array(256).fill(-Infinity);
  row.spans.forEach((span, i) => {
    const left = Math.max(box.x, box.x + (spans.begin[span] - box.shown.begin) * scale);
    const right = Math.min(box.x + box.width, box.x + (spans.begin[span] + spans.length[span] - box.shown.begin) * scale);
    if (right < box.x || left > box.x + box.width) return;
    const level = row.levels[i];
    // A thousand spans on one pixel are one stroke.
    if (right <= reach[level]) return;
    const width = Math.max(1, right - left - 0.5);
    reach[level] = left + Math.max(1, width);
    const top = box.top + level * lineHeight;
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
