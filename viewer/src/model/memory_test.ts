// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from '../../test/demo';
import { encode } from '../../test/encoder';
import { oneThread, ProfileBuilder } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { Engine } from './engine';
import { Atlas } from './atlas';
import { memoryLevels } from './memory_levels';
import { memoryParts } from './memory_parts';
import { metricOf } from './metrics';
import { sumBlocks, sumRegions } from './span_sums';
import { processTotals } from './process_totals';
import { EVERYTHING, Selection, weighingOf } from './selection';

const weighing = (change: Partial<Selection> = {}) => weighingOf({ ...EVERYTHING, ...change });
const profileOf = (builder: ProfileBuilder) => readProfile(encode(builder.finish()));

test('parts of every amount agree with its total', () => {
  const engine = new Engine(readProfile(encode(demo())));
  for (const metric of ['live_at_peak', 'allocated', 'live_at_exit', 'temporary', 'copied']) {
    for (const change of [{}, { threads: [0, 1] }, { processes: [0] }, { processes: [1] }, { range: { begin: 3e9, end: 9e9 } }]) {
      const of = weighing({ metric, ...change });
      const parts = memoryParts(engine.profile, of, metricOf(metric));
      const sum = (rows: { bytes: number; samples: number }[]) => rows.reduce((total, { bytes }) => total + bytes, 0);
      const { total, totalSamples } = engine.weights(of);
      // The demo's child has no memory.
      assert.equal(total > 0, change.processes?.[0] !== 1, metric);
      assert.equal(parts.whole.bytes, total, metric);
      assert.equal(parts.whole.samples, totalSamples, metric);
      assert.equal(sum(parts.threads), total);
      assert.equal(sum(parts.sizes), total);
      if (metric !== 'copied') assert.equal(sum(parts.kinds), total);
      if (metric === 'live_at_exit') assert.equal(sum(parts.types), total);
    }
  }
});

test('temporary is what was freed of what was allocated, place by place', () => {
  const builder = oneThread();
  const change = (time: number, stack: string, bytes: number, freed: number) =>
    builder.add('change', { time, thread: 0, stack: builder.stack(stack), kind: 0, bytes, blocks: 10, samples: 4, freed });
  change(10, 'a.py:f:1', 100, 0);
  change(20, 'a.py:f:1', 0, 60);
  change(10, 'a.py:g:2', 50, 50);
  change(10, 'a.py:h:3', 70, 0);
  const engine = new Engine(profileOf(builder));
  const total = (of: Partial<Selection>) => engine.weights(weighing({ metric: 'temporary', ...of })).total;
  assert.equal(total({}), 110);
  assert.equal(total({ range: { begin: 0, end: 10 } }), 50);
});

test('how well bytes are known is what the recording says', () => {
  const builder = oneThread();
  const change = (stack: string, kind: number, bytes: number, variance: number) =>
    builder.add('change', { time: 10, thread: 0, stack: builder.stack(stack), kind, bytes, blocks: 1, samples: 1, variance, freed: bytes / 2 });
  change('a.py:f:1', 0, 8192, 64);
  change('a.py:g:2', 1, 8192, 0);
  change('a.py:f:1', 3, 4096, 16);
  const squares = (metric: string) => new Engine(profileOf(builder)).squareWeights(weighing({ metric }));
  assert.deepEqual([...squares('allocated').self].slice(1), [64 * 2 ** 20, 0]);
  assert.deepEqual([...squares('temporary').self].slice(1), [32 * 2 ** 20, 0]);
  const whole = (metric: string) => new Engine(profileOf(builder)).sampledWhole(weighing({ metric })).pieces;
  assert.deepEqual([whole('allocated'), whole('time')], [undefined, undefined]);
  builder.page.pieces = true;
  assert.deepEqual([whole('allocated'), whole('live_at_peak'), whole('copied'), whole('time')], [64 * 2 ** 20, 64 * 2 ** 20, 16 * 2 ** 20, undefined]);
});

test('blocks fall into buckets by their mean size', () => {
  const builder = oneThread();
  const place = { thread: 0, kind: 0, samples: 1 };
  builder.add('peak', { ...place, stack: builder.stack('a.py:f:1'), bytes: 640, blocks: 10 });
  builder.add('peak', { ...place, stack: builder.stack('a.py:f:2'), bytes: 127, blocks: 1 });
  builder.add('peak', { ...place, stack: builder.stack('a.py:f:3'), bytes: 128, blocks: 1 });
  builder.page.memory = true;
  const { sizes } = memoryParts(profileOf(builder), weighing({ metric: 'live_at_peak' }), metricOf('live_at_peak'));
  assert.deepEqual(sizes.map(({ bytes }) => bytes).slice(5), [0, 767, 128]);
});

const levels = () => {
  const builder = new ProfileBuilder();
  builder.process(1);
  builder.process(2);
  builder.tables.process.end = [100, 50];
  const level = (process: number, time: number, python: number) =>
    builder.add('level', { process, time, rss: 2 * python, pss: 0, python, native: 1, mapped: 0 });
  level(0, 10, 5);
  level(1, 20, 7);
  level(0, 40, 6);
  level(0, 80, 9);
  return profileOf(builder);
};

test('levels are sums over the processes that are alive', () => {
  const all = memoryLevels(levels(), weighing(), 100);
  assert.deepEqual([...all.time], [10, 20, 40, 50, 80]);
  assert.deepEqual([...all.inUse], [6, 14, 15, 7, 10]);
  assert.deepEqual([all.peak, all.rss[2]], [2, 26]);
  assert.deepEqual([...memoryLevels(levels(), weighing({ processes: [1] }), 100).inUse], [8]);
  assert.deepEqual([...memoryLevels(levels(), weighing({ range: { begin: 30, end: 60 } }), 100).time], [40, 50]);
  assert.equal(memoryLevels(levels(), weighing({ range: { begin: 90, end: 95 } }), 100).peak, -1);
});

test('the PSS is a sum only when that of every process is known', () => {
  const builder = new ProfileBuilder();
  builder.process(1);
  builder.process(2);
  const level = (process: number, time: number, pss: number) =>
    builder.add('level', { process, time, rss: 9, pss, python: 1, native: 0, mapped: 0 });
  level(0, 10, 5);
  level(1, 20, 0);
  level(0, 30, 6);
  level(1, 40, 3);
  level(0, 50, 0);
  level(0, 60, 7);
  assert.deepEqual([...memoryLevels(profileOf(builder), weighing(), 100).pss], [5, 0, 0, 9, 0, 10]);
});

test('fewer points keep the peak', () => {
  const profile = readProfile(encode(demo()));
  const all = memoryLevels(profile, weighing(), 1e6);
  const few = memoryLevels(profile, weighing(), 12);
  assert.ok(few.time.length <= 12);
  assert.equal(few.inUse[few.peak], all.inUse[all.peak]);
});

test('regions and blocks by name and place, cut to the range', () => {
  const builder = oneThread();
  builder.page.end_ns = 100;
  for (const begin of [0, 50]) builder.add('region', { thread: 0, name: builder.string('load'), begin, length: 20, cpu: 10 });
  builder.add('block', { thread: 0, stack: builder.stack('a.py:f:4;x/site-packages/l.py:g:2'), begin: 10, length: 30 });
  const profile = profileOf(builder);
  assert.deepEqual(sumRegions(profile, weighing()), [{ name: 'load', count: 2, wall: 40, longest: 20, cpu: 20 }]);
  assert.deepEqual(sumRegions(profile, weighing({ range: { begin: 60, end: 99 } })), [{ name: 'load', count: 1, wall: 10, longest: 10, cpu: 5 }]);
  const [block] = sumBlocks(new Atlas(profile), weighing({ range: { begin: 0, end: 15 } }));
  assert.deepEqual([block.line, block.time, profile.string.get(profile.function.name[block.function])], [4, 5, 'f']);
});

test('processes add up to everything', () => {
  const engine = new Engine(readProfile(encode(demo())));
  for (const change of [{}, { range: { begin: 1e9, end: 4e9 } }]) {
    const rows = processTotals(engine.profile, weighing(change));
    assert.equal(rows.reduce((sum, { cpu, waits }) => sum + cpu + waits, 0), engine.weights(weighing({ metric: 'wall', ...change })).total);
  }
});
