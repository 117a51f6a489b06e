// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Meta } from '../data/meta';
import { countersOf, coverageOf, gilWaitsOf, importsOf, leaksOf, loadProblemsOf, notesOf, openedNote, originOf, peakOf, peakRssOf, processFactsOf, ranksOf, VerdictPiece, verdictsOf } from './report';

const metaOf = (members: Record<string, unknown>): Meta => ({ page: { title: '', end_ns: 1, main_thread: 0, memory: true }, ...members });
const place = { path: '/srv/a.py', function: 'work', line: 7, seconds: 1, bytes: 30 };

test('a report of any shape is read without a stumble', () => {
  const odd: unknown[] = [null, 0, 'x', [], {}, [null], [{}], [[1]], { rows: 3 }, [{ place: 5, waiter: 'x', stack: {}, types: 1 }]];
  for (const value of odd) {
    const members = ['verdicts', 'growth', 'gil_waits', 'ranks', 'merged', 'processes', 'losses', 'facts', 'load'];
    const meta = metaOf(Object.fromEntries(members.map((name) => [name, value])));
    for (const read of [verdictsOf, leaksOf, gilWaitsOf, ranksOf, importsOf, coverageOf, peakOf, peakRssOf, processFactsOf, loadProblemsOf, notesOf, openedNote, originOf]) read(meta);
    countersOf(value);
  }
});

test('verdicts are the sentences of the console', () => {
  const corpus = JSON.parse(readFileSync('../tests/corpus/verdicts.json', 'utf8')) as { text: string; pieces: unknown[] }[];
  assert.ok(corpus.length > 20);
  // The page shows less of a path; invisible characters look otherwise in a browser.
  const shown = (piece: VerdictPiece) =>
    piece.kind === 'place' ? `${piece.place.function}() ${piece.place.path.split('/').at(-1)}:${piece.place.line}` : piece.text;
  const inBrowser = (text: string) => text.replaceAll('\\x1b', '␛').replaceAll('\\u202e', '⟨U+202E⟩');
  for (const { text, pieces } of corpus) {
    const [{ headline, rest }] = verdictsOf(metaOf({ verdicts: [{ pieces }] }));
    assert.equal([...headline, ...rest].map(shown).join(''), inBrowser(text));
    assert.ok(headline.length > 0 && headline.every(({ kind }) => kind !== 'place'));
    assert.equal(rest.some(({ kind }) => kind === 'place'), text.includes(':7'), text);
  }
});

test('leaks, with their amounts', () => {
  const [leak] = leaksOf(metaOf({ growth: [{
    place, probability: 0.99, bytes_per_second: 5, low: 4, high: 6, live: { bytes: 70 }, survival_percent: 98,
    types: [{ name: 'evil\u202e', live: { bytes: 9 } }], stack: [place],
  }] }));
  assert.deepEqual([leak.rate, leak.low, leak.high, leak.live, leak.types[0].bytes, leak.stack.length], [5, 4, 6, 70, 9, 1]);
  assert.equal(leak.types[0].name, 'evil⟨U+202E⟩');
});

test('counters of processes are one sum; problems of the capture are words', () => {
  const lost = { id: 'a', class: 'lost_detail', unit: 'count', text: 'words' };
  assert.deepEqual(countersOf([{ ...lost, pid: 1, value: 2 }, { ...lost, pid: 2, value: 3 }]), [
    { id: 'a', class: 'lost_detail', isTime: false, value: 5, text: 'words' },
  ]);
  assert.deepEqual(loadProblemsOf(metaOf({ load: { orderly_end: false, bytes_lost: 3, bytes_read: 7 } })), [
    'the recording did not end in an orderly way', '3 of 10 bytes unreadable',
  ]);
  assert.deepEqual(loadProblemsOf(metaOf({ load: { orderly_end: true } })), []);
});

test('the peak is the sum of its kinds', () => {
  const memory = { peak_seconds: 1.5, totals: { live_at_peak: { python: { bytes: 3 }, native: { bytes: 4 } } } };
  assert.deepEqual(peakOf(metaOf({ merged: { memory } })), { time: 1.5e9, bytes: 7 });
  assert.equal(peakOf(metaOf({ merged: { memory: null } })), null);
});

test('the peak RSS is the kernel\'s', () => {
  assert.equal(peakRssOf(metaOf({ merged: { memory: { peak_rss_bytes: 9 } } })), 9);
  assert.equal(peakRssOf(metaOf({ merged: { memory: { peak_rss_bytes: null } } })), 0);
});

test('a profile of another tool says so', () => {
  const told = [['imported_from', 'fact', 'pprof'], ['note', 'note', 'no times'], ['note', 'note', 'no times'], ['rank', 'fact', 'RANK']];
  const facts = told.map(([id, of, text]) => ({ id, pid: 1, class: of, value: 1, unit: 'count', text }));
  assert.equal(originOf(metaOf({ facts })), 'imported from pprof');
  assert.deepEqual(notesOf(metaOf({ facts })).map(({ text }) => text), ['no times']);
  const opened = { packages: ['pip'], hidden_seconds: 9, of_seconds: 10, entry_point: null };
  assert.deepEqual(openedNote(metaOf({ opened })), ['opened: pip, because 90 % of the time is outside your code']);
  assert.deepEqual(openedNote(metaOf({ opened: { ...opened, entry_point: '/v/bin/pip' } })),
    ['opened: pip, because 90 % of the time is below the entry-point script pip']);
  assert.equal(originOf(metaOf({})), '');
});
