// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNumbers } from '../../test/synthetic';
import { amountInterval, bytesInterval, differenceInterval, Interval, isSignificant, Sampled, shareInterval } from './interval';

/** `n` samples of weight `weight`. */
const equal = (n: number, weight = 10): Sampled => ({ amount: n * weight, squares: n * weight * weight });

function near(found: Interval, low: number, high: number, by = 5e-4): void {
  assert.ok(Math.abs(found.low - low) < by && Math.abs(found.high - high) < by, `${found.low} ${found.high}`);
}

test('equal weights: Wilson', () => {
  near(shareInterval(equal(50), equal(100)), 0.4038, 0.5962);
  near(shareInterval(equal(0), equal(100)), 0, 0.037);
  near(shareInterval(equal(100), equal(100)), 0.963, 1);
});

test('an amount is its share of a measured whole', () => {
  const { low, high } = amountInterval(equal(50), equal(100), 'nanoseconds');
  near({ low, high }, 403.8, 596.2, 0.5);
});

test('few heavy samples say less than many light ones', () => {
  const light = shareInterval(equal(50), equal(100));
  const heavy = shareInterval({ amount: 500, squares: 500 * 500 }, { amount: 1000, squares: 500 * 500 + 50 * 100 });
  assert.ok(heavy.high - heavy.low > 2 * (light.high - light.low));
});

test('one sample of bytes stands for 0.2 to 5.7 of itself', () => {
  near(bytesInterval(equal(1, 1), equal(1, 1)), 0.177, 5.665);
});

test('nothing at all has an upper end where the rest was sampled, and none where nothing was', () => {
  near(bytesInterval({ amount: 0, squares: 0 }, equal(9, 1)), 0, 1.96 ** 2);
  assert.deepEqual(bytesInterval({ amount: 0, squares: 0 }, { amount: 0, squares: 0 }), { low: 0, high: 0 });
  assert.deepEqual(shareInterval({ amount: 0, squares: 0 }, { amount: 0, squares: 0 }), { low: 0, high: 0 });
});

test('a difference: the published example of 56/70 and 48/80', () => {
  const found = differenceInterval(56 / 70, shareInterval(equal(56), equal(70)), 48 / 80, shareInterval(equal(48), equal(80)));
  near(found, 0.0524, 0.3339);
  assert.ok(isSignificant(found));
});

test('of equal shares, about one difference in twenty is called significant', () => {
  const random = randomNumbers(11);
  const draw = () => {
    let hits = 0;
    for (let i = 0; i < 300; ++i) if (random() < 0.2) ++hits;
    return hits;
  };
  let wrong = 0;
  for (let run = 0; run < 2000; ++run) {
    const [a, b] = [draw(), draw()];
    const of = (hits: number) => shareInterval(equal(hits), equal(300));
    if (isSignificant(differenceInterval(a / 300, of(a), b / 300, of(b)))) ++wrong;
  }
  assert.ok(wrong > 40 && wrong < 140, String(wrong));
});
