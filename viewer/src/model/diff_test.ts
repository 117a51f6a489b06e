// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { demo } from '../../test/demo';
import { oneThread, ProfileBuilder } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { changeOf, diffBoxes, diffRows, diffTree, wholeOf } from './diff';
import { Engine } from './engine';
import { isSignificant } from './interval';
import { Matching, matchKeys } from './match';
import { METRICS } from './metrics';
import { EVERYTHING, Selection } from './selection';

const sum = (values: Float64Array) => values.reduce((total, one) => total + one, 0);

class Pair {
  readonly fresh: Engine;
  readonly base: Engine;

  constructor(fresh: ProfileBuilder, base: ProfileBuilder) {
    this.fresh = new Engine(readProfile(encode(fresh.finish())));
    this.base = new Engine(readProfile(encode(base.finish())));
  }

  matching(by: Selection['by'] = 'function'): Matching {
    return matchKeys(this.fresh.profile, this.base.profile, by);
  }

  name(key: number, by: Selection['by'], matching: Matching): string {
    const own = key < matching.ownKeys;
    const { profile } = own ? this.fresh : this.base;
    const inside = own ? key : matching.onlyBase[key - matching.ownKeys];
    const owner = by === 'line' ? profile.frame.function[inside] : inside;
    const name = profile.string.get(profile.function.name[owner]);
    return (by === 'line' ? `${name}:${profile.frame.line[inside]}` : name) + (own ? '' : '-');
  }

  /** "name base>new", total; sorted. "-" marks what only the base has. */
  rows(by: Selection['by'] = 'function'): string[] {
    const matching = this.matching(by);
    const rows = diffRows(this.fresh, this.base, { ...EVERYTHING, by }, matching);
    return Array.from(rows.key, (key, i) => `${this.name(key, by, matching)} ${rows.base.total.amount[i]}>${rows.fresh.total.amount[i]}`).sort();
  }
}

test('functions are the same by name and end of path', () => {
  const pair = new Pair(
    oneThread().sample({ stack: '/new/app/a.py:f:1', weight: 5 }).sample({ stack: '/new/lib/a.py:f:1', weight: 7 }).sample({ stack: '/new/app/a.py:added:1', weight: 1 }),
    oneThread().sample({ stack: '/old/lib/a.py:f:1', weight: 70 }).sample({ stack: '/old/app/a.py:f:1', weight: 50 }).sample({ stack: '/old/app/b.py:f:1', weight: 3 }),
  );
  assert.deepEqual(pair.rows(), ['added 0>1', 'f 50>5', 'f 70>7', 'f- 3>0']);
});

test('of several with one name in one file, each has its own partner', () => {
  const lambdas = (lines: number[], weight: number) => {
    const builder = oneThread();
    for (const line of lines) {
      const owner = builder.add('function', { file: builder.file('/app/a.py'), name: builder.string('<lambda>'), line });
      const frame = builder.add('frame', { function: owner, line });
      builder.add('sample', { time: line, thread: 0, stack: builder.add('stack', { parent: 0, frame, flags: 0 }), activity: 0, weight: weight + line, count: 1, task: 0 });
    }
    return builder;
  };
  assert.deepEqual(new Pair(lambdas([13, 33], 0), lambdas([30, 10], 100)).rows(), ['<lambda> 110>13', '<lambda> 130>33']);
});

test('lines are the same by their text, though all have moved', () => {
  const profile = (source: string, stacks: Record<string, number>, first: number) => {
    const builder = oneThread();
    builder.file('/app/a.py', source);
    builder.function('/app/a.py', 'f', first);
    for (const [stack, weight] of Object.entries(stacks)) builder.sample({ stack, weight });
    return builder;
  };
  const pair = new Pair(
    profile('# new\n# new\ndef f():\n    a()\n    more()\n    b()\n    a()\n', { '/app/a.py:f:4': 1, '/app/a.py:f:6': 2, '/app/a.py:f:7': 3, '/app/a.py:f:5': 4 }, 3),
    profile('def f():\n    a()\n    b()\n    a()\n    gone()\n', { '/app/a.py:f:2': 10, '/app/a.py:f:3': 20, '/app/a.py:f:4': 30, '/app/a.py:f:5': 40 }, 1),
  );
  assert.deepEqual(pair.rows('line'), ['f:4 10>1', 'f:5 0>4', 'f:5- 40>0', 'f:6 20>2', 'f:7 30>3']);
});

test('without sources, lines are the same by their number inside the function', () => {
  const at = (first: number, line: number, weight: number) => {
    const builder = oneThread();
    builder.function('/app/a.py', 'f', first);
    return builder.sample({ stack: `/app/a.py:f:${line}`, weight });
  };
  assert.deepEqual(new Pair(at(11, 14, 2), at(1, 4, 1)).rows('line'), ['f:14 1>2']);
});

test('both sides keep their sums, for every metric', () => {
  const fresh = new Engine(readProfile(encode(demo())));
  const base = new Engine(readProfile(encode(demo({ seed: 8, seconds: 12 }))));
  for (const { name } of METRICS) {
    for (const by of ['function', 'line'] as const) {
      const selection = { ...EVERYTHING, metric: name, by };
      const matching = matchKeys(fresh.profile, base.profile, by);
      const rows = diffRows(fresh, base, selection, matching);
      const whole = wholeOf(fresh, base, selection);
      assert.equal(sum(rows.fresh.self.amount), fresh.tree(selection).total[0], name);
      assert.equal(sum(rows.base.self.amount), base.tree(selection).total[0], name);
      // Squares of nanoseconds are too large to be exact.
      assert.ok(Math.abs(sum(rows.base.self.squares) - whole.base.squares) <= 1e-9 * whole.base.squares, name);
      const { layout, fresh: now, base: then } = diffBoxes(diffTree(fresh, base, selection, matching), 1, true);
      assert.deepEqual([now.amount[0], then.amount[0]], [whole.fresh.amount, whole.base.amount], name);
      for (let box = 1; box < layout.key.length; ++box) {
        const parent = layout.parent[box];
        assert.ok(layout.begin[box] >= layout.begin[parent] && layout.end[box] <= layout.end[parent]);
        assert.ok(now.amount[box] <= now.amount[parent] && then.amount[box] <= then.amount[parent]);
      }
    }
  }
});

test('what is gone keeps its width, and can be left out', () => {
  const pair = new Pair(
    oneThread().sample({ stack: 'a.py:m:1;a.py:kept:1', weight: 6 }),
    oneThread().sample({ stack: 'a.py:m:1;a.py:kept:1', weight: 8 }).sample({ stack: 'a.py:m:1;a.py:gone:2;a.py:deep:3', weight: 4 }),
  );
  const boxes = (vanished: boolean, scale = 1) => {
    const matching = pair.matching();
    const { layout, fresh, base } = diffBoxes(diffTree(pair.fresh, pair.base, EVERYTHING, matching), scale, vanished);
    return Array.from(layout.key, (key, box) =>
      `${key < 0 ? 'all' : pair.name(key, 'function', matching)} ${layout.end[box] - layout.begin[box]}: ${base.amount[box]}>${fresh.amount[box]}`);
  };
  assert.deepEqual(boxes(false), ['all 6: 12>6', 'm 6: 12>6', 'kept 6: 8>6']);
  assert.deepEqual(boxes(true), ['all 10: 12>6', 'm 10: 12>6', 'kept 6: 8>6', 'gone- 4: 4>0', 'deep- 4: 4>0']);
  assert.deepEqual(boxes(true, 0.5)[3], 'gone- 2: 4>0');
});

test('boxes that nobody could see come with the detail of a closer look', () => {
  const stacks = (weight: number) => oneThread().sample({ stack: 'a.py:m:1;a.py:large:1', weight: 1e6 }).sample({ stack: 'a.py:m:1;a.py:tiny:1', weight });
  const pair = new Pair(stacks(4), stacks(8));
  const tree = diffTree(pair.fresh, pair.base, EVERYTHING, pair.matching());
  const boxes = (detail?: number) => diffBoxes(tree, 1, true, detail).layout.key.length;
  assert.deepEqual([boxes(0), boxes(1), boxes()], [3, 4, 4]);
});

test('twice the run is twice the time, but the same shares', () => {
  const run = (times: number) => {
    const builder = oneThread();
    for (let i = 0; i < 100 * times; ++i) builder.sample({ stack: i % 4 ? 'a.py:f:1' : 'a.py:g:2' });
    return builder;
  };
  const pair = new Pair(run(2), run(1));
  const whole = wholeOf(pair.fresh, pair.base, EVERYTHING);
  assert.deepEqual(whole.interval, { low: 1000, high: 1000 });
  const f = { fresh: { amount: 1500, squares: 15_000 }, base: { amount: 750, squares: 7500 } };
  const absolute = changeOf(f.fresh, f.base, whole, 'nanoseconds', false);
  const shares = changeOf(f.fresh, f.base, whole, 'nanoseconds', true);
  assert.equal(absolute.difference, 750);
  assert.ok(isSignificant(absolute.interval));
  assert.equal(shares.difference, 0);
  assert.ok(!isSignificant(shares.interval));
});

test('a total that is itself sampled has an interval', () => {
  const run = (python: number) => {
    const builder = oneThread();
    for (let i = 0; i < 100; ++i) builder.sample({ stack: 'a.py:f:1', activity: i < python ? 0 : 1 });
    return builder;
  };
  const { interval } = wholeOf(new Pair(run(52), run(50)).fresh, new Pair(run(52), run(50)).base, { ...EVERYTHING, metric: 'python' });
  assert.ok(interval.low < -80 && interval.high > 100, JSON.stringify(interval));
});
