// SPDX-License-Identifier: Apache-2.0
// What moves, wheels and fingers make of the camera, and which node is next to which.
import type { Camera, GraphPicture } from '../../render/graph';
import type { Size } from '../../widgets/canvas';

const SMALLEST = 0.05;
const LARGEST = 3;
const MARGIN = 10;

export interface Point {
  x: number;
  y: number;
}

/** By `factor` (above 1: closer); what is at a point of the picture stays there. */
export function zoomedAt(camera: Camera, factor: number, { x, y }: Point): Camera {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, camera.scale * factor));
  return { scale, x: camera.x + x / camera.scale - x / scale, y: camera.y + y / camera.scale - y / scale };
}

/** So many pixels of the screen. */
export function movedBy(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x + dx / camera.scale, y: camera.y + dy / camera.scale };
}

/** Two fingers zoom around their middle, and move what is between them. */
export function pinched(camera: Camera, before: readonly Point[], now: readonly Point[]): Camera {
  const between = ([a, b]: readonly Point[]) =>
    ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) });
  const [from, to] = [between(before), between(now)];
  return zoomedAt(movedBy(camera, from.x - to.x, from.y - to.y), to.distance / from.distance, to);
}

/** Moves as little as needed for a node to be seen. */
export function withNodeInSight({ placed, boxes }: GraphPicture, node: number, camera: Camera, size: Size): Camera {
  const inside = (at: number, middle: number, half: number, room: number) =>
    Math.min(middle - half - MARGIN, Math.max(at, middle + half + MARGIN - room));
  return {
    ...camera,
    x: inside(camera.x, placed.x[node], boxes[node].width / 2, size.width / camera.scale),
    y: inside(camera.y, placed.y[node], boxes[node].height / 2, size.height / camera.scale),
  };
}

/** The callee or caller with most, but for the node itself; -1: none. */
export function heaviest({ graph }: GraphPicture, node: number, to: 'callee' | 'caller'): number {
  const [near, far] = to === 'callee' ? (['from', 'to'] as const) : (['to', 'from'] as const);
  const edges = graph.edges.filter((edge) => edge[near] === node && edge.from !== edge.to);
  return edges.sort((a, b) => b.total - a.total)[0]?.[far] ?? -1;
}

/** In the same layer, so many to the right; -1: none. */
export function beside({ placed }: GraphPicture, node: number, step: number): number {
  const row = Array.from(placed.layer, (_, i) => i).filter((i) => placed.layer[i] === placed.layer[node]).sort((a, b) => placed.x[a] - placed.x[b]);
  return row[row.indexOf(node) + step] ?? -1;
}
