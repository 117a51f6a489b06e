// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { demo } from '../../test/demo';
import { besideItself, matchedBase } from '../../test/matched';
import { oneThread, ProfileBuilder } from '../../test/synthetic';
import { DataError } from '../data/container';
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
    const now = fresh.finish();
    this.fresh = new Engine(readProfile(encode(now)));
    this.base = new Engine(readProfile(encode(matchedBase(base.finish(), now))));
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

test('what the base says is the same has one row', () => {
  const pair = new Pair(
    oneThread().sample({ stack: '/new/a.py:f:1', weight: 5 }).sample({ stack: '/new/a.py:f:2', weight: 7 }).sample({ stack: '/new/a.py:added:1', weight: 1 }),
    oneThread().sample({ stack: '/old/a.py:gone:1', weight: 3 }).sample({ stack: '/old/a.py:f:2', weight: 70 }).sample({ stack: '/old/a.py:f:3', weight: 50 }),
  );
  assert.deepEqual(pair.rows(), ['added 0>1', 'f 120>12', 'gone- 3>0']);
  assert.deepEqual(pair.rows('line'), ['added:1 0>1', 'f:1 0>5', 'f:2 70>7', 'f:3- 50>0', 'gone:1- 3>0']);
});

test('a base that was written for other data is refused, and one for none has nothing in common', () => {
  const [small, large] = [oneThread().sample({ stack: 'a.py:f:1' }), oneThread().sample({ stack: 'a.py:f:1;a.py:g:2' })].map((builder) => builder.finish());
  const base = readProfile(encode(matchedBase(large, large)));
  assert.throws(() => matchKeys(readProfile(encode(small)), base, 'function'), DataError);
  assert.throws(() => matchKeys(readProfile(encode(small)), base, 'line'), DataError);
  const plain = matchKeys(readProfile(encode(small)), readProfile(encode(large)), 'function');
  assert.deepEqual([...plain.keyOf], [1, 2]);
  assert.deepEqual([...plain.onlyBase], [0, 1]);
});

test('a profile beside itself has all in common', () => {
  const data = encode(demo());
  const [fresh, base] = [readProfile(data), readProfile(besideItself(data))];
  for (const by of ['function', 'line'] as const) assert.equal(matchKeys(fresh, base, by).onlyBase.length, 0);
});

test('both sides keep their sums, for every metric', () => {
  const fresh = new Engine(readProfile(encode(demo())));
  const base = new Engine(readProfile(encode(matchedBase(demo({ seed: 8, seconds: 12 }), demo()))));
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
