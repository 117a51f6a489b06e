// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../../test/encoder';
import { oneThread } from '../../../test/synthetic';
import { readProfile } from '../../data/profile';
import { Engine } from '../../model/engine';
import { layoutTree } from '../../model/layout';
import { EVERYTHING } from '../../model/selection';
import { ROW_HEIGHT } from '../../render/flame';
import { boxOf, Direction, markOf, neighbourOf, NOWHERE, withBoxInSight } from './box_marks';

const profile = readProfile(encode(oneThread()
  .sample({ stack: 'a.py:f:1;a.py:g:2', weight: 600 }).sample({ stack: 'a.py:f:1;a.py:h:3', weight: 396 }).sample({ stack: 'a.py:thin:4', weight: 4 })
  .finish()));
const engine = new Engine(profile);
const layout = layoutTree(engine.tree(EVERYTHING));
const extent = { begin: 0, end: 1000 };
const nameOf = (box: number) => (layout.key[box] < 0 ? 'all' : profile.string.get(profile.function.name[layout.key[box]]));
const boxes = Array.from(layout.key, (_, box) => box);
const box = (name: string) => boxes.find((one) => nameOf(one) === name)!;

test('a marked box is found again in another layout, or not at all', () => {
  for (const one of boxes) assert.equal(boxOf(layout, markOf(layout, one)), one);
  const other = layoutTree(engine.tree(EVERYTHING), 100);
  assert.equal(boxOf(other, markOf(layout, box('thin'))), -1);
  assert.equal(nameOf(layout.key.indexOf(other.key[boxOf(other, markOf(layout, box('h')))])), 'h');
  assert.equal(boxOf(layout, NOWHERE), -1);
});

test('steps lead in, out and to the sides, and end where there is nothing', () => {
  const from = (name: string, direction: Direction, firstRow = 0) => nameOf(neighbourOf(layout, box(name), direction, firstRow));
  assert.deepEqual([from('all', 'in'), from('f', 'in'), from('g', 'in')], ['f', 'g', 'g']);
  assert.deepEqual([from('g', 'out'), from('f', 'out'), from('f', 'out', 1)], ['f', 'all', 'f']);
  assert.deepEqual([from('g', 'after'), from('h', 'after'), from('h', 'before'), from('g', 'before')], ['h', 'h', 'g', 'g']);
  assert.equal(nameOf(neighbourOf(layout, -1, 'in', 1)), 'f');
});

test('what is seen stays where it is; what is thin is made wide enough to be read', () => {
  const shown = { begin: 0, end: 1000, scroll: 0 };
  assert.deepEqual(withBoxInSight(layout, box('g'), shown, extent, 500), shown);
  const thin = withBoxInSight(layout, box('thin'), shown, extent, 500);
  assert.equal(thin.end - thin.begin, 200);
  assert.equal(thin.end, 1000);
  assert.equal(withBoxInSight(layout, box('g'), { ...shown, scroll: 90 }, extent, 500).scroll, 2 * ROW_HEIGHT);
  assert.equal(withBoxInSight(layout, box('g'), shown, extent, ROW_HEIGHT).scroll, ROW_HEIGHT);
});
