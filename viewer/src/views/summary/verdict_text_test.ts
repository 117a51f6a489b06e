// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { verdictsOf } from '../../model/report';
import { verdictText } from './verdict_text';

interface Case {
  verdict: Record<string, unknown>;
  first: boolean;
  /** The sentence of the console, which src/tui is tested against. */
  console: string;
  page: string;
}

const CORPUS = JSON.parse(readFileSync('../tests/corpus/verdicts.json', 'utf8')) as Case[];

function textOf({ verdict, first }: Case) {
  const page = { title: '', end_ns: 1, main_thread: 0, memory: true };
  return verdictText(verdictsOf({ page, verdicts: [verdict], metrics: [{ name: 'Ir', title: 'Ir', unit: 'count' }] })[0], first);
}

/** "75 %", "4.00 s", "2.00 kB/s" */
const figuresIn = (text: string) => [...text.matchAll(/\d[\d.]* (%|\w+(\/s)?)/g)].map(([figure]) => figure).sort();

test('the words of verdicts', () => {
  assert.ok(CORPUS.length > 15);
  for (const one of CORPUS) {
    const { headline, measure, lead } = textOf(one);
    assert.equal(`${headline}: ${measure}; ${lead}`, one.page);
  }
});

test('verdicts say what the console says', () => {
  for (const one of CORPUS) {
    const { headline, measure, lead, place } = textOf(one);
    assert.ok(one.console.startsWith(headline), one.console);
    for (const part of measure.split(/[;,] /)) assert.ok(one.console.includes(part), `${part}: ${one.console}`);
    assert.deepEqual(figuresIn(`${measure}; ${lead}; ${headline}`), figuresIn(one.console));
    assert.equal(place !== null, one.console.includes('at work() a.py:7'), one.console);
    assert.equal(lead === '', !/ at work| outside your code/.test(one.console), one.console);
  }
});
