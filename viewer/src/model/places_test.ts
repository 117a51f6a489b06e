// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demo } from '../../test/demo';
import { encode } from '../../test/encoder';
import { oneThread, ProfileBuilder } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { activityTotals } from './activity_totals';
import { Atlas } from './atlas';
import { Engine } from './engine';
import { lineCalls } from './line_calls';
import { fileFigures, lineFigures } from './line_figures';
import { HISTORY_PARTS, lineHistory } from './line_history';
import { lineColumnsOf, METRICS, ROWS, TIME_PARTS, WORKER } from './metrics';
import { amountInterval } from './interval';
import { placeIntervals } from './place_intervals';
import type { Charge } from './places';
import { rank } from './ranking';
import { EVERYTHING, Selection, Weighing, weighingOf } from './selection';

class Fixture {
  readonly engine: Engine;
  readonly atlas: Atlas;

  constructor(source: ReturnType<ProfileBuilder['finish']>) {
    const profile = readProfile(encode(source));
    this.engine = new Engine(profile);
    this.atlas = new Atlas(profile);
  }

  weighing(change: Partial<Selection> = {}): Weighing {
    return weighingOf({ ...EVERYTHING, ...change });
  }

  file(path: string): number {
    const { profile } = this.engine;
    for (let i = 0; i < profile.file.rows; ++i) if (profile.string.get(profile.file.path[i]) === path) return i;
    throw new Error(`no file ${path}`);
  }

  name(owner: number): string {
    const { profile } = this.engine;
    return profile.string.get(profile.function.name[owner]);
  }

  /** "5: 20": lines of a file with what they have of the metric. */
  lines(path: string, charge: Charge, change: Partial<Selection> = {}): string[] {
    const { line, amount } = lineFigures(this.engine, this.atlas, this.weighing(change), this.file(path), charge);
    return Array.from(line, (number, i) => `${number}: ${amount.heat[i]}`).filter((text) => !text.endsWith(': 0'));
  }
}

const LIB = 'x/site-packages/p.py';

const small = () =>
  new Fixture(
    oneThread()
      .sample({ stack: `a.py:main:1;a.py:work:5;${LIB}:go:7;lib.so:fast:0`, weight: 20, activity: 1 })
      .sample({ stack: `a.py:main:1;a.py:work:5;${LIB}:go:7`, weight: 10 })
      .sample({ stack: 'a.py:main:1;a.py:work:6', weight: 4, activity: 3 })
      .sample({ stack: `${LIB}:alone:9`, weight: 2 })
      .sample({ stack: 'lib.so:start:0', weight: 1, activity: 2 })
      .finish(),
  );

test('a line of the user has what libraries do for it; self is the innermost Python line', () => {
  const fixture = small();
  assert.deepEqual(fixture.lines('a.py', 'own'), ['5: 30', '6: 4']);
  assert.deepEqual(fixture.lines(LIB, 'own'), []);
  assert.deepEqual(fixture.lines('a.py', 'self'), ['6: 4']);
  assert.deepEqual(fixture.lines(LIB, 'self'), ['7: 30', '9: 2']);
  assert.deepEqual(fixture.lines('a.py', 'total'), ['1: 34', '5: 30', '6: 4']);
});

test('a line in two functions, and a line that calls itself, are counted once', () => {
  const fixture = new Fixture(oneThread().sample({ stack: 'a.py:f:3;a.py:f.<lambda>:3;a.py:f:3', weight: 7 }).finish());
  assert.deepEqual(fixture.lines('a.py', 'total'), ['3: 7']);
  assert.deepEqual(fixture.lines('a.py', 'own'), ['3: 7']);
});

test('the parts of time are those that a metric counts, and add up to it', () => {
  const { engine, weighing } = { engine: small().engine, weighing: small().weighing() };
  const totals = (metric: string) => engine.timeParts({ ...weighing, metric }, new Int32Array(engine.profile.stack.rows), 1).map(({ total }) => total);
  assert.deepEqual(totals('time'), [12, 20, 1, 4]);
  assert.deepEqual(totals('cpu'), [12, 20, 1, 0]);
  assert.deepEqual(totals('native'), [0, 20, 0, 0]);
  assert.deepEqual(totals('wait'), [0, 0, 0, 4]);
});

test('sums of lines, files and what is elsewhere agree with the total, for every metric', () => {
  const fixture = new Fixture(demo());
  const { engine, atlas } = fixture;
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  for (const { name, source } of METRICS) {
    for (const change of [{}, { range: { begin: 2e9, end: 7.7e9 } }, { threads: [0, 2] }]) {
      const weighing = fixture.weighing({ metric: name, ...change });
      const whole = engine.weights(weighing);
      for (const charge of ['own', 'self'] as const) {
        const ranking = rank(engine, atlas, weighing, 'line', charge, 1e9);
        assert.equal(sum(ranking.rows.map(({ amount }) => amount)) + ranking.elsewhere, whole.total, `${name} ${charge}`);
        assert.equal(sum(fileFigures(engine, atlas, weighing, charge).heat), whole.total - ranking.elsewhere, `${name} ${charge} files`);
        if (source !== 'sample') continue;
        for (const { amount, timeParts } of ranking.rows) assert.equal(sum(timeParts), amount, `${name} ${charge} parts`);
      }
    }
  }
});

test('the columns of a file add up to those of its rankings', () => {
  const fixture = new Fixture(demo());
  const file = fixture.file('/srv/app/orders.py');
  const figures = lineFigures(fixture.engine, fixture.atlas, fixture.weighing(), file, 'own');
  for (const { name: column } of lineColumnsOf(ROWS)) {
    // Workers are a part of the CPU columns, and no metric of their own.
    if (column === 'wait' || column === WORKER) continue;
    const ranking = rank(fixture.engine, fixture.atlas, fixture.weighing({ metric: column }), 'line', 'own', 1e9);
    const expected = ranking.rows.filter((row) => row.file === file).reduce((sum, row) => sum + row.amount, 0);
    assert.equal(figures.amount[column].reduce((sum, value) => sum + value, 0), expected, column);
    assert.equal(figures.total[column], ranking.total, column);
  }
  const parts = TIME_PARTS.reduce((sum, { name }) => sum + figures.amount[name].reduce((total, value) => total + value, 0), 0);
  assert.equal(parts, figures.amount.heat.reduce((sum, value) => sum + value, 0));
});

test('the history of a line adds up to the line; its memory ends with what is live', () => {
  const builder = oneThread()
    .sample({ stack: 'a.py:f:3', weight: 30 })
    .sample({ stack: 'a.py:f:4', weight: 10 });
  const stack = builder.stack('a.py:f:4');
  for (const [time, bytes, freed] of [[5, 100, 0], [20, 50, 100], [40, 8, 0]]) {
    builder.add('change', { time, thread: 0, stack, kind: 0, bytes, blocks: 1, samples: 1, freed });
  }
  const fixture = new Fixture(builder.finish());
  for (const charge of ['own', 'self', 'total'] as const) {
    const { line, activity, live } = lineHistory(fixture.atlas, fixture.weighing(), fixture.file('a.py'), charge);
    assert.deepEqual([...line], [3, 4]);
    const sums = [0, 1].map((row) => activity.slice(row * HISTORY_PARTS, (row + 1) * HISTORY_PARTS).reduce((sum, value) => sum + value, 0));
    assert.deepEqual(sums.map(Math.round), [30, 10]);
    assert.deepEqual([live[HISTORY_PARTS + 10], live[HISTORY_PARTS + 30], live[2 * HISTORY_PARTS - 1]], [100, 50, 58]);
  }
  const inRange = lineHistory(fixture.atlas, fixture.weighing({ range: { begin: 25, end: 35 } }), fixture.file('a.py'), 'own');
  assert.equal(Math.round(inRange.activity.reduce((sum, value) => sum + value, 0)), 10);
  assert.equal(inRange.live[HISTORY_PARTS], 50);
});

test('callers, calls and native functions of a line', () => {
  const fixture = small();
  const calls = (path: string, line: number, charge: Charge) => {
    const found = lineCalls(fixture.atlas, fixture.engine.weights(fixture.weighing()), fixture.file(path), line, charge);
    const texts = (rows: typeof found.callers) => rows.map(({ function: owner, line: at, amount }) => `${fixture.name(owner)}:${at} ${amount}`);
    return { amount: found.amount, inLine: found.inLine, callers: texts(found.callers), callees: texts(found.callees), natives: texts(found.natives) };
  };
  assert.deepEqual(calls('a.py', 5, 'own'), { amount: 30, inLine: 0, callers: ['main:1 30'], callees: ['go:1 30'], natives: ['fast:0 20'] });
  assert.deepEqual(calls('a.py', 1, 'total'), { amount: 34, inLine: 0, callers: [], callees: ['work:1 34'], natives: ['fast:0 20'] });
  assert.deepEqual(calls(LIB, 7, 'self'), { amount: 30, inLine: 10, callers: ['work:5 30'], callees: ['fast:1 20'], natives: ['fast:0 20'] });
  assert.equal(calls('a.py', 99, 'own').amount, 0);
});

test('frames of the interpreter between two Python frames are no calls', () => {
  const fixture = new Fixture(oneThread().sample({ stack: 'a.py:f:1;python.so:eval:0;a.py:g:2', weight: 5 }).finish());
  const found = lineCalls(fixture.atlas, fixture.engine.weights(fixture.weighing()), fixture.file('a.py'), 1, 'total');
  assert.deepEqual(found.callees.map(({ function: owner }) => fixture.name(owner)), ['g']);
});

test('activities: all threads, and waits of the main thread; imports and collection by their marks', () => {
  const builder = oneThread();
  builder.thread(0, 'other');
  builder.sample({ stack: 'a.py:f:1', weight: 5, activity: 3 }).sample({ stack: 'a.py:f:1', weight: 7, activity: 3, thread: 1 });
  builder.add('sample', { time: 20, thread: 0, stack: builder.stack('a.py:f:1', 1), activity: 0, weight: 3, count: 1, task: 0 });
  builder.add('sample', { time: 30, thread: 0, stack: builder.stack('a.py:f:1', 2), activity: 0, weight: 2, count: 1, task: 0 });
  const fixture = new Fixture(builder.finish());
  const found = activityTotals(fixture.engine.profile, fixture.weighing());
  assert.deepEqual([found.time[0], found.time[3], found.mainWaits[3], found.mainWaits[0], found.gc, found.imports], [5, 12, 5, 0, 3, 2]);
  assert.equal(activityTotals(fixture.engine.profile, fixture.weighing({ threads: [1] })).mainWaits[3], 0);
});

test('the text of a line comes with it', () => {
  const builder = oneThread();
  builder.file('a.py', 'one\r\n  two  \nthree');
  builder.sample({ stack: 'a.py:f:2' }).sample({ stack: 'a.py:f:9' });
  const fixture = new Fixture(builder.finish());
  const { rows } = rank(fixture.engine, fixture.atlas, fixture.weighing(), 'line', 'own', 5);
  assert.deepEqual(rows.map(({ line, text }) => [line, text]), [[2, 'two'], [9, null]]);
});

test('intervals of places are those of their sums and squares, whatever they are charged with', () => {
  const builder = oneThread();
  for (let i = 0; i < 40; ++i) builder.sample({ stack: i % 4 ? 'a.py:f:1;a.py:g:2' : 'a.py:f:1', weight: 10 });
  builder.sample({ stack: 'a.py:g:2', weight: 60, count: 3 });
  const { engine, atlas } = new Fixture(builder.finish());
  const weighing = weighingOf(EVERYTHING);
  const whole = { amount: 460, squares: 40 * 100 + 3600 / 3 };
  const lines = atlas.lines;
  const place = (line: number) => lines.line.indexOf(line);
  const expected = {
    self: { 1: { amount: 100, squares: 1000 }, 2: { amount: 360, squares: 3000 + 1200 } },
    total: { 1: { amount: 400, squares: 4000 }, 2: { amount: 360, squares: 3000 + 1200 } },
  };
  for (const charge of ['self', 'total'] as const) {
    const { low, high } = placeIntervals(engine, atlas, weighing, 'line', charge, [place(1), place(2)]);
    for (const [i, line] of ([1, 2] as const).entries()) {
      assert.deepEqual({ low: low[i], high: high[i] }, amountInterval(expected[charge][line], whole, 'nanoseconds'), `${charge} ${line}`);
    }
  }
});
