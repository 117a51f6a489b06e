// SPDX-License-Identifier: Apache-2.0
// Scales with round numbers: times along the top, bytes up the side.
import type { Range } from '../model/selection';
import type { Theme } from './colour';
import type { Painter } from './painter';

export const RULER_HEIGHT = 22;

/** 1, 2 or 5 times a power of ten: the smallest such step of which at most `most` fit into the span. */
export function roundStep(span: number, most: number): number {
  const least = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const times = [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999999) ?? 10;
  return times * power;
}

export function ticksOf(range: Range, most: number): { step: number; ticks: number[] } {
  const step = roundStep(range.end - range.begin, most);
  const ticks: number[] = [];
  for (let i = Math.ceil(range.begin / step); i * step <= range.end && ticks.length <= most + 2; ++i) ticks.push(i * step);
  return { step, ticks };
}

/** A time with as many digits as its neighbours at this step differ in. */
export function tickLabel(time: number, step: number): string {
  const [scale, unit] = step >= 1e9 || time >= 1e9 ? [1e9, 's'] : step >= 1e6 || time >= 1e6 ? [1e6, 'ms'] : step >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step / scale) + 1e-9)));
  return `${(time / scale).toFixed(digits)} ${unit}`;
}

/** The ruler from x on, with lines down through the picture. */
export function paintRuler(painter: Painter, x: number, width: number, shown: Range, theme: Theme, lines = true): void {
  painter.rect(x, 0, width, RULER_HEIGHT, theme.panel);
  const { step, ticks } = ticksOf(shown, Math.max(2, Math.floor(width / 110)));
  const scale = width / (shown.end - shown.begin);
  for (const tick of ticks) {
    const at = Math.round(x + (tick - shown.begin) * scale) + 0.5;
    painter.line(at, lines ? 0 : RULER_HEIGHT - 6, at, lines ? painter.height : RULER_HEIGHT, theme.line);
    painter.text(tickLabel(tick, step), at + 4, RULER_HEIGHT / 2, 100, { colour: theme.faint, size: 11 });
  }
  painter.line(x, RULER_HEIGHT - 0.5, x + width, RULER_HEIGHT - 0.5, theme.line);
}
