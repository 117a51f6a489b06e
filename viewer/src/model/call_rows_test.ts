// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { demo } from '../../test/demo';
import { oneThread, randomNumbers } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { CallRows, callRows } from './call_rows';
import { invert } from './callers';
import { Engine } from './engine';
import { EVERYTHING } from './selection';
import { libraryRuns, visibleCalls, VisibleCalls } from './visible_calls';

const LIB = 'x/site-packages/p';

function engineOf(stacks: Record<string, number>): Engine {
  const builder = oneThread();
  for (const [stack, weight] of Object.entries(stacks)) builder.sample({ stack, weight });
  return new Engine(readProfile(encode(builder.finish())));
}

const nameOf = ({ profile }: Engine, key: number) => profile.string.get(profile.function.name[key]);

/** "  work 30/10": indented by depth, total and self. */
function lines(engine: Engine, rows: CallRows): string[] {
  return Array.from({ length: rows.count }, (_, i) =>
    `${' '.repeat(rows.depth[i])}${nameOf(engine, rows.key[i])} ${rows.total[i]}/${rows.self[i]}`);
}

const TREE = {
  'a.py:main:1;a.py:light:2': 10,
  'a.py:main:1;a.py:heavy:3;a.py:inner:4': 30,
  'a.py:main:1;a.py:heavy:3': 5,
  'a.py:other:9': 1,
};

test('callers before callees, heaviest first', () => {
  const engine = engineOf(TREE);
  const rows = callRows(engine.tree(EVERYTHING), [], 0);
  assert.deepEqual(lines(engine, rows), ['main 45/0', ' heavy 35/5', '  inner 30/30', ' light 10/10', 'other 1/1']);
  assert.deepEqual([...rows.end], [4, 3, 3, 4, 5]);
});

test('what is too small is counted, not lost', () => {
  const engine = engineOf(TREE);
  const rows = callRows(engine.tree(EVERYTHING), [], 0.25);
  assert.deepEqual(lines(engine, rows), ['main 45/0', ' heavy 35/5', '  inner 30/30']);
  assert.deepEqual([...rows.rest], [10, 0, 0]);
  assert.deepEqual([...rows.restCalls], [1, 0, 0]);
  assert.deepEqual([rows.outerRest, rows.outerRestCalls], [1, 1]);
});

test('there are never more rows than asked for, and the heaviest are kept', () => {
  const engine = engineOf(TREE);
  assert.deepEqual(lines(engine, callRows(engine.tree(EVERYTHING), [], 0, 3)), ['main 45/0', ' heavy 35/5', '  inner 30/30']);
});

test('in every row self, calls and what is too small add up to the total; so do the parts', () => {
  const engine = new Engine(readProfile(encode(demo())));
  const tree = engine.tree(EVERYTHING);
  const parts = engine.parts(EVERYTHING);
  const straight = callRows(tree, parts.map(({ part, tree: { self, total } }) => ({ name: part.name, self, total })), 0.01);
  const turned = invert(tree, parts.map(({ tree: { self } }) => self));
  const inverted = callRows(turned, parts.map(({ part }, i) => ({ name: part.name, self: turned.more[i], total: turned.more[i] })), 0.01);
  for (const rows of [straight, inverted]) {
    assert.ok(rows.count > 10);
    let outer = rows.outerRest;
    for (let row = 0; row < rows.count; ++row) {
      if (rows.depth[row] === 0) outer += rows.total[row];
      let sum = rows.self[row] + rows.rest[row];
      for (let inner = row + 1; inner < rows.end[row]; inner = rows.end[inner]) sum += rows.total[inner];
      assert.equal(sum, rows.total[row]);
      assert.equal(Object.values(rows.parts).reduce((all, part) => all + part.total[row], 0), rows.total[row]);
    }
    assert.equal(outer, tree.total[0]);
  }
});

const show = (engine: Engine, rows: CallRows, { kind, row, level, count }: VisibleCalls) =>
  Array.from({ length: count }, (_, i) => {
    const what = kind[i] === 'call' ? nameOf(engine, rows.key[row[i]]) : kind[i];
    return `${' '.repeat(level[i])}${what}`;
  });

test('only what is open is visible; what is too small stands at the end', () => {
  const engine = engineOf(TREE);
  const rows = callRows(engine.tree(EVERYTHING), [], 0.25);
  const visible = (open: number[]) => show(engine, rows, visibleCalls(rows, null, { isOpen: (row) => open.includes(row), isRunOpen: () => false }));
  assert.deepEqual(visible([]), ['main', 'rest']);
  assert.deepEqual(visible([0]), ['main', ' heavy', ' rest', 'rest']);
  assert.deepEqual(visible([0, 1]), ['main', ' heavy', '  inner', ' rest', 'rest']);
  assert.deepEqual(visible([1]), ['main', 'rest']);
});

test('of calls inside libraries the first is shown, and the user\'s code that they call', () => {
  const engine = engineOf({ [`a.py:main:1;${LIB}/a.py:enter:1;${LIB}/b.py:inner:2;a.py:callback:7;${LIB}/b.py:again:3;lib.so:n:0`]: 10, [`a.py:main:1;${LIB}/a.py:enter:1`]: 2 });
  const rows = callRows(engine.tree({ ...EVERYTHING, frames: 'both' }), [], 0);
  const { profile } = engine;
  const runs = libraryRuns(rows, (key) => profile.file.kind[profile.function.file[key]] === 0);
  const visible = (open: number[]) => show(engine, rows, visibleCalls(rows, runs, { isOpen: () => true, isRunOpen: (row) => open.includes(row) }));
  assert.deepEqual(visible([]), ['main', ' enter', '  run', '  callback', '   again', '    run']);
  assert.deepEqual(visible([1]), ['main', ' enter', '  run', '  inner', '   callback', '    again', '     run']);
  assert.deepEqual(visible([1, 4]), ['main', ' enter', '  run', '  inner', '   callback', '    again', '     run', '     n']);
  assert.deepEqual([runs.calls[1], runs.amount[4]], [1, 10]);
});

test('with everything open, every row is visible once', () => {
  const random = randomNumbers(2);
  const builder = oneThread();
  for (let i = 0; i < 30_000; ++i) {
    builder.sample({ stack: Array.from({ length: 6 }, () => `a.py:f${Math.floor(random() * 12)}:1`).join(';'), weight: 1 });
  }
  const engine = new Engine(readProfile(encode(builder.finish())));
  const rows = callRows(engine.tree(EVERYTHING), [], 0);
  assert.ok(rows.count > 30_000, String(rows.count));
  assert.equal(visibleCalls(rows, null, { isOpen: () => true, isRunOpen: () => false }).count, rows.count);
});
