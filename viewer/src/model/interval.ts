// SPDX-License-Identifier: Apache-2.0
// How far sampled amounts can be trusted: docs/internals/sampling-math.md and memory-math.md. The console makes its own, of the
// same sums: tests/corpus/intervals.json.
import type { Unit } from './metrics';

export interface Interval {
  low: number;
  high: number;
}

/** An amount, and of time the sum of the squares of its weights (a row that merges c observations adds w²/c), of bytes their variance. */
export interface Sampled {
  amount: number;
  squares: number;
}

/** Of which others are parts. */
export interface SampledWhole extends Sampled {
  /** Of bytes that were sampled by pieces: the variance of all that the recording has allocated, or copied; else 0. */
  pieces?: number;
}

const Z = 1.959963984540054;

/** Wilson's interval of the share that a row has of a whole, with an effective number of samples. */
export function shareInterval(part: Sampled, whole: Sampled): Interval {
  if (whole.amount <= 0 || whole.squares <= 0) return { low: 0, high: 0 };
  const share = Math.min(1, Math.max(0, part.amount / whole.amount));
  let n = whole.amount ** 2 / whole.squares;
  const variance = (1 - share) ** 2 * part.squares + share ** 2 * Math.max(0, whole.squares - part.squares);
  if (variance > 0 && share > 0 && share < 1) n = Math.min(n, (share * (1 - share) * whole.amount ** 2) / variance);
  const spread = Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n * n));
  const scale = 1 + Z ** 2 / n;
  const middle = share + Z ** 2 / (2 * n);
  // Rounding must not push the share itself out of its interval.
  return {
    low: Math.min(share, Math.max(0, (middle - spread) / scale)),
    high: Math.max(share, Math.min(1, (middle + spread) / scale)),
  };
}

/** The score interval of a sum without a limit; of nothing at all: what one sample of the whole stands for decides. */
export function bytesInterval(part: Sampled, whole: SampledWhole): Interval {
  const { amount } = part;
  if (amount > 0 && part.squares <= 0) return { low: amount, high: amount };
  const of = amount > 0 ? part : whole;
  if (of.amount <= 0) return { low: 0, high: 0 };
  const variance = amount > 0 ? ownVariance(part, whole.pieces ?? 0) : 0;
  const perSample = (amount > 0 ? variance : of.squares) / of.amount;
  const middle = amount + (Z ** 2 * perSample) / 2;
  const spread = Z * Math.sqrt(variance + (Z ** 2 * perSample ** 2) / 4);
  return { low: Math.min(amount, Math.max(0, middle - spread)), high: Math.max(amount, middle + spread) };
}

/** Where each piece has one mark, all of them together are known to a piece. */
function ownVariance({ amount, squares }: Sampled, pieces: number): number {
  const share = pieces > 0 ? Math.min(1, squares / pieces) : 0;
  return Math.max(squares * (1 - share), Math.min(squares, (squares / amount) ** 2 / 3));
}

/**
 * 95 % interval of an amount. All time is measured by clocks; what is sampled is who had which share of it. What was counted
 * has no squares.
 */
export function amountInterval(part: Sampled, whole: SampledWhole, unit: Unit): Interval {
  if (whole.squares === 0) return { low: part.amount, high: part.amount };
  if (unit === 'bytes') return bytesInterval(part, whole);
  const { low, high } = shareInterval(part, whole);
  return { low: low * whole.amount, high: high * whole.amount };
}

/** 95 % interval of a - b, each with its own (Newcombe's combination of score intervals). */
export function differenceInterval(a: number, ofA: Interval, b: number, ofB: Interval): Interval {
  const difference = a - b;
  return {
    low: difference - Math.hypot(a - ofA.low, ofB.high - b),
    high: difference + Math.hypot(ofA.high - a, b - ofB.low),
  };
}

export function isSignificant({ low, high }: Interval): boolean {
  return low > 0 || high < 0;
}
