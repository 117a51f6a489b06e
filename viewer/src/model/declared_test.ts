// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { oneThread, ProfileBuilder } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { Atlas } from './atlas';
import { changeOf, wholeOf } from './diff';
import { Engine } from './engine';
import { lineFigures } from './line_figures';
import { EVERYTHING, Selection, weighingOf } from './selection';
import { tableRows } from './table';

const MISSES = 'declared:misses';
const HITS = 'declared:hits';
const of = (change: Partial<Selection>): Selection => ({ ...EVERYTHING, ...change });

/** Two threads; `metrics` in this order. */
function counted(metrics: string[]): ProfileBuilder {
  const builder = oneThread().sample({ stack: 'a.py:f:1;a.py:g:2', weight: 5 });
  builder.thread(0, 'other');
  builder.meta.metrics = metrics.map((name) => ({ name, title: name, unit: 'count', value: 0 }));
  const add = (name: string, thread: number, stack: string, value: number, time: number) =>
    metrics.includes(name) && builder.add('amount', { metric: metrics.indexOf(name), thread, stack: builder.stack(stack), value, count: 2, time });
  add('misses', 0, 'a.py:f:1', 10, 0);
  add('misses', 0, 'a.py:f:1;a.py:g:2', 30, 21);
  add('hits', 1, 'a.py:f:1;a.py:g:2', 500, 0);
  return builder;
}

const engineOf = (builder: ProfileBuilder) => new Engine(readProfile(encode(builder.finish())));

test('what a recording declares is weighed as any other metric', () => {
  const engine = engineOf(counted(['misses', 'hits']));
  const weights = (change: Partial<Selection>) => engine.weights(weighingOf(of({ metric: MISSES, ...change })));
  assert.equal(weights({}).total, 40);
  assert.equal(weights({}).totalSamples, 4);
  assert.equal(weights({ threads: [1] }).total, 0);
  assert.equal(weights({ metric: HITS, threads: [1] }).total, 500);
  assert.equal(weights({ range: { begin: 10, end: 20 } }).total, 30, 'of a known time');
  assert.equal(weights({ range: { begin: 0, end: 20 } }).total, 30);
  assert.equal(engine.weights(weighingOf(EVERYTHING)).total, 5, 'no time');
});

test('it has columns beside time', () => {
  const engine = engineOf(counted(['misses', 'hits']));
  const { others, key } = tableRows(engine, EVERYTHING);
  assert.deepEqual([...key], [0, 1]);
  assert.deepEqual([...others[MISSES].self, ...others[MISSES].total], [10, 30, 40, 30]);
  assert.deepEqual(Object.keys(tableRows(engine, of({ metric: HITS })).others), [MISSES]);
  const { amount, total } = lineFigures(engine, new Atlas(engine.profile), weighingOf(EVERYTHING), 0, 'self');
  assert.deepEqual([...amount[MISSES]], [10, 30]);
  assert.deepEqual([...amount[HITS]], [0, 500]);
  assert.equal(total[MISSES], 40);
});

test('profiles are compared by names, and a count has no interval', () => {
  const [fresh, base] = [engineOf(counted(['misses', 'hits'])), engineOf(counted(['hits', 'misses']))];
  const whole = wholeOf(fresh, base, of({ metric: MISSES }));
  assert.deepEqual([whole.fresh.amount, whole.base.amount, whole.interval], [40, 40, { low: 0, high: 0 }]);
  const change = changeOf({ amount: 30, squares: 0 }, { amount: 10, squares: 0 }, whole, 'count', false);
  assert.deepEqual(change.interval, { low: 20, high: 20 });
  const without = engineOf(counted(['hits']));
  assert.equal(wholeOf(fresh, without, of({ metric: MISSES })).base.amount, 0);
});
