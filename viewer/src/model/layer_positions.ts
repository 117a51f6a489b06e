// SPDX-License-Identifier: Apache-2.0
// How far from the left the boxes of a graph stand, their order given.
import type { Neighbours } from './layer_order';

export const GAP_X = 28;
const SWEEPS = 24;

/** Middles: each vertex as near to its neighbours as the order and the widths allow. */
export function placeInOrder(layers: number[][], widths: number[], neighbours: Neighbours, boxes: number): number[] {
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
