// SPDX-License-Identifier: Apache-2.0
// The order of the boxes in each layer of a graph.

const SWEEPS = 24;

/** A link between neighbouring layers, by vertices: boxes first, then corners of long links. */
export interface Piece {
  upper: number;
  lower: number;
  weight: number;
}

export interface Neighbours {
  upper: { vertex: number; weight: number }[][];
  lower: { vertex: number; weight: number }[][];
}

export function neighbourLists(vertices: number, pieces: Piece[]): Neighbours {
  const lists = (): Neighbours['upper'] => Array.from({ length: vertices }, () => []);
  const found = { upper: lists(), lower: lists() };
  for (const { upper, lower, weight } of pieces) {
    found.upper[lower].push({ vertex: upper, weight });
    found.lower[upper].push({ vertex: lower, weight });
  }
  return found;
}

/** Vertices of each layer from left to right, so that few links cross. */
export function orderLayers(layerOf: number[], neighbours: Neighbours, boxes: number): number[][] {
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
