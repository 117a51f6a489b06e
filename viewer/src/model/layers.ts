// SPDX-License-Identifier: Apache-2.0
// Where the boxes and lines of a graph go: layers from callers to callees, few crossings, straight
// lines. Steps: break cycles, rank, split long edges, order by medians, place. Equal graphs come out equal.

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

export const GAP_X = 28;
export const GAP_Y = 44;
const CORNER_WIDTH = 14;
const SWEEPS = 24;

/** A link between neighbouring layers, by vertices: boxes first, then corners of long links. */
interface Piece {
  upper: number;
  lower: number;
  weight: number;
}

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
  const layers = order(layerOf, neighbours, count);
  const x = place(layers, widths, neighbours, count);

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

/** Links that close a cycle, seen in a walk from box to box: those without callers first, then as they stand. */
function backLinks(count: number, links: Link[]): boolean[] {
  const out: number[][] = Array.from({ length: count }, () => []);
  const callers = new Uint32Array(count);
  links.forEach(({ from, to }, i) => {
    if (from === to) return;
    out[from].push(i);
    ++callers[to];
  });
  for (const list of out) list.sort((a, b) => links[b].weight - links[a].weight || a - b);
  const back = links.map(() => false);
  const OPEN = 1;
  const DONE = 2;
  const state = new Uint8Array(count);
  const next = new Uint32Array(count);
  const starts = Array.from({ length: count }, (_, i) => i).sort((a, b) => Math.min(1, callers[a]) - Math.min(1, callers[b]) || a - b);
  for (const start of starts) {
    if (state[start] !== 0) continue;
    const path = [start];
    state[start] = OPEN;
    while (path.length > 0) {
      const at = path[path.length - 1];
      if (next[at] === out[at].length) {
        state[at] = DONE;
        path.pop();
        continue;
      }
      const link = out[at][next[at]++];
      const to = links[link].to;
      if (state[to] === OPEN) back[link] = true;
      else if (state[to] === 0) {
        state[to] = OPEN;
        path.push(to);
      }
    }
  }
  return back;
}

/** Below the lowest caller; a box without callers right above its highest callee. */
function ranks(count: number, down: Link[]): number[] {
  const rank = new Array<number>(count).fill(0);
  const out: number[][] = Array.from({ length: count }, () => []);
  const waiting = new Uint32Array(count);
  const hasCaller = new Uint8Array(count);
  for (const { from, to } of down) {
    if (from === to) continue;
    out[from].push(to);
    ++waiting[to];
    hasCaller[to] = 1;
  }
  const ready: number[] = [];
  for (let i = 0; i < count; ++i) if (waiting[i] === 0) ready.push(i);
  for (let i = 0; i < ready.length; ++i) {
    for (const to of out[ready[i]]) {
      rank[to] = Math.max(rank[to], rank[ready[i]] + 1);
      if (--waiting[to] === 0) ready.push(to);
    }
  }
  for (let i = 0; i < count; ++i) {
    if (hasCaller[i] === 0 && out[i].length > 0) rank[i] = Math.min(...out[i].map((to) => rank[to])) - 1;
  }
  return rank;
}

interface Neighbours {
  upper: { vertex: number; weight: number }[][];
  lower: { vertex: number; weight: number }[][];
}

function neighbourLists(vertices: number, pieces: Piece[]): Neighbours {
  const lists = (): Neighbours['upper'] => Array.from({ length: vertices }, () => []);
  const found = { upper: lists(), lower: lists() };
  for (const { upper, lower, weight } of pieces) {
    found.upper[lower].push({ vertex: upper, weight });
    found.lower[upper].push({ vertex: lower, weight });
  }
  return found;
}

/** Vertices of each layer from left to right, so that few links cross. */
function order(layerOf: number[], neighbours: Neighbours, boxes: number): number[][] {
  const layers: number[][] = Array.from({ length: Math.max(0, ...layerOf.map((at) => at + 1)) }, () => []);
  // First as a walk from the top finds them: what hangs together stands together.
  const seen = new Uint8Array(layerOf.length);
  const walk = (start: number) => {
    const path = [start];
    while (path.length > 0) {
      const vertex = path.pop()!;
      if (seen[vertex] !== 0) continue;
      seen[vertex] = 1;
      layers[layerOf[vertex]].push(vertex);
      const below = [...neighbours.lower[vertex]].sort((a, b) => a.weight - b.weight || b.vertex - a.vertex);
      for (const next of below) path.push(next.vertex);
    }
  };
  for (let i = 0; i < boxes; ++i) if (neighbours.upper[i].length === 0) walk(i);
  for (let i = 0; i < boxes; ++i) walk(i);

  let best = layers.map((vertices) => [...vertices]);
  let fewest = crossings(layers, neighbours);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; ++sweep) {
    const downwards = sweep % 2 === 0;
    const position = new Float64Array(layerOf.length);
    for (const vertices of layers) vertices.forEach((vertex, at) => { position[vertex] = at; });
    for (let i = 1; i < layers.length; ++i) {
      const vertices = layers[downwards ? i : layers.length - 1 - i];
      const beside = downwards ? neighbours.upper : neighbours.lower;
      const wanted = new Map(vertices.map((vertex, at) => [vertex, medianOf(beside[vertex].map((one) => position[one.vertex])) ?? at]));
      vertices.sort((a, b) => wanted.get(a)! - wanted.get(b)! || position[a] - position[b]);
      vertices.forEach((vertex, at) => { position[vertex] = at; });
    }
    swapNeighbours(layers, neighbours);
    const now = crossings(layers, neighbours);
    if (now >= fewest) continue;
    fewest = now;
    best = layers.map((vertices) => [...vertices]);
  }
  return best;
}

function medianOf(values: number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Swaps two that stand side by side where that saves crossings, until nothing is gained. */
function swapNeighbours(layers: number[][], neighbours: Neighbours): void {
  const position = new Map<number, number>();
  for (const vertices of layers) vertices.forEach((vertex, at) => position.set(vertex, at));
  const crossed = (left: number, right: number) => {
    let sum = 0;
    for (const side of [neighbours.upper, neighbours.lower]) {
      for (const a of side[left]) {
        for (const b of side[right]) if (position.get(a.vertex)! > position.get(b.vertex)!) ++sum;
      }
    }
    return sum;
  };
  for (let round = 0; round < 4; ++round) {
    let gained = false;
    for (const vertices of layers) {
      for (let at = 0; at + 1 < vertices.length; ++at) {
        const [left, right] = [vertices[at], vertices[at + 1]];
        if (crossed(right, left) >= crossed(left, right)) continue;
        vertices[at] = right;
        vertices[at + 1] = left;
        position.set(right, at).set(left, at + 1);
        gained = true;
      }
    }
    if (!gained) return;
  }
}

/** How many pairs of links between neighbouring layers cross. */
export function crossings(layers: number[][], neighbours: Neighbours): number {
  let sum = 0;
  for (let i = 1; i < layers.length; ++i) {
    const position = new Map(layers[i].map((vertex, at) => [vertex, at]));
    const ends = layers[i - 1].flatMap((vertex) =>
      neighbours.lower[vertex].map((one) => position.get(one.vertex)!).sort((a, b) => a - b));
    for (let b = 1; b < ends.length; ++b) for (let a = 0; a < b; ++a) if (ends[a] > ends[b]) ++sum;
  }
  return sum;
}

/** Middles: each vertex as near to its neighbours as the order and the widths allow. */
function place(layers: number[][], widths: number[], neighbours: Neighbours, boxes: number): number[] {
  const x = new Array<number>(widths.length).fill(0);
  for (const vertices of layers) {
    let right = 0;
    for (const vertex of vertices) {
      x[vertex] = right + widths[vertex] / 2;
      right += widths[vertex] + GAP_X;
    }
    const middle = (right - GAP_X) / 2;
    for (const vertex of vertices) x[vertex] -= middle;
  }
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    const downwards = sweep % 2 === 0;
    for (let i = 1; i < layers.length; ++i) {
      const vertices = layers[downwards ? i : layers.length - 1 - i];
      const beside = downwards ? neighbours.upper : neighbours.lower;
      const wanted = vertices.map((vertex) => meanOf(beside[vertex], x) ?? x[vertex]);
      // A corner of a long link gives way least: bends are worse than slopes.
      const stiff = vertices.map((vertex) => (vertex >= boxes ? 4 : 1));
      const gaps = vertices.map((vertex, at) =>
        at === 0 ? 0 : (widths[vertices[at - 1]] + widths[vertex]) / 2 + GAP_X);
      nearestInOrder(wanted, stiff, gaps).forEach((value, at) => { x[vertices[at]] = value; });
    }
  }
  return x;
}

function meanOf(beside: { vertex: number; weight: number }[], x: number[]): number | null {
  let sum = 0;
  let weights = 0;
  for (const { vertex, weight } of beside) {
    sum += x[vertex] * weight;
    weights += weight;
  }
  return weights > 0 ? sum / weights : null;
}

/**
 * Positions with at least the given gaps whose squared distances to the wanted ones, times
 * stiffness, have the least sum: neighbours that want to overlap move as one block.
 */
export function nearestInOrder(wanted: number[], stiff: number[], gaps: number[]): number[] {
  interface Block { sum: number; weight: number; first: number }
  const blocks: Block[] = [];
  const offset: number[] = [];
  let shift = 0;
  wanted.forEach((want, i) => {
    shift += gaps[i];
    offset[i] = shift;
    let block: Block = { sum: (want - shift) * stiff[i], weight: stiff[i], first: i };
    for (;;) {
      const before = blocks[blocks.length - 1];
      if (!before || before.sum / before.weight <= block.sum / block.weight) break;
      blocks.pop();
      block = { sum: before.sum + block.sum, weight: before.weight + block.weight, first: before.first };
    }
    blocks.push(block);
  });
  const result: number[] = [];
  blocks.forEach(({ sum, weight, first }, at) => {
    const end = blocks[at + 1]?.first ?? wanted.length;
    for (let i = first; i < end; ++i) result[i] = sum / weight + offset[i];
  });
  return result;
}

function reversedPoints(points: number[]): number[] {
  const reversed: number[] = [];
  for (let i = points.length - 2; i >= 0; i -= 2) reversed.push(points[i], points[i + 1]);
  return reversed;
}
