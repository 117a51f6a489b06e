// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount, formatBytes, formatCount, formatFigure, formatFull, formatShare, formatTime, formatWhole } from './amount';
import { csvOf } from './csv';

test('times and bytes have three digits that matter', () => {
  assert.deepEqual([0.4, 999, 1000, 12_345, 1e6, 99.96e6, 1.24e9, 83.2e9, 1234e9].map(formatTime), [
    '0 ns', '999 ns', '1.00 µs', '12.3 µs', '1.00 ms', '100 ms', '1.24 s', '83.2 s', '1234 s',
  ]);
  assert.deepEqual([1, 999.9, 1000, 5.5e6, 2e12].map(formatBytes), ['1 B', '1.00 kB', '1.00 kB', '5.50 MB', '2.00 TB']);
  assert.equal(formatTime(-1.5e9), '−1.50 s');
  assert.equal(formatAmount(0, 'bytes'), '0');
  assert.equal(formatAmount(1234, 'count'), '1\u202f234');
  assert.equal(formatAmount(2_469_135_780, 'count'), '2.47 G');
  assert.equal(formatAmount(1234, 'count of hits'), '1\u202f234 hits');
  assert.equal(formatFigure(1234, 'count of hits'), '1\u202f234');
  assert.equal(formatFull(3, 'count of hits', 4, 0), '3 hits · 75.0 %');
  assert.equal(formatWhole(0, 'count', 0), '0 · 0 samples');
});

test('shares, counts and the full form', () => {
  assert.deepEqual([formatShare(1, 3), formatShare(0, 3), formatShare(1, 1e6), formatShare(3, 3), formatShare(1, 0)], [
    '33.3 %', '0.0 %', '<0.1 %', '100 %', '–',
  ]);
  assert.equal(formatCount(1234567), '1\u202f234\u202f567');
  assert.equal(formatFull(1.24e9, 'nanoseconds', 10e9, 310), '1.24 s · 12.4 % · 310 samples');
});

test('CSV quotes what must be, and makes no formulas', () => {
  assert.equal(csvOf(['a', 'b'], [['x,"y"', 1.5], ['=1+1', NaN]]), 'a,b\r\n"x,""y""",1.5\r\n\'=1+1,\r\n');
});
