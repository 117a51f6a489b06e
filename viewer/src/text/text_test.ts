// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAmount, formatBytes, formatCount, formatFull, formatShare, formatTime } from './amount';
import { csvOf } from './csv';
import { shownName } from './shown';

test('times and bytes have three digits that matter', () => {
  assert.deepEqual([0.4, 999, 1000, 12_345, 1e6, 99.96e6, 1.24e9, 83.2e9, 1234e9].map(formatTime), [
    '0 ns', '999 ns', '1.00 µs', '12.3 µs', '1.00 ms', '100 ms', '1.24 s', '83.2 s', '1234 s',
  ]);
  assert.deepEqual([1, 999.9, 1000, 5.5e6, 2e12].map(formatBytes), ['1 B', '1.00 kB', '1.00 kB', '5.50 MB', '2.00 TB']);
  assert.equal(formatTime(-1.5e9), '−1.50 s');
  assert.equal(formatAmount(0, 'bytes'), '0');
});

test('shares, counts and the full form', () => {
  assert.deepEqual([formatShare(1, 3), formatShare(0, 3), formatShare(1, 1e6), formatShare(3, 3), formatShare(1, 0)], [
    '33.3 %', '0.0 %', '<0.1 %', '100 %', '–',
  ]);
  assert.equal(formatCount(1234567), '1\u202f234\u202f567');
  assert.equal(formatFull(1.24e9, 'time', 10e9, 310), '1.24 s · 12.4 % · 310 samples');
});

test('names cannot hide or reorder anything', () => {
  assert.equal(shownName('a\0b\nc'), 'a␀b␊c');
  assert.equal(shownName('safe\u202egnp.exe'), 'safe⟨U+202E⟩gnp.exe');
  assert.equal(shownName('\u200bx\u2028y\u{e0041}'), '⟨U+200B⟩x⟨U+2028⟩y⟨U+E0041⟩');
  assert.equal(shownName('<script>alert(1)</script>'), '<script>alert(1)</script>');
  assert.equal(shownName('名前 größe عربي'), '名前 größe عربي');
});

test('long names are cut, never through a character', () => {
  assert.equal(shownName('x'.repeat(10_000)), `${'x'.repeat(400)}… (10000 characters)`);
  assert.equal(shownName(`${'x'.repeat(399)}😀😀`), `${'x'.repeat(399)}… (403 characters)`);
});

test('CSV quotes what must be, and makes no formulas', () => {
  assert.equal(csvOf(['a', 'b'], [['x,"y"', 1.5], ['=1+1', NaN]]), 'a,b\r\n"x,""y""",1.5\r\n\'=1+1,\r\n');
});
