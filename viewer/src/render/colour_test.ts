// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILE_KIND } from '../data/schema';
import { ACTIVITIES } from '../model/metrics';
import { activityColour, DARK, dimmed, LIGHT, oklch, packageColour, packageOf, readableOn } from './colour';
import { spanColour } from './spans';

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2: text needs 4.5. */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

for (const theme of [LIGHT, DARK]) {
  const name = theme.dark ? 'dark' : 'light';

  test(`names are readable on every box, ${name}`, () => {
    for (const kind of Object.values(FILE_KIND)) {
      for (let i = 0; i < 300; ++i) assert.ok(contrast(theme.text, packageColour(kind, `package${i}`, theme)) >= 4.5);
    }
    assert.ok(contrast(theme.matchText, theme.match) >= 4.5);
    assert.ok(contrast(theme.faint, dimmed(theme)) >= 4.5);
    assert.ok(contrast(theme.text, theme.line) >= 4.5);
  });

  test(`text is readable on page and panels, ${name}`, () => {
    for (const ground of [theme.background, theme.panel]) {
      assert.ok(contrast(theme.text, ground) >= 7);
      assert.ok(contrast(theme.faint, ground) >= 4.5);
      assert.ok(contrast(theme.accent, ground) >= 3);
    }
  });

  test(`labels are readable on every activity and span, ${name}`, () => {
    const colours = ACTIVITIES.map((_, i) => activityColour(i, theme));
    assert.equal(new Set(colours).size, ACTIVITIES.length);
    for (const colour of [...colours, spanColour(true, theme), spanColour(false, theme)]) {
      assert.ok(contrast(colour, readableOn(colour)) >= 4.5, colour);
    }
  });
}

test('OKLCH: known colours', () => {
  assert.deepEqual([oklch(0, 0, 0), oklch(1, 0, 0), oklch(0.627955, 0.257683, 29.2339)], ['#000000', '#ffffff', '#ff0000']);
});

test('packages by path', () => {
  assert.equal(packageOf('/usr/lib/python3/site-packages/numpy/_core/a.py', 1), 'numpy');
  assert.equal(packageOf('/x/dist-packages/six.py', 1), 'six');
  assert.equal(packageOf('/usr/lib/python3.13/json/encoder.py', 1), 'json');
  assert.equal(packageOf('/usr/lib/libz.so.1.2', 2), 'libz');
  assert.equal(packageOf('/srv/app/main.py', 0), '/srv/app/main.py');
});
