// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownName } from './shown';

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
