// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { formatAmount, formatBytes, formatCount, formatFigure, formatFull, formatShare, formatTime, formatWhole } from './amount';
import { csvOf } from './csv';

type Case = [...number[], string];
const corpus = JSON.parse(readFileSync('../tests/corpus/numbers.json', 'utf8')) as Record<string, Case[]> & { page: [string, string][] };

function check(cases: string, format: (...values: number[]) => string): void {
  assert.ok(corpus[cases].length > 5);
  for (const one of corpus[cases]) {
    const onPage = corpus.page.reduce((text, [console, page]) => text.replaceAll(console, page), one.at(-1) as string);
    assert.equal(format(...(one.slice(0, -1) as number[])), onPage, `${cases}: ${one}`);
  }
}

test('numbers are those of the console', () => {
  check('times', formatTime);
  check('bytes', formatBytes);
  check('counts', formatCount);
  check('amounts_of_counts', (value) => formatAmount(value, 'count'));
  check('shares', formatShare);
});

test('amounts with their units, shares and samples', () => {
  assert.equal(formatAmount(0, 'bytes'), '0');
  assert.equal(formatShare(1, 0), '–');
  assert.equal(formatAmount(1234, 'count of hits'), '1,234 hits');
  assert.equal(formatFigure(1234, 'count of hits'), '1,234');
  assert.equal(formatFull(3, 'count of hits', 4, 0), '3 hits · 75.0 %');
  assert.equal(formatWhole(0, 'count', 0), '0 · 0 samples');
  assert.equal(formatFull(1.24e9, 'nanoseconds', 10e9, 310), '1.24 s · 12.4 % · 310 samples');
});

test('CSV quotes what must be, and makes no formulas', () => {
  assert.equal(csvOf(['a', 'b'], [['x,"y"', 1.5], ['=1+1', NaN]]), 'a,b\r\n"x,""y""",1.5\r\n\'=1+1,\r\n');
});
