// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRIC, SCHEMA } from '../data/schema';
import {
  ACTIVITIES, countsAllWaits, headOf, lineColumnsOf, MEMORY_COLUMNS, metricOf, METRICS, MetricRow, metricsOf, metricsOfProfile, ON_CPU, ROWS,
  TIME_PART_OF_ACTIVITY, TIME_PARTS, WAITS, wholeTime,
} from './metrics';

test('names are told apart, and each has its words', () => {
  assert.equal(new Set(ROWS.map(({ name }) => name)).size, ROWS.length);
  for (const { name, title, head, phrase, meaning } of ROWS) {
    assert.match(name, /^[a-z_]+$/);
    for (const text of [title, head, phrase, meaning]) assert.ok(text.length > 0, name);
  }
});

test('everything that the program knows is a row, but for what the page does not show', () => {
  const rows = ROWS.map(({ name }) => name).filter((name) => name !== 'temporary');
  assert.deepEqual(rows.sort(), Object.keys(METRIC).filter((name) => !['samples', 'main_wait'].includes(name)).sort());
});

test('what a recording declares comes last, and no name of it is that of anything else', () => {
  const { all, declared, lineColumns, of } = metricsOfProfile([
    { name: 'cpu', title: 'Cycles \u202e', unit: 'cycles' }, { name: '__proto__', unit: 'bytes' }, { name: 7 }, 'no metric',
  ]);
  assert.deepEqual(all.slice(0, METRICS.length), METRICS);
  assert.deepEqual(declared.map(({ title, unit, source, group }) => [title, unit, source, group]), [
    ['Cycles ⟨U+202E⟩', 'count of cycles', 'amount', 'Of this recording'],
    ['__proto__', 'bytes', 'amount', 'Of this recording'],
    ['no name', 'count', 'amount', 'Of this recording'],
    ['no name', 'count', 'amount', 'Of this recording'],
  ]);
  assert.deepEqual(lineColumns.slice(-4).map(({ head, besideCode }) => [head, besideCode]), [
    ['Cycles ⟨U+202E⟩', true], ['__proto__', true], ['No name', true], ['No name', false],
  ]);
  assert.equal(of('cpu'), metricOf('cpu'));
  assert.equal(of(declared[0].name), declared[0]);
  assert.equal(of('declared:of another profile').declared, -1);
  assert.deepEqual(metricsOfProfile({ not: 'a list' }).declared, []);
});

test('activities are those of the data, each in one part of time', () => {
  assert.equal(ACTIVITIES.length, SCHEMA.sample.activity.most + 1);
  assert.deepEqual([...ON_CPU, ...WAITS], ACTIVITIES.map((_, number) => number));
  assert.deepEqual(ACTIVITIES.map(({ letter }) => letter).join(''), 'PNKILGSCRO');
  assert.deepEqual([...TIME_PART_OF_ACTIVITY], [0, 1, 2, 3, 3, 3, 3, 3, 3, 3]);
  assert.deepEqual(TIME_PARTS.map(({ head }) => head), ['Python', 'Native', 'Kernel', 'Wait']);
});

test('a sum has the activities of its parts; the main thread may count more', () => {
  const { activities, mainActivities, group } = metricOf('time');
  assert.deepEqual([activities, mainActivities, group], [ON_CPU, [...ON_CPU, ...WAITS], 'Time']);
  assert.deepEqual(['wall', 'cpu', 'wait', 'sleep', 'await', 'copied'].map((name) => metricOf(name).group), [
    'Time', 'On a CPU', 'Waits', 'Waits', 'Waits', 'Memory',
  ]);
  assert.equal(metricOf('of another profile'), METRICS[0]);
});

test('a metric with waits of all threads is a part of the wall clock', () => {
  assert.deepEqual(['time', 'cpu', 'allocated', 'await'].map(wholeTime), ['time', 'time', 'time', 'time']);
  assert.deepEqual(['wall', 'wait', 'gil_wait'].map(wholeTime), ['wall', 'wall', 'wall']);
  assert.ok(countsAllWaits('sleep') && !countsAllWaits('native'));
});

test('what nothing can weigh by itself is no metric to select', () => {
  const rows: MetricRow[] = [...ROWS, { ...ROWS[0], name: 'from_tomorrow', parts: ['from_tomorrow'] }];
  assert.deepEqual(metricsOf(rows), METRICS);
  assert.ok(METRICS.every(({ name }) => !['worker', 'gc', 'import'].includes(name)));
});

test('a row of the table is a metric, a column of lines and one of the table', () => {
  const without = ROWS.filter(({ name }) => name !== 'copied');
  assert.equal(metricsOf(without).length, METRICS.length - 1);
  assert.deepEqual(lineColumnsOf(without), lineColumnsOf(ROWS).filter(({ name }) => name !== 'copied'));
  assert.deepEqual(lineColumnsOf(ROWS).map(({ head }) => head), [
    'Python', 'Native', 'Kernel', 'Workers', 'Wait', 'Await', 'At peak', 'Alloc', 'Copied', 'At exit',
  ]);
  assert.deepEqual(MEMORY_COLUMNS.map(headOf), ['Alloc', 'At peak', 'At exit', 'Copied']);
});
