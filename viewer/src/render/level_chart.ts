// SPDX-License-Identifier: Apache-2.0
// Amounts over time with axes: lines, one of them filled, and a mark at one point.
import type { Range } from '../model/selection';
import { formatBytes } from '../text/amount';
import type { Theme } from './colour';
import type { Painter } from './painter';
import { roundStep, tickLabel, ticksOf } from './ruler';

export interface Series {
  title: string;
  values: Float64Array;
  colour: string;
  filled?: boolean;
  /** Values of 0 were not measured, and are passed over. */
  gaps?: boolean;
}

export interface LevelChart {
  time: Float64Array;
  series: Series[];
  range: Range;
  mark: { time: number; value: number; text: string; colour: string } | null;
  /** The point under the pointer; -1: none. */
  hovered: number;
}

const LEFT = 58;
const RIGHT = 12;
const TOP = 20;
const BOTTOM = 20;

export function paintLevelChart(painter: Painter, chart: LevelChart, theme: Theme): void {
  const { width, height } = painter;
  painter.rect(0, 0, width, height, theme.background);
  const most = Math.max(1, chart.mark?.value ?? 0, ...chart.series.map(({ values }) => values.reduce((max, value) => Math.max(max, value), 0)));
  const steps = byteTicks(most, height);
  const top = Math.max(most, steps[steps.length - 1]);
  const x = (time: number) => xOf(time, chart.range, width);
  const y = (value: number) => height - BOTTOM - (value / top) * (height - TOP - BOTTOM);
  for (const step of steps) {
    painter.line(LEFT, Math.round(y(step)) + 0.5, width - RIGHT, Math.round(y(step)) + 0.5, theme.line);
    painter.text(step === 0 ? '0' : shortBytes(step), LEFT - 6, y(step), LEFT - 8, { colour: theme.faint, align: 'right', size: 11 });
  }
  const times = ticksOf(chart.range, Math.max(2, Math.floor((width - LEFT - RIGHT) / 90)));
  for (const tick of times.ticks) {
    painter.text(tick === 0 ? '0' : tickLabel(tick, times.step), x(tick), height - BOTTOM / 2 + 1, 80, { colour: theme.faint, align: 'center', size: 11 });
  }
  for (const series of chart.series) paintSeries(painter, series, chart.time, x, y, chart.range);
  if (chart.mark) paintMark(painter, chart.mark, theme, x, y);
  if (chart.hovered >= 0) {
    const at = Math.round(x(chart.time[chart.hovered])) + 0.5;
    painter.line(at, TOP, at, height - BOTTOM, theme.faint);
  }
}

/** The point nearest to a pixel; -1: there are none. */
export function pointAt(chart: Pick<LevelChart, 'time' | 'range'>, pixel: number, width: number): number {
  let best = -1;
  let distance = Infinity;
  chart.time.forEach((time, i) => {
    const away = Math.abs(xOf(time, chart.range, width) - pixel);
    if (away < distance) [best, distance] = [i, away];
  });
  return best;
}

function xOf(time: number, range: Range, width: number): number {
  return LEFT + ((time - range.begin) / (range.end - range.begin)) * (width - LEFT - RIGHT);
}

function paintSeries(painter: Painter, series: Series, time: Float64Array, x: (time: number) => number, y: (value: number) => number, range: Range): void {
  const points: number[] = [];
  for (let i = 0; i < time.length; ++i) {
    if (series.gaps && series.values[i] === 0) continue;
    // A level holds until the next one is read.
    if (!series.gaps && points.length > 0) points.push(x(time[i]), points[points.length - 1]);
    points.push(x(time[i]), y(series.values[i]));
  }
  if (points.length === 0) return;
  if (!series.gaps) points.push(Math.max(points[points.length - 2], Math.min(x(range.end), points[points.length - 2] + 1)), points[points.length - 1]);
  if (series.filled) painter.area([points[0], y(0), ...points, points[points.length - 2], y(0)], `${series.colour}2e`);
  painter.path(points, series.colour, series.filled ? 1.8 : series.gaps ? 0.8 : 1.4);
  // Few readings: the line between them is only a guide.
  if (series.gaps && points.length < 200) for (let i = 0; i < points.length; i += 2) painter.rect(points[i] - 2, points[i + 1] - 2, 4, 4, series.colour);
}

function paintMark(painter: Painter, mark: NonNullable<LevelChart['mark']>, theme: Theme, x: (time: number) => number, y: (value: number) => number): void {
  const [px, py] = [x(mark.time), y(mark.value)];
  const isRight = px > painter.width * 0.6;
  painter.line(Math.round(px) + 0.5, 12, Math.round(px) + 0.5, py - 3, mark.colour);
  painter.rect(px - 3, py - 3, 6, 6, mark.colour);
  painter.text(mark.text, isRight ? px - 6 : px + 6, 9, painter.width / 2, {
    colour: theme.text, bold: true, align: isRight ? 'right' : 'left',
  });
}

/** Round amounts from 0 to above `most`, as many as there is room for. */
export function byteTicks(most: number, height: number): number[] {
  const step = Math.max(1, roundStep(most, Math.max(1, Math.min(5, Math.floor((height - TOP - BOTTOM) / 26)))));
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) => i * step);
}

function shortBytes(bytes: number): string {
  return formatBytes(bytes).replace(/\.0+ /, ' ');
}
