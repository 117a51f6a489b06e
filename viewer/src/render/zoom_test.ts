// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundStep, tickLabel, ticksOf } from './ruler';
import { bounded, moved, supplyFor, zoomed } from './zoom';

const WHOLE = { begin: 100, end: 1100 };

test('what is under the pointer stays there', () => {
  const shown = zoomed(WHOLE, WHOLE, 0.5, 0.25, 1);
  assert.deepEqual(shown, { begin: 225, end: 725 });
  assert.equal(shown.begin + 0.25 * 500, WHOLE.begin + 0.25 * 1000);
});

test('nothing goes beyond the whole, nor closer than allowed', () => {
  assert.deepEqual(zoomed(WHOLE, WHOLE, 3, 0.5, 1), WHOLE);
  assert.deepEqual(moved({ begin: 900, end: 1000 }, WHOLE, 5), { begin: 1000, end: 1100 });
  assert.deepEqual(bounded({ begin: -50, end: 50 }, WHOLE), { begin: 100, end: 200 });
  const close = zoomed({ begin: 500, end: 520 }, WHOLE, 0.01, 0.5, 10);
  assert.equal(close.end - close.begin, 10);
});

test('steps of a ruler are round', () => {
  assert.deepEqual([roundStep(1000, 10), roundStep(1000, 7), roundStep(1000, 3), roundStep(0.7, 7)], [100, 200, 500, 0.1]);
  const { step, ticks } = ticksOf({ begin: 1.05e9, end: 2.05e9 }, 5);
  assert.equal(step, 2e8);
  assert.deepEqual(ticks, [1.2e9, 1.4e9, 1.6e9, 1.8e9, 2e9]);
  assert.deepEqual([tickLabel(1.2e9, 2e8), tickLabel(3e9, 1e9), tickLabel(5e6, 5e5), tickLabel(2000, 1000)], ['1.2 s', '3 s', '5.0 ms', '2 µs']);
});

test('what is asked for covers what is shown and stays the same for small steps', () => {
  const whole = { begin: 0, end: 1e9 };
  const answers = new Set<string>();
  let shown = { begin: 3e8, end: 3e8 + 7e6 };
  for (let step = 0; step < 100; ++step, shown = moved(shown, whole, 0.02)) {
    const { range, span } = supplyFor(shown, whole);
    assert.ok(range.begin <= shown.begin && range.end >= shown.end);
    assert.ok(span >= shown.end - shown.begin && span < 1.4143 * (shown.end - shown.begin));
    answers.add(JSON.stringify(range));
  }
  assert.ok(answers.size <= 8, `${answers.size} answers for two screens`);
  assert.deepEqual(supplyFor(whole, whole).range, whole);
  assert.deepEqual(supplyFor({ begin: 0, end: 4 }, { begin: 0, end: 100 }), { range: { begin: 0, end: 6 }, span: 4 });
});
