// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Meta } from '../data/meta';
import { verdictText } from '../views/summary/verdict_text';
import { countersOf, coverageOf, gilWaitsOf, importsOf, leaksOf, loadProblemsOf, notesOf, originOf, peakOf, processFactsOf, ranksOf, verdictsOf } from './report';

const metaOf = (members: Record<string, unknown>): Meta => ({ page: { title: '', end_ns: 1, main_thread: 0, memory: true }, ...members });
const place = { path: '/srv/a.py', function: 'work', line: 7, seconds: 1, bytes: 30 };
const verdict = (members: Record<string, unknown>, isFirst = true) => {
  const whole = { activity: null, seconds: 0, of_seconds: 0, bytes: null, bytes_per_second: null, samples: 3, place, ...members };
  const { headline, measure, lead } = verdictText(verdictsOf(metaOf({ verdicts: [whole] }))[0], isFirst);
  return `${headline}: ${measure}; ${lead}`;
};

test('verdicts say what the console says', () => {
  assert.equal(verdict({ kind: 'cpu', activity: 'python', seconds: 3, of_seconds: 4 }), 'CPU-bound in Python: 75 % of 4.00 s CPU time; hottest line, 25 %');
  assert.equal(verdict({ kind: 'cpu', activity: 'kernel', seconds: 3, of_seconds: 4 }, false), 'Also on CPU, in the kernel: 75 % of 4.00 s CPU time; hottest line, 25 %');
  assert.equal(verdict({ kind: 'wait', activity: 'child', seconds: 2, of_seconds: 4 }), 'Mostly waiting for a child process: 50 % of 4.00 s elapsed; longest, 25 %');
  assert.equal(verdict({ kind: 'wait', activity: 'lock', seconds: 3, of_seconds: 4, workers_cpu_seconds: 5 }),
    'Main thread waiting for its workers: 75 % of 4.00 s elapsed; they used 5.00 s CPU time; longest, 25 %');
  assert.equal(verdict({ kind: 'garbage-collection', seconds: 3, of_seconds: 4 }),
    'Mostly garbage collection: 75 % of 4.00 s CPU time; gc.freeze(), gc.set_threshold() or gc.disable() may save it; most, 25 %');
  assert.equal(verdict({ kind: 'cpu', activity: 'native', seconds: 30, of_seconds: 40, outside_seconds: 36 }),
    'CPU-bound in native: 75 % of 40.0 s CPU time; hottest line, 90 %');
  assert.equal(verdict({ kind: 'cpu', activity: 'native', seconds: 30, of_seconds: 40 }), 'CPU-bound in native: 75 % of 40.0 s CPU time; ');
  assert.equal(verdict({ kind: 'gil-contention', activity: 'gil', seconds: 0.5 }), 'Threads compete for the GIL: 500 ms lost waiting for it; most');
  assert.equal(verdict({ kind: 'memory-peak', bytes: 60, seconds: 2 }), 'Peak of 60 B in use: at 2.00 s; most of it, 50 %');
  assert.equal(verdict({ kind: 'memory-growth', bytes_per_second: 2000 }), 'Memory keeps growing: 2.00 kB/s, 30 B of it live at the end; allocated');
  assert.equal(verdict({ kind: 'copies', bytes: 300, of_seconds: 2 }), 'Copies much: 300 B in 2.00 s; most of it, 10 %');
  assert.equal(verdict({ kind: 'no-samples', of_seconds: 0.2 }), 'Too short: ran 200 ms, 0 samples; ');
});

test('a report of any shape is read without a stumble', () => {
  const odd: unknown[] = [null, 0, 'x', [], {}, [null], [{}], [[1]], { rows: 3 }, [{ place: 5, waiter: 'x', stack: {}, types: 1 }]];
  for (const value of odd) {
    const members = ['verdicts', 'leaks', 'gil_waits', 'ranks', 'merged', 'processes', 'losses', 'facts', 'load'];
    const meta = metaOf(Object.fromEntries(members.map((name) => [name, value])));
    for (const read of [verdictsOf, leaksOf, gilWaitsOf, ranksOf, importsOf, coverageOf, peakOf, processFactsOf, loadProblemsOf, notesOf, originOf]) read(meta);
    countersOf(value);
  }
});

test('leaks, with their amounts', () => {
  const [leak] = leaksOf(metaOf({ leaks: [{
    place, probability: 0.99, bytes_per_second: 5, low: 4, high: 6, live: { bytes: 70 }, survival_percent: 98,
    types: [{ name: 'evil\u202e', live: { bytes: 9 } }], stack: [place],
  }] }));
  assert.deepEqual([leak.rate, leak.low, leak.high, leak.live, leak.types[0].bytes, leak.stack.length], [5, 4, 6, 70, 9, 1]);
  assert.equal(leak.types[0].name, 'evil⟨U+202E⟩');
});

test('counters of processes are one sum; problems of the capture are words', () => {
  assert.deepEqual(countersOf([{ pid: 1, name: 'a', value: 2 }, { pid: 2, name: 'a', value: 3 }]), [{ name: 'a', value: 5 }]);
  assert.deepEqual(loadProblemsOf(metaOf({ load: { orderly_end: false, bytes_lost: 3, bytes_read: 7 } })), [
    'the recording did not end in an orderly way', '3 of 10 bytes unreadable',
  ]);
  assert.deepEqual(loadProblemsOf(metaOf({ load: { orderly_end: true } })), []);
});

test('the peak is the sum of its kinds', () => {
  const memory = { peak_seconds: 1.5, totals: { at_peak: { python: { bytes: 3 }, native: { bytes: 4 } } } };
  assert.deepEqual(peakOf(metaOf({ merged: { memory } })), { time: 1.5e9, bytes: 7 });
  assert.equal(peakOf(metaOf({ merged: { memory: null } })), null);
});

test('a profile of another tool says so', () => {
  const facts = ['imported from pprof', 'note: no times', 'note: no times', 'RANK'].map((name) => ({ pid: 1, name, value: 1 }));
  assert.equal(originOf(metaOf({ facts })), 'imported from pprof');
  assert.deepEqual(notesOf(metaOf({ facts })), ['no times']);
  const opened = { packages: ['pip'], hidden_seconds: 9, of_seconds: 10, entry_point: null };
  assert.deepEqual(notesOf(metaOf({ opened })), ['opened: pip, because 90 % of the time is outside your code']);
  assert.deepEqual(notesOf(metaOf({ opened: { ...opened, entry_point: '/v/bin/pip' } })),
    ['opened: pip, because 90 % of the time is below the entry-point script pip']);
  assert.equal(originOf(metaOf({})), '');
});
