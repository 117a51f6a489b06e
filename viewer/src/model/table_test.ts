// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { demo } from '../../test/demo';
import { oneThread, ProfileBuilder } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { Engine } from './engine';
import { metricOf, METRICS } from './metrics';
import { partsOf } from './parts';
import { EVERYTHING } from './selection';
import { tableRows } from './table';

const engineOf = (builder: ProfileBuilder) => new Engine(readProfile(encode(builder.finish())));
const sum = (values: Float64Array) => values.reduce((total, one) => total + one, 0);

test('parts of a metric are the metric, and a metric of one kind has none', () => {
  assert.deepEqual(partsOf(metricOf('time')).map(({ name }) => name), ['python', 'native', 'kernel', 'wait']);
  assert.deepEqual(partsOf(metricOf('cpu')).map(({ name }) => name), ['python', 'native', 'kernel']);
  assert.deepEqual(partsOf(metricOf('live_at_peak')).map(({ name }) => name), ['python', 'native', 'mapped']);
  for (const name of ['python', 'io_wait', 'copied', 'await']) assert.deepEqual(partsOf(metricOf(name)), []);
  // Waits of other threads are no part of the time that the user sits through.
  assert.deepEqual(partsOf(metricOf('time'))[3].metric.activities, []);
});

test('in every row the parts add up to the row, and rows to what is selected', () => {
  const engine = new Engine(readProfile(encode(demo())));
  for (const { name } of METRICS) {
    for (const by of ['function', 'line'] as const) {
      const rows = tableRows(engine, { ...EVERYTHING, metric: name, by });
      assert.equal(sum(rows.self), rows.whole.amount, name);
      // Squares of nanoseconds are too large to be exact.
      assert.ok(Math.abs(sum(rows.squares.self) - rows.whole.squares) <= 1e-9 * rows.whole.squares, name);
      const parts = Object.values(rows.parts);
      if (parts.length === 0) continue;
      for (let row = 0; row < rows.key.length; ++row) {
        for (const of of ['self', 'total'] as const) {
          assert.equal(parts.reduce((total, part) => total + part[of][row], 0), rows[of][row], `${name} ${by} ${row}`);
        }
      }
    }
  }
});

test('squares count each observation by itself', () => {
  const rows = tableRows(engineOf(oneThread()
    .sample({ stack: 'a.py:f:1', weight: 6, count: 3 })
    .sample({ stack: 'a.py:f:1;a.py:g:2', weight: 5 })), EVERYTHING);
  assert.deepEqual([...rows.squares.self], [12, 25]);
  assert.deepEqual([...rows.squares.total], [37, 25]);
});

test('rows of time also know the memory of their functions', () => {
  const builder = oneThread().sample({ stack: 'a.py:f:1;a.py:g:2', weight: 5 }).sample({ stack: 'a.py:f:1', weight: 5 });
  builder.page.memory = true;
  builder.add('peak', { thread: 0, stack: builder.stack('a.py:f:1;a.py:g:2'), kind: 0, bytes: 100, blocks: 1, samples: 1 });
  const { others, key } = tableRows(engineOf(builder), EVERYTHING);
  assert.deepEqual([...key], [0, 1]);
  assert.deepEqual([...others.live_at_peak.self], [0, 100]);
  assert.deepEqual([...others.live_at_peak.total], [100, 100]);
  assert.deepEqual([...others.live_at_exit.total], [0, 0]);
});
