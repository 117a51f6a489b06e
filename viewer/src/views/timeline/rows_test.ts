// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from '../../../test/demo';
import { encode } from '../../../test/encoder';
import { readProfile } from '../../data/profile';
import { catalogOf } from '../../model/catalog';
import { blocksOf, levelsOf, regionsOf, Spans } from '../../model/timeline';
import { heightOf, levelsOfSpans, rowsOf, visibleRows } from './rows';

const profile = readProfile(encode(demo({ threads: 3 })));
const catalog = catalogOf(profile);
const facts = { regions: regionsOf(profile), blocks: blocksOf(profile), levels: levelsOf(profile) };
const ids = (toggled: string[]) => rowsOf(catalog, facts, new Set(toggled)).map(({ id }) => id);

test('a process, its memory, its threads with the main one first, its tasks', () => {
  assert.deepEqual(ids([]), [
    'p0', 'm0', 't0', 'regions0', 'blocks0', 't1', 't2', 't3', 'k0', ...Array.from({ length: 8 }, (_, i) => `task${i}`),
    'p1', 'm1', 't4',
  ]);
});

test('what is closed has no rows', () => {
  assert.deepEqual(ids(['p0']), ['p0', 'p1', 'm1', 't4']);
  assert.ok(!ids(['k0']).includes('task0'));
});

test('rows stand below each other, and those on the screen are found', () => {
  const rows = rowsOf(catalog, facts, new Set());
  rows.slice(1).forEach((row, i) => assert.equal(row.top, rows[i].top + rows[i].height));
  for (const [from, to] of [[0, 10], [27, 200], [0, heightOf(rows)], [heightOf(rows) - 1, heightOf(rows) + 50]]) {
    const expected = rows.filter(({ top, height }) => top + height > from && top < to).map(({ id }) => id);
    assert.deepEqual(visibleRows(rows, from, to).map(({ id }) => id), expected);
  }
});

test('spans that overlap stand on different levels', () => {
  const spans: Spans = {
    thread: new Uint32Array(4), begin: Float64Array.of(0, 10, 20, 50), length: Float64Array.of(100, 20, 5, 10),
    label: new Uint32Array(4), labels: ['x'],
  };
  const { levels, depth } = levelsOfSpans(spans, [0, 1, 2, 3]);
  assert.deepEqual([...levels], [0, 1, 2, 1]);
  assert.equal(depth, 3);
});
