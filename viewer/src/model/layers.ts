// SPDX-License-Identifier: Apache-2.0
// Where the boxes and lines of a graph go: layers from callers to callees, few crossings, straight
// lines. Steps: break cycles, rank, split long edges, order by medians, place. Equal graphs come out equal.

import { neighbourLists, orderLayers, Piece } from './layer_order';
import { GAP_X, placeInOrder } from './layer_positions';
import { backLinks, ranks } from './layer_ranks';

export interface Box {
  width: number;
  height: number;
}

export interface Link {
  from: number;
  to: number;
  /** Heavier links are kept straighter. */
  weight: number;
}

export interface Placed {
  width: number;
  height: number;
  /** Middles of the boxes. */
  x: number[];
  y: number[];
  layer: number[];
  /** For each link its corners x, y, x, y… from caller to callee; a link of a box to itself has none. */
  corners: number[][];
  /** Whether a link goes against the direction of the layers. */
  backwards: boolean[];
}

export const GAP_Y = 44;
const CORNER_WIDTH = 14;

/** Parts that hang together are placed by themselves, then side by side in the order of their first boxes. */
export function placeLayers(boxes: Box[], links: Link[]): Placed {
  const whole: Placed = { width: 0, height: 0, x: [], y: [], layer: [], corners: [], backwards: [] };
  for (const { members, inside } of components(boxes.length, links)) {
    const number = new Map(members.map((box, i) => [box, i]));
    const own = inside.map((i) => ({ ...links[i], from: number.get(links[i].from)!, to: number.get(links[i].to)! }));
    const placed = placeTogether(members.map((box) => boxes[box]), own);
    const shift = whole.width > 0 ? whole.width + 2 * GAP_X : 0;
    members.forEach((box, i) => {
      whole.x[box] = placed.x[i] + shift;
      whole.y[box] = placed.y[i];
      whole.layer[box] = placed.layer[i];
    });
    inside.forEach((link, i) => {
      whole.corners[link] = placed.corners[i].map((value, at) => (at % 2 === 0 ? value + shift : value));
      whole.backwards[link] = placed.backwards[i];
    });
    whole.width = shift + placed.width;
    whole.height = Math.max(whole.height, placed.height);
  }
  return whole;
}

/** Boxes that are linked in any way, and the links between them. */
function components(count: number, links: Link[]): { members: number[]; inside: number[] }[] {
  const leader = Array.from({ length: count }, (_, i) => i);
  const find = (box: number): number => {
    while (leader[box] !== box) box = leader[box] = leader[leader[box]];
    return box;
  };
  for (const { from, to } of links) {
    const [a, b] = [find(from), find(to)];
    leader[Math.max(a, b)] = Math.min(a, b);
  }
  const found = new Map<number, { members: number[]; inside: number[] }>();
  for (let box = 0; box < count; ++box) {
    const part = found.get(find(box));
    if (part) part.members.push(box);
    else found.set(find(box), { members: [box], inside: [] });
  }
  links.forEach(({ from }, i) => found.get(find(from))!.inside.push(i));
  return [...found.values()];
}

function placeTogether(boxes: Box[], links: Link[]): Placed {
  const count = boxes.length;
  const backwards = backLinks(count, links);
  const down = links.map(({ from, to, weight }, i) => (backwards[i] ? { from: to, to: from, weight } : { from, to, weight }));
  const layer = ranks(count, down);
  const widths = boxes.map(({ width }) => width);
  const layerOf = [...layer];
  const pieces: Piece[] = [];
  // The vertices that each link passes, from its upper end to its lower one.
  const passes = down.map(({ from, to, weight }) => {
    if (from === to) return [];
    const way = [from];
    for (let at = layer[from] + 1; at < layer[to]; ++at) {
      way.push(layerOf.push(at) - 1);
      widths.push(CORNER_WIDTH);
    }
    way.push(to);
    for (let i = 1; i < way.length; ++i) pieces.push({ upper: way[i - 1], lower: way[i], weight });
    return way;
  });
  const neighbours = neighbourLists(layerOf.length, pieces);
  const layers = orderLayers(layerOf, neighbours, count);
  const x = placeInOrder(layers, widths, neighbours, count);

  const tops: number[] = [];
  let height = 0;
  layers.forEach((vertices, i) => {
    tops[i] = height;
    const tallest = Math.max(...vertices.map((vertex) => (vertex < count ? boxes[vertex].height : 0)));
    height += tallest + GAP_Y;
  });
  const middleOf = (at: number) => (tops[at] + (at + 1 < tops.length ? tops[at + 1] : height) - GAP_Y) / 2;
  const left = Math.min(...x.map((middle, i) => middle - widths[i] / 2));
  const right = Math.max(...x.map((middle, i) => middle + widths[i] / 2));
  const y = layerOf.map(middleOf);
  const corners = passes.map((way, i) => {
    const points = way.flatMap((vertex, at) => {
      const half = vertex < count ? boxes[vertex].height / 2 : 0;
      const end = at === 0 ? half : at === way.length - 1 ? -half : 0;
      return [x[vertex] - left, y[vertex] + end];
    });
    return backwards[i] ? reversedPoints(points) : points;
  });
  return {
    width: right - left,
    height: Math.max(0, height - GAP_Y),
    x: x.slice(0, count).map((middle) => middle - left),
    y: y.slice(0, count),
    layer,
    corners,
    backwards,
  };
}

function reversedPoints(points: number[]): number[] {
  const reversed: number[] = [];
  for (let i = points.length - 2; i >= 0; i -= 2) reversed.push(points[i], points[i + 1]);
  return reversed;
}
