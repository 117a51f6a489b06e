// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowOfKey, rowsToMake, scrolledNear, scrolledTo } from './row_window';

test('rows exist on the screen and a little around it', () => {
  assert.deepEqual(rowsToMake(0, 100, 20, 1000, 3), { first: 0, last: 8 });
  assert.deepEqual(rowsToMake(990, 100, 20, 1000, 3), { first: 46, last: 58 });
  assert.deepEqual(rowsToMake(990, 100, 20, 50, 3), { first: 46, last: 50 });
  assert.deepEqual(rowsToMake(0, 100, 20, 0, 3), { first: 0, last: 0 });
});

test('a row that is seen moves nothing, another one as little as needed', () => {
  assert.equal(scrolledTo(6, 100, 100, 20), 100);
  assert.equal(scrolledTo(9, 100, 100, 20), 100);
  assert.equal(scrolledTo(10, 100, 100, 20), 120);
  assert.equal(scrolledTo(3, 100, 100, 20), 60);
});

test('a step scrolls like one, a jump leaves room below', () => {
  assert.equal(scrolledNear(7, 100, 90, 20), 100);
  assert.equal(scrolledNear(10, 100, 90, 20), 130);
  assert.equal(scrolledNear(4, 100, 90, 20), 80);
  assert.equal(scrolledNear(50, 100, 90, 20), 970);
  assert.equal(scrolledNear(0, 100, 90, 20), 0);
});

test('keys go through rows and stop at both ends', () => {
  const keyed = (key: string, from: number) => rowOfKey(key, from, 30, 100, 20);
  assert.deepEqual(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map((key) => keyed(key, 10)), [11, 9, 13, 7, 0, 29]);
  assert.deepEqual([keyed('ArrowDown', -1), keyed('ArrowUp', 0), keyed('PageDown', 29), keyed('x', 3)], [0, 0, 29, undefined]);
});
