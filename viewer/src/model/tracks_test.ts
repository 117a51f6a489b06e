// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from '../../test/demo';
import { encode } from '../../test/encoder';
import { oneThread, randomNumbers } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { chartOf } from './chart';
import { Engine } from './engine';
import { Layout } from './layout';
import { ACTIVITIES, metricOf } from './metrics';
import { EVERYTHING } from './selection';
import { channelTotals, momentOf } from './timeline';
import { CHANNELS } from './tracks';
import { countedActivities } from './weigh';

const engineOf = (source = demo()) => new Engine(readProfile(encode(source)));

test('columns have the parts of samples that are in them', () => {
  const engine = engineOf(
    oneThread().sample({ stack: 'a.py:f:1', weight: 10 }).sample({ stack: 'a.py:g:1', weight: 30, activity: 3 }).finish(),
  );
  const values = engine.threadTracks().columns(0, { begin: 0, end: 40 }, 4);
  const of = (channel: number) => [0, 1, 2, 3].map((column) => values[column * CHANNELS + channel]);
  assert.deepEqual(of(0), [10, 0, 0, 0]);
  assert.deepEqual(of(3), [0, 10, 10, 10]);
  assert.deepEqual([...engine.threadTracks().columns(0, { begin: 4, end: 12 }, 1)].slice(0, 4), [6, 0, 0, 2]);
});

test('columns add up to the totals, wherever they are cut', () => {
  const engine = engineOf();
  const random = randomNumbers(9);
  for (const columns of [1, 7, 100, 1500]) {
    const begin = random() * 1e10;
    const range = { begin, end: begin + 1 + random() * 1e10 };
    for (let thread = 0; thread < 3; ++thread) {
      const values = engine.threadTracks().columns(thread, range, columns);
      const totals = engine.threadTracks().totals(thread, range);
      for (let channel = 0; channel < CHANNELS; ++channel) {
        let sum = 0;
        for (let column = 0; column < columns; ++column) sum += values[column * CHANNELS + channel];
        assert.ok(Math.abs(sum - totals[channel]) < 1 + totals[channel] * 1e-4);
      }
    }
  }
});

test('totals by channel are those of the metrics', () => {
  const engine = engineOf();
  for (const range of [null, { begin: 1.23e9, end: 7.9e9 }]) {
    const totals = channelTotals(engine, { ...EVERYTHING, range });
    ACTIVITIES.forEach(({ name }, channel) => {
      const weighed = engine.weights({ ...EVERYTHING, metric: name, range }).total;
      assert.ok(Math.abs(totals[channel] - weighed) < 1, `${name}: ${totals[channel]} and ${weighed}`);
    });
  }
});

test('tasks run and wait in their own tracks', () => {
  const builder = oneThread();
  const task = builder.task(0, 'job', builder.function('a.py', 'job'));
  builder.sample({ stack: 'a.py:job:1', weight: 10, task: task + 1 }).sample({ stack: 'a.py:loop:1', weight: 10 });
  builder.add('await', { time: 20, task, stack: 0, ready: 0, weight: 6, count: 1 });
  builder.add('await', { time: 24, task, stack: 0, ready: 1, weight: 4, count: 1 });
  const totals = engineOf(builder.finish()).taskTracks().totals(task, { begin: 0, end: 100 });
  assert.deepEqual([totals[0], totals[10], totals[11]], [10, 6, 4]);
});

test('a moment has the stack of its time', () => {
  const engine = engineOf(oneThread().sample({ stack: 'a.py:f:1;a.py:g:2', weight: 10 }).sample({ stack: '', weight: 5, time: 40 }).finish());
  assert.deepEqual(momentOf(engine, 0, 5), { activity: 0, begin: 0, length: 10, frames: [1, 0] });
  assert.equal(momentOf(engine, 0, 20), null);
  assert.deepEqual(momentOf(engine, 0, 38)?.frames, []);
  assert.equal(momentOf(engine, 0, 50), null);
});

function chart(engine: Engine, begin: number, end: number, columns: number): Layout {
  const folding = engine.folding({ frames: 'both', by: 'function', collapse: false, recursion: false });
  const counted = countedActivities(engine.profile, EVERYTHING, metricOf('wall'));
  return chartOf(engine.profile, folding, engine.samplesByThread(), 0, counted, { begin, end }, columns);
}

test('a chart joins what neighbours have in common, and nothing over a gap', () => {
  const engine = engineOf(
    oneThread()
      .sample({ stack: 'a.py:f:1;a.py:g:1' })
      .sample({ stack: 'a.py:f:1;a.py:h:1' })
      .sample({ stack: 'a.py:f:1;a.py:h:1', time: 50 })
      .finish(),
  );
  const { begin, end, rows, samples } = chart(engine, 0, 60, 1000);
  assert.deepEqual([...rows], [0, 1, 3, 6]);
  assert.deepEqual([...begin], [0, 0, 40, 0, 10, 40]);
  assert.deepEqual([...end], [60, 20, 50, 10, 20, 50]);
  assert.deepEqual([...samples], [3, 2, 1, 1, 1, 1]);
});

test('a chart of many samples costs as much as the screen is wide, and is in order', () => {
  const random = randomNumbers(11);
  const builder = oneThread();
  for (let i = 0; i < 20_000; ++i) builder.sample({ stack: `a.py:f:1;a.py:g${Math.floor(random() * 5)}:1`, weight: 10 });
  const engine = engineOf(builder.finish());
  const layout = chart(engine, 0, 200_000, 500);
  assert.ok(layout.begin.length <= 2 + 502);
  assert.deepEqual([layout.begin[1], layout.end[1]], [0, 200_000]);
  for (let box = layout.rows[2] + 1; box < layout.rows[3]; ++box) assert.ok(layout.begin[box] >= layout.end[box - 1]);
  // What is between two moments of a grid does not depend on where the picture begins.
  const shifted = chart(engine, 400, 200_400, 500);
  const keyAt = ({ begin, end, key, rows }: Layout, time: number) => {
    for (let box = rows[2]; box < rows[3]; ++box) if (begin[box] <= time && time < end[box]) return key[box];
    return -1;
  };
  for (let time = 1000; time < 100_000; time += 777) assert.equal(keyAt(layout, time), keyAt(shifted, time));
});
