// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneThread } from '../../../test/synthetic';
import { encode } from '../../../test/encoder';
import { readProfile } from '../../data/profile';
import { Engine } from '../../model/engine';
import { layoutTree } from '../../model/layout';
import { EVERYTHING } from '../../model/selection';
import { ROW_HEIGHT } from '../../render/flame';
import { boxUnder, dragged, FlameArea, pinched, rangeBetween, wheeled } from './flame_layout';

const builder = oneThread().sample({ stack: 'a.py:f:1;a.py:g:2', weight: 600 }).sample({ stack: 'a.py:f:1;a.py:h:3', weight: 400 });
const profile = readProfile(encode(builder.finish()));
const layout = layoutTree(new Engine(profile).tree(EVERYTHING));
const whole = { begin: 0, end: 1000 };

function areaOf(change: Partial<FlameArea> = {}): FlameArea {
  return { width: 500, height: 40, top: 10, shown: { ...whole, scroll: 0 }, whole, layout, upwards: false, firstRow: 0, ...change };
}

function nameUnder(area: FlameArea, x: number, y: number): string {
  const box = boxUnder(area, { x, y });
  if (box < 0) return 'nothing';
  return layout.key[box] < 0 ? 'all' : profile.string.get(profile.function.name[layout.key[box]]);
}

const wheel = { deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, shiftKey: false };

test('boxes are found below the ruler, downwards and upwards', () => {
  const area = areaOf();
  assert.deepEqual([nameUnder(area, 250, 9), nameUnder(area, 250, 11), nameUnder(area, 250, 11 + ROW_HEIGHT)], ['nothing', 'all', 'f']);
  const deeper = areaOf({ shown: { ...whole, scroll: ROW_HEIGHT } });
  assert.deepEqual([nameUnder(deeper, 299, 11 + ROW_HEIGHT), nameUnder(deeper, 301, 11 + ROW_HEIGHT)], ['g', 'h']);
  assert.equal(nameUnder(areaOf({ upwards: true, firstRow: 1 }), 250, 39), 'f');
});

test('a range stays on the picture', () => {
  assert.deepEqual(rangeBetween(areaOf(), 400, 100), { begin: 200, end: 800 });
  assert.deepEqual(rangeBetween(areaOf(), -90, 900), whole);
});

test('the wheel zooms at the pointer, moves to the side, and scrolls with Shift as far as there are rows', () => {
  const closer = wheeled(areaOf(), 250, { ...wheel, deltaY: -100 });
  assert.ok(closer.end - closer.begin < 1000 && Math.abs(closer.begin + closer.end - 1000) < 1e-6);
  const half = areaOf({ shown: { begin: 250, end: 750, scroll: 5 } });
  assert.deepEqual(wheeled(half, 0, { ...wheel, deltaX: 100 }), { begin: 350, end: 850, scroll: 5 });
  const rows = layout.rows.length * ROW_HEIGHT - 30;
  assert.equal(wheeled(areaOf(), 0, { ...wheel, deltaY: 1e4, shiftKey: true }).scroll, rows);
  assert.equal(wheeled(areaOf(), 0, { ...wheel, deltaY: -5, shiftKey: true }).scroll, 0);
});

test('a drag takes the picture along', () => {
  const half = { begin: 250, end: 750, scroll: 5 };
  assert.deepEqual(dragged(areaOf({ shown: half }), half, 100, -3), { begin: 150, end: 650, scroll: 8 });
  assert.deepEqual(dragged(areaOf({ shown: half, upwards: true }), half, 0, 3), { begin: 250, end: 750, scroll: 8 });
});

test('fingers that part zoom around their middle, whichever came first', () => {
  const seen = pinched(areaOf(), [200, 300], [150, 350]);
  assert.deepEqual([Math.round(seen.begin), Math.round(seen.end)], [250, 750]);
  assert.deepEqual(pinched(areaOf(), [300, 200], [350, 150]), seen);
});
