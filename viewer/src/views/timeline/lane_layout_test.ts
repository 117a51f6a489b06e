// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from '../../../test/demo';
import { encode } from '../../../test/encoder';
import { readProfile } from '../../data/profile';
import { catalogOf } from '../../model/catalog';
import { EVERYTHING } from '../../model/selection';
import { RULER_HEIGHT } from '../../render/ruler';
import { dragAt, gutterOf, isOnLanes, isSelected, LaneArea, rangeBetween, rowAt, timeAt, titleOf, toggled, xOf } from './lane_layout';
import type { Row } from './rows';

const area: LaneArea = { gutter: 200, right: 1200, shown: { begin: 1000, end: 2000, scroll: 30 }, extent: { begin: 0, end: 9000 } };
const rows: Row[] = [
  { id: 'p0', kind: 'process', top: 0, height: 26, process: 0, isOpen: true },
  { id: 't1', kind: 'thread', top: 26, height: 30, thread: 1 },
  { id: 'task0', kind: 'task', top: 56, height: 20, task: 0 },
];

test('a time is where it is found again, and never outside of the run', () => {
  assert.deepEqual([timeAt(area, 200), timeAt(area, 700), timeAt(area, 1200)], [1000, 1500, 2000]);
  assert.equal(xOf(area, 1500), 700);
  assert.deepEqual([timeAt(area, -5000), timeAt(area, 50_000)], [0, 9000]);
  assert.deepEqual([isOnLanes(area, 199), isOnLanes(area, 200), isOnLanes(area, 1201)], [false, true, false]);
  assert.deepEqual([gutterOf(390), gutterOf(1440)], [112, 208]);
});

test('rows are found below the ruler, as far as they are scrolled', () => {
  const found = (y: number) => rowAt(area, rows, { x: 300, y })?.id;
  assert.deepEqual([found(RULER_HEIGHT - 1), found(RULER_HEIGHT), found(RULER_HEIGHT + 26), found(RULER_HEIGHT + 46)], [undefined, 't1', 'task0', undefined]);
});

test('a press moves the picture, an edge of the range, or begins a new range', () => {
  const range = { begin: 1200, end: 1600 };
  const at = (x: number, y = 100, moves = false) => dragAt(area, { x, y }, range, moves);
  assert.equal(at(700, RULER_HEIGHT - 1).does, 'move');
  assert.equal(at(700, 100, true).does, 'move');
  assert.deepEqual(at(402), { does: 'select', x: 402, fixed: 1600, moving: true });
  assert.deepEqual(at(797), { does: 'select', x: 797, fixed: 1200, moving: true });
  assert.deepEqual(at(700), { does: 'select', x: 700, fixed: 1500, moving: false });
  assert.deepEqual([rangeBetween(5, 2), rangeBetween(5, 5.5)], [{ begin: 2, end: 5 }, null]);
});

test('rows of what is selected; their titles', () => {
  const names = catalogOf(readProfile(encode(demo({ threads: 3 }))));
  const selected = (change: object) => rows.map((row) => isSelected({ ...EVERYTHING, ...change }, names, row));
  assert.deepEqual(selected({}), [true, true, true]);
  assert.deepEqual(selected({ threads: [0] }), [true, false, true]);
  assert.deepEqual(selected({ processes: [1] }), [true, false, false]);
  assert.deepEqual(selected({ tasks: [3] }), [true, true, false]);
  assert.deepEqual(rows.map((row) => titleOf(names, row)), ['4711 python -m app.main --port 8080', 'pool_0', 'request-1']);
});

test('what is toggled twice is as it was', () => {
  assert.equal(toggled('', 'p0'), 'p0');
  assert.equal(toggled('p0.k1', 'p0'), 'k1');
  assert.equal(toggled(toggled('p0', 'k1'), 'k1'), 'p0');
});
