// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { demo } from '../../test/demo';
import { oneThread, ProfileBuilder, randomNumbers } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { calleesOf, callersOf, invert, neighboursOf } from './callers';
import { detailOf, leastOf } from './detail';
import { Engine } from './engine';
import { layoutTree } from './layout';
import { METRICS } from './metrics';
import { EVERYTHING, Selection } from './selection';
import { CallTree, totalsByKey } from './tree';

class Fixture {
  readonly engine: Engine;

  constructor(builder: ProfileBuilder) {
    this.engine = new Engine(readProfile(encode(builder.finish())));
  }

  tree(change: Partial<Selection> = {}, recursion = false): CallTree {
    return this.engine.tree({ ...EVERYTHING, ...change }, recursion);
  }

  name(key: number, by: Selection['by'] = 'function'): string {
    const { profile } = this.engine;
    const owner = by === 'line' ? profile.frame.function[key] : key;
    const name = profile.string.get(profile.function.name[owner]);
    return by === 'line' ? `${name}:${profile.frame.line[key]}` : name;
  }

  key(name: string): number {
    const { profile } = this.engine;
    for (let key = 0; key < profile.function.rows; ++key) if (this.name(key) === name) return key;
    throw new Error(`no function ${name}`);
  }

  /** "main/work 30 10": path, total, self; sorted. */
  lines(tree: CallTree, by: Selection['by'] = 'function'): string[] {
    const path = (node: number): string =>
      tree.parent[node] === 0 ? this.name(tree.key[node], by) : `${path(tree.parent[node])}/${this.name(tree.key[node], by)}`;
    const lines: string[] = [];
    for (let node = 1; node < tree.nodes; ++node) {
      if (tree.total[node] > 0) lines.push(`${path(node)} ${tree.total[node]} ${tree.self[node]}`);
    }
    return lines.sort();
  }
}

const small = () =>
  new Fixture(
    oneThread()
      .sample({ stack: 'a.py:main:1;a.py:work:5', weight: 20 })
      .sample({ stack: 'a.py:main:1;a.py:work:6', weight: 10 })
      .sample({ stack: 'a.py:main:2;a.py:rest:9', weight: 5 })
      .sample({ stack: 'a.py:main:2', weight: 1, activity: 3 }),
  );

test('stacks with equal functions are one node', () => {
  const fixture = small();
  assert.deepEqual(fixture.lines(fixture.tree()), ['main 36 1', 'main/rest 5 5', 'main/work 30 30']);
});

test('by line, lines are apart', () => {
  const fixture = small();
  assert.deepEqual(fixture.lines(fixture.tree({ by: 'line' }), 'line'), [
    'main:1 30 0', 'main:1/work:5 20 20', 'main:1/work:6 10 10', 'main:2 6 1', 'main:2/rest:9 5 5',
  ]);
});

test('by line, native frames are apart by the lines of their own source', () => {
  const fixture = new Fixture(
    oneThread().sample({ stack: 'a.py:f:1;lib.so:g:7' }).sample({ stack: 'a.py:f:1;lib.so:g:8' }).sample({ stack: 'a.py:f:1;lib.so:g:7' }),
  );
  const leaves = fixture.lines(fixture.tree({ by: 'line' }), 'line').slice(1);
  assert.deepEqual(leaves, ['f:1/g:0 10 10', 'f:1/g:0 20 20']);
  assert.deepEqual(fixture.lines(fixture.tree()), ['f 30 0', 'f/g 30 30']);
});

test('a metric counts its activities only', () => {
  const fixture = small();
  assert.deepEqual(fixture.lines(fixture.tree({ metric: 'cpu' })), ['main 35 0', 'main/rest 5 5', 'main/work 30 30']);
  assert.deepEqual(fixture.lines(fixture.tree({ metric: 'io_wait' })), ['main 1 1']);
});

test('a range takes the part of each sample that is inside', () => {
  const fixture = small();
  assert.deepEqual(fixture.lines(fixture.tree({ range: { begin: 15, end: 32 } })), [
    'main 17 0', 'main/rest 2 2', 'main/work 15 15',
  ]);
});

test('mixed: Python frames in a row, native ones only where Python ends', () => {
  const fixture = new Fixture(
    oneThread()
      .sample({ stack: 'c.so:start:0;a.py:main:1;c.so:eval:0;a.py:work:3;c.so:sort:0;c.so:swap:0' })
      .sample({ stack: 'a.py:main:1;a.py:work:3', activity: 3 })
      .sample({ stack: 'c.so:start:0;a.py:main:1;c.so:eval:0' }),
  );
  assert.deepEqual(fixture.lines(fixture.tree()), [
    'main 30 0', 'main/eval 10 10', 'main/work 20 10', 'main/work/sort 10 0', 'main/work/sort/swap 10 10',
  ]);
  assert.equal(fixture.lines(fixture.tree({ frames: 'both' })).length, 8);
});

test('native frames can be left out, or be all there is', () => {
  const fixture = new Fixture(oneThread().sample({ stack: 'a.py:main:1;lib.so:call:0;a.py:back:3;lib.so:end:0' }));
  assert.deepEqual(fixture.lines(fixture.tree({ frames: 'python' })), ['main 10 0', 'main/back 10 10']);
  assert.deepEqual(fixture.lines(fixture.tree({ frames: 'native' })), ['call 10 0', 'call/end 10 10']);
});

test('calls inside libraries collapse into their entry, and come out at the user\'s code', () => {
  const lib = 'x/site-packages/p';
  const fixture = new Fixture(
    oneThread().sample({ stack: `a.py:main:1;${lib}/a.py:enter:1;${lib}/b.py:inner:2;lib.so:n:0;a.py:callback:7;lib.so:own:0` }),
  );
  assert.deepEqual(fixture.lines(fixture.tree({ collapse: true })), [
    'main 10 0', 'main/enter 10 0', 'main/enter/callback 10 0', 'main/enter/callback/own 10 10',
  ]);
  assert.deepEqual(fixture.lines(fixture.tree({ collapse: true, frames: 'python' })), [
    'main 10 0', 'main/enter 10 0', 'main/enter/callback 10 10',
  ]);
});

test('folded recursion is one frame, also around other functions', () => {
  const fixture = new Fixture(
    oneThread()
      .sample({ stack: 'a.py:f:1;a.py:f:1;a.py:g:2;a.py:f:1;a.py:leaf:3' })
      .sample({ stack: 'a.py:f:1' }),
  );
  assert.deepEqual(fixture.lines(fixture.tree({}, true)), ['f 20 10', 'f/leaf 10 10']);
});

test('a function is counted once in its total, however deep the recursion', () => {
  const fixture = new Fixture(
    oneThread().sample({ stack: 'a.py:f:1;a.py:f:1;a.py:g:2;a.py:f:1', weight: 7 }).sample({ stack: 'a.py:g:2', weight: 2 }),
  );
  const rows = totalsByKey(fixture.tree(), fixture.engine.keys('function'));
  const found = Array.from(rows.key, (key, i) => `${fixture.name(key)} ${rows.total[i]} ${rows.self[i]}`);
  assert.deepEqual(found.sort(), ['f 7 7', 'g 9 2']);
});

test('inverted: who had it, then who called them', () => {
  const fixture = small();
  assert.deepEqual(fixture.lines(invert(fixture.tree())), [
    'main 1 1', 'rest 5 0', 'rest/main 5 5', 'work 30 0', 'work/main 30 30',
  ]);
});

test('callers and callees of one function', () => {
  const fixture = new Fixture(
    oneThread()
      .sample({ stack: 'a.py:x:1;a.py:f:1;a.py:k:1', weight: 3 })
      .sample({ stack: 'a.py:y:1;a.py:f:1;a.py:f:1;a.py:k:1', weight: 4 })
      .sample({ stack: 'a.py:y:1', weight: 100 }),
  );
  const tree = fixture.tree();
  assert.deepEqual(fixture.lines(callersOf(tree, fixture.key('f'), fixture.engine.keys('function'))), ['f 7 0', 'f/x 3 3', 'f/y 4 4']);
  assert.deepEqual(fixture.lines(calleesOf(tree, fixture.key('f'))), ['f 7 0', 'f/f 4 0', 'f/f/k 4 4', 'f/k 3 3']);
  const found = neighboursOf(tree, fixture.key('f'), fixture.engine.keys('function'));
  assert.deepEqual(found.callers.map(({ key, total }) => [fixture.name(key), total]), [['y', 4], ['x', 3]]);
  assert.deepEqual([found.total, found.self], [7, 0]);
});

test('sums hold for every metric and shape: self adds up to what is selected', () => {
  const engine = new Engine(readProfile(encode(demo())));
  for (const { name } of METRICS) {
    for (const by of ['function', 'line'] as const) {
      for (const frames of ['mixed', 'both', 'python', 'native'] as const) {
        for (const collapse of [false, true]) {
          const selection = { ...EVERYTHING, metric: name, by, frames, collapse };
          const tree = engine.tree(selection);
          const self = tree.self.reduce((sum, value) => sum + value, 0);
          assert.equal(self, engine.weights(selection).total, `${name} ${by} ${frames} ${collapse}`);
          assert.equal(tree.total[0], self);
        }
      }
    }
  }
});

test('threads and processes add up to everything; so do ranges', () => {
  const engine = new Engine(readProfile(encode(demo())));
  const total = (change: Partial<Selection>) => engine.weights({ ...EVERYTHING, metric: 'wall', ...change }).total;
  const threads = Array.from({ length: engine.profile.thread.rows }, (_, i) => total({ threads: [i] }));
  assert.equal(threads.reduce((sum, one) => sum + one), total({}));
  assert.equal(total({ processes: [0] }) + total({ processes: [1] }), total({}));
  const cuts = [0, 1.1e9, 5e9, 5.000001e9, 12e9, 21e9];
  const parts = cuts.slice(1).map((end, i) => total({ range: { begin: cuts[i], end } }));
  assert.equal(parts.reduce((sum, one) => sum + one), total({}));
});

test('a layout has each box inside its parent, rows in order, nothing lost', () => {
  const random = randomNumbers(5);
  const builder = oneThread();
  for (let i = 0; i < 400; ++i) {
    const stack = Array.from({ length: 1 + Math.floor(random() * 8) }, () => `a.py:f${Math.floor(random() * 4)}:0`);
    builder.sample({ stack: stack.join(';'), weight: 1 + Math.floor(random() * 1000) });
  }
  const fixture = new Fixture(builder);
  for (const tree of [fixture.tree(), invert(fixture.tree())]) {
    const layout = layoutTree(tree);
    assert.ok(layout.rows.length > 5);
    assert.equal(layout.end[0], tree.total[0]);
    for (let row = 1; row + 1 < layout.rows.length; ++row) {
      for (let box = layout.rows[row]; box < layout.rows[row + 1]; ++box) {
        assert.ok(layout.begin[box] >= layout.begin[layout.parent[box]] && layout.end[box] <= layout.end[layout.parent[box]]);
        if (box > layout.rows[row]) assert.ok(layout.begin[box] >= layout.end[box - 1]);
      }
    }
    assert.equal(layout.self.reduce((sum, one) => sum + one, 0), tree.total[0]);
  }
});

test('a layout without thin boxes has the others where they were', () => {
  const engine = new Engine(readProfile(encode(demo())));
  const tree = engine.tree(EVERYTHING);
  const all = layoutTree(tree);
  const few = layoutTree(tree, tree.total[0] / 30);
  assert.ok(few.key.length > 5 && few.key.length < all.key.length);
  const places = (layout: typeof all) =>
    new Set(Array.from(layout.key, (key, box) => `${key} ${layout.begin[box]} ${layout.end[box]}`));
  for (const place of places(few)) assert.ok(places(all).has(place), place);
});

test('the closer the zoom, the thinner the boxes that are asked for', () => {
  assert.deepEqual([detailOf(1000, 1000), detailOf(1000, 250), detailOf(1000, 249), detailOf(1000, 10), detailOf(1000, 1e-6)], [0, 0, 1, 2, 4]);
  assert.equal(leastOf(1e6, 0), 50);
  assert.equal(leastOf(1e6, 1), 50 / 16);
  assert.deepEqual([leastOf(1e6, 4), leastOf(1e6, undefined)], [0, 0]);
  // On a screen of 5,000 pixels nothing is missing that is as wide as a pixel.
  for (const shown of [1e6, 1e5, 1e4, 7, 1e-3]) assert.ok(leastOf(1e6, detailOf(1e6, shown)) <= shown / 5000);
});
