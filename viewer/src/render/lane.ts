// SPDX-License-Identifier: Apache-2.0
import { ACTIVITIES, ON_CPU, WAITS } from '../model/metric';
import type { Range } from '../model/selection';
import { CHANNEL, CHANNELS, TASK_CHANNEL } from '../model/tracks';
import { activityColour, Theme } from './colour';
import type { Painter } from './painter';

export interface LaneData {
  range: Range;
  columns: number;
  values: Float32Array;
}

export interface Place {
  x: number;
  width: number;
  top: number;
  height: number;
  shown: Range;
}

// A thread that waits fills less than half of its lane: running and waiting differ in more than colour.
const WAIT_HEIGHT = 0.42;
const LABEL_ROOM = 64;
const HATCH_ROOM = 9;
const GIL = 5;

interface Layer {
  channel: number;
  /** Part of the lane's height that it has when it has all of the time. */
  height: number;
  colour: string;
  title: string;
}

export function threadLayers(theme: Theme): Layer[] {
  return [...ON_CPU, ...WAITS].map((channel) => ({
    channel,
    height: ACTIVITIES[channel].onCpu ? 1 : WAIT_HEIGHT,
    colour: activityColour(channel, theme),
    title: ACTIVITIES[channel].title,
  }));
}

export function taskLayers(theme: Theme): Layer[] {
  return [
    ...threadLayers(theme),
    { channel: TASK_CHANNEL.ready, height: 0.75, colour: activityColour(8, theme), title: 'Ready' },
    { channel: TASK_CHANNEL.suspended, height: WAIT_HEIGHT, colour: activityColour(6, theme), title: 'Suspended' },
  ];
}

/** Bars from the bottom: each column as high as its share of the time. Equal neighbours are one bar. */
export function paintLane(painter: Painter, data: LaneData, place: Place, layers: Layer[], theme: Theme): void {
  const scale = place.width / (place.shown.end - place.shown.begin);
  const duration = (data.range.end - data.range.begin) / data.columns;
  const xOf = (column: number) => place.x + (data.range.begin + column * duration - place.shown.begin) * scale;
  const tops = new Float32Array(layers.length);
  const before = new Float32Array(layers.length);
  let from = 0;
  const flush = (to: number) => {
    const [left, right] = [Math.max(place.x, xOf(from)), Math.min(place.x + place.width, xOf(to))];
    if (right <= left) return;
    let bottom = place.top + place.height;
    layers.forEach((layer, i) => {
      if (before[i] === 0) return;
      painter.rect(left, bottom - before[i], right - left, before[i], layer.colour);
      if (layer.channel === GIL && right - left >= HATCH_ROOM) painter.hatch(left, bottom - before[i], right - left, before[i], theme.background);
      if (right - left >= LABEL_ROOM && before[i] >= place.height * layer.height - 1 && before[i] >= 11) {
        const colour = readableOn(layer.colour);
        painter.text(layer.title, left + 4, bottom - before[i] / 2, right - left - 8, { colour, size: 11 });
      }
      bottom -= before[i];
    });
  };
  for (let column = 0; column <= data.columns; ++column) {
    let changed = column === data.columns;
    let used = 0;
    for (let i = 0; i < layers.length && column < data.columns; ++i) {
      const share = data.values[column * CHANNELS + layers[i].channel] / duration;
      // Whole pixels: finer steps are hardly seen, and would keep equal neighbours apart. Stretches that
      // overlap a little, because looks come from outside, do not grow out of the lane.
      const height = Math.min(Math.min(1, share) * layers[i].height * place.height, place.height - used);
      tops[i] = Math.round(height);
      used += tops[i];
      if (tops[i] !== before[i]) changed = true;
    }
    if (!changed) continue;
    flush(column);
    before.set(tops);
    from = column;
  }
}

/** Garbage collection and imports: thin lines below a lane, each with its own height. */
export function paintMarks(painter: Painter, data: LaneData, place: Place, theme: Theme): void {
  const scale = place.width / (place.shown.end - place.shown.begin);
  const duration = (data.range.end - data.range.begin) / data.columns;
  for (const [channel, offset, colour] of [
    [CHANNEL.gc, 0, theme.dark ? '#ff8a80' : '#b3261e'],
    [CHANNEL.import, 3, theme.dark ? '#8bd6a8' : '#1f7a45'],
  ] as const) {
    let from = -1;
    for (let column = 0; column <= data.columns; ++column) {
      const isOn = column < data.columns && data.values[column * CHANNELS + channel] > duration * 0.2;
      if (isOn && from < 0) from = column;
      if (isOn || from < 0) continue;
      const left = Math.max(place.x, place.x + (data.range.begin + from * duration - place.shown.begin) * scale);
      const right = Math.min(place.x + place.width, place.x + (data.range.begin + column * duration - place.shown.begin) * scale);
      if (right > left) painter.rect(left, place.top + offset, Math.max(1, right - left), 2, colour);
      from = -1;
    }
  }
}

/** Black or white, whichever is easier to read on a colour. */
export function readableOn(colour: string): string {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? '#14161a' : '#ffffff';
}
