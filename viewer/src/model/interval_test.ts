// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { randomNumbers } from '../../test/synthetic';
import { amountInterval, bytesInterval, differenceInterval, Interval, isSignificant, Sampled, shareInterval } from './interval';

/** `n` samples of weight `weight`. */
const equal = (n: number, weight = 10): Sampled => ({ amount: n * weight, squares: n * weight * weight });

function near(found: Interval, low: number, high: number, by = 5e-4): void {
  assert.ok(Math.abs(found.low - low) < by && Math.abs(found.high - high) < by, `${found.low} ${found.high}`);
}

type Ends = { low: number; high: number };
interface Corpus {
  shares: ({ part: [number, number]; whole: [number, number] } & Ends)[];
  bytes: ({ bytes: number; variance: number; pieces: number } & Ends)[];
  differences: ({ of: [number, number, number]; and: [number, number, number] } & Ends)[];
}
const corpus = JSON.parse(readFileSync('../tests/corpus/intervals.json', 'utf8')) as Corpus;
const sampled = ([amount, squares]: [number, number]): Sampled => ({ amount, squares });

test('intervals of time are those of the console', () => {
  assert.ok(corpus.shares.length > 5);
  for (const { part, whole, low, high } of corpus.shares)
    near(amountInterval(sampled(part), sampled(whole), 'nanoseconds'), low, high, 1e-9 * whole[0]);
});

test('intervals of bytes are those of the console', () => {
  assert.ok(corpus.bytes.length > 5);
  for (const { bytes, variance, pieces, low, high } of corpus.bytes)
    near(amountInterval(sampled([bytes, variance]), { amount: 1, squares: 1, pieces }, 'bytes'), low, high, 1e-9 * bytes);
});

test('intervals of differences are Newcombe\'s', () => {
  for (const { of: [a, lowA, highA], and: [b, lowB, highB], low, high } of corpus.differences)
    near(differenceInterval(a, { low: lowA, high: highA }, b, { low: lowB, high: highB }), low, high, 1e-9);
});

test('few heavy samples say less than many light ones', () => {
  const light = shareInterval(equal(50), equal(100));
  const heavy = shareInterval({ amount: 500, squares: 500 * 500 }, { amount: 1000, squares: 500 * 500 + 50 * 100 });
  assert.ok(heavy.high - heavy.low > 2 * (light.high - light.low));
});

test('nothing at all has an upper end where the rest was sampled, and none where nothing was', () => {
  near(bytesInterval({ amount: 0, squares: 0 }, equal(9, 1)), 0, 3.8415);
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
