// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNumbers } from '../../test/synthetic';
import { GAP_X, nearestInOrder } from './layer_positions';
import { Link, Placed, placeLayers } from './layers';

const BOX = { width: 100, height: 40 };

/** "ab bc": links between letters. */
function graph(text: string): { placed: Placed; at: (letter: string) => { x: number; y: number; layer: number }; links: Link[] } {
  const letters = [...new Set(text.replace(/ /g, ''))].sort();
  const links = text.split(' ').filter((pair) => pair.length === 2).map(([from, to]) => ({ from: letters.indexOf(from), to: letters.indexOf(to), weight: 1 }));
  const placed = placeLayers(letters.map(() => BOX), links);
  const at = (letter: string) => {
    const i = letters.indexOf(letter);
    return { x: placed.x[i], y: placed.y[i], layer: placed.layer[i] };
  };
  return { placed, at, links };
}

test('a chain is a straight line down', () => {
  const { at, placed } = graph('ab bc');
  assert.deepEqual(['a', 'b', 'c'].map((letter) => at(letter).layer), [0, 1, 2]);
  assert.deepEqual([at('a').x, at('b').x, at('c').x], [50, 50, 50]);
  assert.equal(placed.width, 100);
  assert.deepEqual(placed.corners[0], [50, at('a').y + 20, 50, at('b').y - 20]);
});

test('a diamond is even on both sides', () => {
  const { at } = graph('ab ac bd cd');
  assert.equal(at('a').x, at('d').x);
  assert.equal(at('a').x, (at('b').x + at('c').x) / 2);
  assert.equal(at('b').y, at('c').y);
});

test('a cycle is broken where it closes, and that call goes up', () => {
  const { at, placed, links } = graph('ab bc ca');
  assert.deepEqual(['a', 'b', 'c'].map((letter) => at(letter).layer), [0, 1, 2]);
  assert.deepEqual(placed.backwards, [false, false, true]);
  const back = placed.corners[2];
  assert.ok(back[1] > back[back.length - 1], 'it starts below and ends above');
  assert.equal(links.length, 3);
});

test('a call of itself has no way, and a box without calls has a place', () => {
  const { placed, at } = graph('aa ab c');
  assert.deepEqual(placed.corners[0], []);
  assert.ok(at('c').x > at('a').x + 100);
  assert.deepEqual(placeLayers([], []), { width: 0, height: 0, x: [], y: [], layer: [], corners: [], backwards: [] });
});

test('a long call has a corner in each layer that it passes', () => {
  const { placed } = graph('ab bc ac');
  assert.equal(placed.corners[2].length, 6);
});

test('crossings that need not be are gone', () => {
  // Two chains that start crossed over: a-x, b-y with callees in the other order.
  const { at } = graph('ay bx ma mb');
  assert.equal(Math.sign(at('a').x - at('b').x), Math.sign(at('y').x - at('x').x));
});

test('who starts late stands right above what it calls', () => {
  const { at } = graph('ab bc cd zd');
  assert.equal(at('z').layer, 2);
});

test('positions are the nearest that the gaps allow', () => {
  assert.deepEqual(nearestInOrder([0, 0, 0], [1, 1, 1], [0, 10, 10]), [-10, 0, 10]);
  assert.deepEqual(nearestInOrder([0, 50], [1, 1], [0, 10]), [0, 50]);
  assert.deepEqual(nearestInOrder([0, 0], [3, 1], [0, 8]), [-2, 6]);
});

test('any graph: no boxes overlap, calls go down unless they close a cycle, equal graphs are equal', () => {
  const random = randomNumbers(4);
  for (let round = 0; round < 40; ++round) {
    const count = 2 + Math.floor(random() * 40);
    const boxes = Array.from({ length: count }, () => ({ width: 80 + Math.floor(random() * 100), height: 50 }));
    const links = Array.from({ length: Math.floor(random() * count * 2) }, () => ({
      from: Math.floor(random() * count), to: Math.floor(random() * count), weight: 1 + Math.floor(random() * 9),
    }));
    const placed = placeLayers(boxes, links);
    assert.deepEqual(placeLayers(boxes, links), placed);
    for (let a = 0; a < count; ++a) {
      assert.ok(placed.x[a] - boxes[a].width / 2 >= -1e-6 && placed.x[a] + boxes[a].width / 2 <= placed.width + 1e-6);
      assert.ok(placed.y[a] - 25 >= -1e-6 && placed.y[a] + 25 <= placed.height + 1e-6);
      for (let b = 0; b < a; ++b) {
        if (placed.y[a] !== placed.y[b]) continue;
        assert.ok(Math.abs(placed.x[a] - placed.x[b]) >= (boxes[a].width + boxes[b].width) / 2 + GAP_X - 1e-6);
      }
    }
    links.forEach(({ from, to }, i) => {
      if (from !== to) assert.equal(placed.layer[from] < placed.layer[to], !placed.backwards[i]);
    });
  }
});
