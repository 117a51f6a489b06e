// SPDX-License-Identifier: Apache-2.0
// The picture of a call graph.
import type { CallGraph } from '../model/graph';
import type { Placed } from '../model/layers';
import { oklch, Theme } from './colour';
import type { Painter } from './painter';

export interface GraphPicture {
  graph: CallGraph;
  placed: Placed;
  boxes: readonly { width: number; height: number }[];
}

/** Where the picture is: a point of it at the upper left corner of the screen, and its size. */
export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export interface GraphStyle {
  theme: Theme;
  /** What stands in a node: name, place, and lines of figures. */
  textsOf(node: number): { name: string; where: string; figures: string[] };
  edgeText(edge: number): string;
  whole: number;
  chosen: number;
  hovered: number;
  isMatch: ((node: number) => boolean) | null;
}

/** Cold to hot, all of them readable under the text of the theme. */
export function heatColour(share: number, theme: Theme): string {
  // Most functions have little: the root spreads them. Cold is blue, then grey, then red.
  const heat = Math.sqrt(Math.min(1, Math.max(0, share)));
  const [hue, chroma] = heat < 0.3 ? [250, 0.035 * (1 - heat / 0.3)] : [60 - 35 * heat, 0.16 * (heat - 0.3)];
  return theme.dark ? oklch(0.3 + 0.13 * heat, chroma, hue) : oklch(0.95 - 0.17 * heat, chroma, hue);
}

const THINNEST = 1;
const THICKEST = 7;

/** Lines first, then boxes, so that no line runs over a text. Lines of the chosen box come last of all lines. */
export function paintGraph(painter: Painter, { graph, placed, boxes }: GraphPicture, camera: Camera, style: GraphStyle): void {
  const at = (x: number, y: number): [number, number] => [(x - camera.x) * camera.scale, (y - camera.y) * camera.scale];
  const lines = graph.edges.map((_, i) => i);
  const belongs = (edge: number) => style.chosen >= 0 && (graph.edges[edge].from === style.chosen || graph.edges[edge].to === style.chosen);
  lines.sort((a, b) => Number(belongs(a)) - Number(belongs(b)) || graph.edges[a].total - graph.edges[b].total);
  for (const edge of lines) paintEdge(painter, { graph, placed, boxes }, edge, camera, style, belongs(edge));
  graph.nodes.forEach(({ total }, node) => {
    const { width, height } = boxes[node];
    const [x, y] = at(placed.x[node] - width / 2, placed.y[node] - height / 2);
    const [w, h] = [width * camera.scale, height * camera.scale];
    if (x > painter.width || y > painter.height || x + w < 0 || y + h < 0) return;
    const found = style.isMatch !== null && style.isMatch(node);
    const faded = style.isMatch !== null && !found;
    painter.rect(x, y, w, h, found ? style.theme.match : faded ? style.theme.panel : heatColour(total / style.whole, style.theme));
    const isChosen = node === style.chosen;
    painter.frame(x, y, w, h, isChosen ? style.theme.accent : node === style.hovered ? style.theme.text : style.theme.faint, isChosen ? 3 : 1);
    paintTexts(painter, x, y, w, camera.scale, style, node, found, faded);
  });
}

function paintTexts(
  painter: Painter,
  x: number,
  y: number,
  width: number,
  scale: number,
  style: GraphStyle,
  node: number,
  found: boolean,
  faded: boolean,
): void {
  const size = 12 * scale;
  // Smaller text is only grey.
  if (size < 5) return;
  const { name, where, figures } = style.textsOf(node);
  const colour = found ? style.theme.matchText : faded ? style.theme.faint : style.theme.text;
  const line = (text: string, row: number, style: { bold?: boolean; size: number }) =>
    painter.text(text, x + width / 2, y + (11 + row * 14.5) * scale, width - 10 * scale, { colour, align: 'center', ...style });
  line(name, 0, { bold: true, size });
  line(where, 1, { size: size * 0.86 });
  figures.forEach((text, i) => line(text, 2 + i, { size: size * 0.92 }));
}

function paintEdge(
  painter: Painter,
  { graph, placed, boxes }: GraphPicture,
  edge: number,
  camera: Camera,
  style: GraphStyle,
  chosen: boolean,
): void {
  const { from, to, total } = graph.edges[edge];
  const share = style.whole > 0 ? total / style.whole : 0;
  const points = from === to ? loop(placed, boxes, from) : curve(placed.corners[edge]);
  const shown: number[] = [];
  for (let i = 0; i < points.length; i += 2) shown.push((points[i] - camera.x) * camera.scale, (points[i + 1] - camera.y) * camera.scale);
  const thickness = Math.max(0.6, (THINNEST + (THICKEST - THINNEST) * Math.sqrt(share)) * Math.min(1, camera.scale));
  const colour = chosen ? style.theme.accent : edgeColour(share, style.theme);
  painter.path(shown, colour, thickness);
  arrow(painter, shown, colour, (5 + thickness) * Math.min(1, camera.scale + 0.2));
  const size = 11 * camera.scale;
  if (size < 6) return;
  const middle = (shown.length >> 2) * 2;
  const text = style.edgeText(edge);
  const room = text.length * size * 0.62 + 6;
  const [x, y] = from === to ? [shown[middle] + room / 2 + 4, shown[middle + 1]] : [shown[middle], shown[middle + 1]];
  painter.rect(x - room / 2, y - size * 0.65, room, size * 1.3, style.theme.background);
  painter.text(text, x, y, room + 8, { colour: chosen ? style.theme.accent : style.theme.faint, align: 'center', size });
}

function edgeColour(share: number, theme: Theme): string {
  const heat = Math.sqrt(Math.min(1, share));
  return theme.dark ? oklch(0.45 + 0.15 * heat, 0.02 + 0.08 * heat, 30) : oklch(0.76 - 0.14 * heat, 0.02 + 0.1 * heat, 30);
}

const STEPS = 14;

/** Through all corners, leaving and arriving upright. */
function curve(corners: number[]): number[] {
  const points: number[] = [];
  for (let i = 0; i + 3 < corners.length; i += 2) {
    const [x0, y0, x1, y1] = corners.slice(i, i + 4);
    const pull = (y1 - y0) / 2;
    for (let step = i === 0 ? 0 : 1; step <= STEPS; ++step) {
      const t = step / STEPS;
      const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
      points.push((a + b) * x0 + (c + d) * x1, a * y0 + b * (y0 + pull) + c * (y1 - pull) + d * y1);
    }
  }
  return points;
}

/** From the right side of a box back to it. */
function loop(placed: Placed, boxes: GraphPicture['boxes'], node: number): number[] {
  const right = placed.x[node] + boxes[node].width / 2;
  const points: number[] = [];
  for (let step = 0; step <= STEPS; ++step) {
    const angle = Math.PI * (step / STEPS - 0.5);
    points.push(right + 22 * Math.cos(angle), placed.y[node] + 14 * Math.sin(angle));
  }
  return points;
}

function arrow(painter: Painter, points: number[], colour: string, size: number): void {
  if (points.length < 4) return;
  const [x, y] = points.slice(-2);
  const [beforeX, beforeY] = points.slice(-4, -2);
  const length = Math.hypot(x - beforeX, y - beforeY) || 1;
  const [dx, dy] = [((x - beforeX) / length) * size, ((y - beforeY) / length) * size];
  painter.area([x, y, x - dx - dy * 0.5, y - dy + dx * 0.5, x - dx + dy * 0.5, y - dy - dx * 0.5], colour);
}

/** The node at a point of the screen; -1: none. */
export function nodeAt({ graph, placed, boxes }: GraphPicture, camera: Camera, x: number, y: number): number {
  const [px, py] = [x / camera.scale + camera.x, y / camera.scale + camera.y];
  return graph.nodes.findIndex((_, i) =>
    Math.abs(placed.x[i] - px) <= boxes[i].width / 2 && Math.abs(placed.y[i] - py) <= boxes[i].height / 2);
}

const MARGIN = 24;
// Loops and their labels reach over the right side.
const LOOP_ROOM = 40;

export function fullSize({ width, height }: Placed): { width: number; height: number } {
  return { width: Math.ceil(width) + 2 * MARGIN + LOOP_ROOM, height: Math.ceil(height) + 2 * MARGIN };
}

/** All of it on a screen of this size, not larger than life. */
export function fitting(placed: Placed, width: number, height: number): Camera {
  const full = fullSize(placed);
  const scale = Math.min(1, width / full.width, height / full.height) || 1;
  const spare = (room: number, needed: number) => Math.max(0, room / scale - needed) / 2;
  return { x: -MARGIN - spare(width, full.width), y: -MARGIN - spare(height, full.height), scale };
}

const READABLE = 0.85;

/** All of it where that can still be read, else its upper part around the first box. */
export function startingAt(placed: Placed, width: number, height: number): Camera {
  const all = fitting(placed, width, height);
  if (all.scale >= READABLE || placed.x.length === 0) return all;
  const full = fullSize(placed);
  const room = width / READABLE;
  const centred = -MARGIN - (room - full.width) / 2;
  const x = Math.max(-MARGIN, Math.min(placed.x[0] - room / 2, full.width - MARGIN - room));
  return { x: full.width <= room ? centred : x, y: -MARGIN, scale: READABLE };
}
