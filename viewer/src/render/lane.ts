// SPDX-License-Identifier: Apache-2.0
import { ACTIVITY } from '../data/schema';
import { ACTIVITIES, GC, IMPORT, ON_CPU, WAITS } from '../model/metrics';
import type { Range } from '../model/selection';
import { CHANNEL, CHANNELS, TASK_CHANNEL } from '../model/tracks';
import { activityColour, colourIn, readableOn, Theme } from './colour';
import { cellOf, Painter } from './painter';

export interface LaneData {
  range: Range;
  columns: number;
  values: Float32Array;
}

export interface LaneBox {
  x: number;
  width: number;
  top: number;
  height: number;
  shown: Range;
}

// A thread that waits fills less than half of its lane: running and waiting differ in more than colour.
const WAIT_HEIGHT = 0.42;
const LABEL_ROOM = 64;
const LABEL_HEIGHT = 11;
const HATCH_ROOM = 9;

interface Layer {
  channel: number;
  /** Part of the lane's height that it has when it has all of the time. */
  height: number;
  colour: string;
  title: string;
}

/** Made once for each theme. */
function once(make: (theme: Theme) => Layer[]): (theme: Theme) => readonly Layer[] {
  const known = new Map<Theme, Layer[]>();
  return (theme) => {
    let layers = known.get(theme);
    if (!layers) known.set(theme, (layers = make(theme)));
    return layers;
  };
}

export const threadLayers = once((theme) =>
  [...ON_CPU, ...WAITS].map((channel) => ({
    channel,
    height: ACTIVITIES[channel].onCpu ? 1 : WAIT_HEIGHT,
    colour: activityColour(channel, theme),
    title: ACTIVITIES[channel].title,
  })));

export const taskLayers = once((theme) => [
  ...threadLayers(theme),
  { channel: TASK_CHANNEL.ready, height: 0.75, colour: activityColour(ACTIVITY.run_queue, theme), title: 'Ready' },
  { channel: TASK_CHANNEL.suspended, height: WAIT_HEIGHT, colour: activityColour(ACTIVITY.sleep, theme), title: 'Suspended' },
]);

interface LaneCells {
  height: number;
  layers: readonly Layer[];
  cells: Uint32Array;
  /** By column: the one layer that it has and fills; -1: none. */
  only: Int8Array;
}

// While a lane is only moved, its cells stay the same.
const knownCells = new WeakMap<Float32Array, LaneCells>();

function cellsOf({ range, columns, values }: LaneData, height: number, layers: readonly Layer[]): LaneCells {
  const known = knownCells.get(values);
  if (known?.height === height && known.layers === layers) return known;
  const duration = (range.end - range.begin) / columns;
  const cells = new Uint32Array(columns * height);
  const fills = layers.map(({ colour }) => cellOf(colour));
  const only = new Int8Array(columns).fill(-1);
  for (let column = 0; column < columns; ++column) {
    let bottom = height;
    let layersHere = 0;
    for (let i = 0; i < layers.length; ++i) {
      const share = values[column * CHANNELS + layers[i].channel] / duration;
      // Samples that overlap a little, because threads are polled from outside, do not grow out of the lane.
      const size = Math.min(bottom, Math.round(Math.min(1, share) * layers[i].height * height));
      if (size <= 0) continue;
      ++layersHere;
      only[column] = layersHere === 1 && share > 0.9 ? i : -1;
      for (const top = bottom - size; bottom > top; ) cells[--bottom * columns + column] = fills[i];
    }
  }
  const made = { height, layers, cells, only };
  knownCells.set(values, made);
  return made;
}

/** Bars from the bottom: each column as high as its share of the time. Long bars of one activity have its name. */
export function paintLane(painter: Painter, data: LaneData, box: LaneBox, layers: readonly Layer[], theme: Theme): void {
  const { columns } = data;
  const height = Math.round(box.height);
  const duration = (data.range.end - data.range.begin) / columns;
  const { cells, only } = cellsOf(data, height, layers);
  const scale = box.width / (box.shown.end - box.shown.begin);
  const xOf = (column: number) => box.x + (data.range.begin + column * duration - box.shown.begin) * scale;
  painter.inside(box.x, box.top, box.width, height, () => {
    painter.grid(xOf(0), box.top, xOf(columns) - xOf(0), height, columns, cells);
    for (let from = 0, to = 0; from < columns; from = to) {
      while (to < columns && only[to] === only[from]) ++to;
      if (only[from] < 0) continue;
      const [left, right] = [Math.max(box.x, xOf(from)), Math.min(box.x + box.width, xOf(to))];
      nameBar(painter, layers[only[from]], left, right, box.top + height, height, theme);
    }
  });
}

function nameBar(
  painter: Painter,
  layer: Layer,
  left: number,
  right: number,
  bottom: number,
  height: number,
  theme: Theme,
): void {
  const size = Math.round(layer.height * height);
  const width = right - left;
  if (layer.channel === ACTIVITY.gil_wait && width >= HATCH_ROOM) painter.hatch(left, bottom - size, width, size, theme.background);
  if (width < LABEL_ROOM || size < LABEL_HEIGHT) return;
  painter.text(layer.title, left + 4, bottom - size / 2, width - 8, { colour: readableOn(layer.colour), size: 11 });
}

/** Garbage collection and imports: thin lines below a lane, each with its own height. */
export function paintMarks(painter: Painter, data: LaneData, box: LaneBox, theme: Theme): void {
  const scale = box.width / (box.shown.end - box.shown.begin);
  const duration = (data.range.end - data.range.begin) / data.columns;
  for (const [channel, offset, colour] of [
    [CHANNEL.gc, 0, colourIn(theme, GC.colour)],
    [CHANNEL.import, 3, colourIn(theme, IMPORT.colour)],
  ] as const) {
    let from = -1;
    for (let column = 0; column <= data.columns; ++column) {
      const isOn = column < data.columns && data.values[column * CHANNELS + channel] > duration * 0.2;
      if (isOn && from < 0) from = column;
      if (isOn || from < 0) continue;
      const left = Math.max(box.x, box.x + (data.range.begin + from * duration - box.shown.begin) * scale);
      const right = Math.min(box.x + box.width, box.x + (data.range.begin + column * duration - box.shown.begin) * scale);
      if (right > left) painter.rect(left, box.top + offset, Math.max(1, right - left), 2, colour);
      from = -1;
    }
  }
}
