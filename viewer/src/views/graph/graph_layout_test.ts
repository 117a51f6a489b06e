// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeLayers } from '../../model/layers';
import type { Camera, GraphPicture } from '../../render/graph';
import { beside, heaviest, movedBy, pinched, withNodeInSight, zoomedAt } from './graph_layout';

// main calls load (5) and work (9); work calls itself (7) and load (2).
const edges = [[0, 1, 5], [0, 2, 9], [2, 2, 7], [2, 1, 2]].map(([from, to, total]) => ({ from, to, total, samples: 1 }));
const boxes = [1, 2, 3].map(() => ({ width: 100, height: 50 }));
const nodes = boxes.map((_, key) => ({ key, self: 0, total: 1, selfSamples: 0, totalSamples: 1 }));
const graph = { nodes, edges, hiddenNodes: 0, hiddenEdges: 0, nodeShare: 0 };
const placed = placeLayers(boxes, edges.map(({ from, to, total }) => ({ from, to, weight: total })));
const picture: GraphPicture = { graph, placed, boxes };
const camera: Camera = { x: 10, y: 20, scale: 1 };

test('what is under the pointer stays there, and scales have limits', () => {
  const closer = zoomedAt(camera, 2, { x: 100, y: 50 });
  assert.deepEqual(closer, { x: 60, y: 45, scale: 2 });
  assert.equal(zoomedAt(camera, 1000, { x: 0, y: 0 }).scale, 3);
  assert.equal(zoomedAt(camera, 1e-9, { x: 0, y: 0 }).scale, 0.05);
});

test('a move is of pixels, however close the picture is', () => {
  assert.deepEqual(movedBy({ ...camera, scale: 2 }, 30, -40), { x: 25, y: 0, scale: 2 });
});

test('fingers that part zoom, fingers that move together move', () => {
  assert.deepEqual(pinched(camera, [{ x: 0, y: 0 }, { x: 100, y: 0 }], [{ x: 50, y: 10 }, { x: 150, y: 10 }]), { x: -40, y: 10, scale: 1 });
  const closer = pinched(camera, [{ x: 100, y: 0 }, { x: 200, y: 0 }], [{ x: 50, y: 0 }, { x: 250, y: 0 }]);
  assert.deepEqual(closer, { x: 85, y: 20, scale: 2 });
});

test('a node comes into sight by the shortest way', () => {
  const size = { width: 200, height: 200 };
  const middle: Camera = { x: placed.x[0] - 100, y: placed.y[0] - 100, scale: 1 };
  assert.deepEqual(withNodeInSight(picture, 0, middle, size), middle);
  assert.equal(withNodeInSight(picture, 0, { ...middle, y: 5000 }, size).y, placed.y[0] - 35);
  assert.equal(withNodeInSight(picture, 0, { ...middle, x: -5000 }, size).x, placed.x[0] + 60 - 200);
});

test('keys go to the heaviest call, never in place', () => {
  assert.deepEqual([heaviest(picture, 0, 'callee'), heaviest(picture, 2, 'callee'), heaviest(picture, 1, 'callee')], [2, 1, -1]);
  assert.deepEqual([heaviest(picture, 1, 'caller'), heaviest(picture, 2, 'caller'), heaviest(picture, 0, 'caller')], [0, 0, -1]);
});

test('beside a node are those of its layer', () => {
  const alike = { ...picture, placed: { ...placed, layer: [0, 1, 1], x: [0, 300, 100] } };
  assert.deepEqual([beside(alike, 2, 1), beside(alike, 1, -1), beside(alike, 1, 1), beside(alike, 0, 1)], [1, 2, -1, -1]);
});
