// SPDX-License-Identifier: Apache-2.0
import type { Interval } from '../model/interval';
import type { Unit } from '../model/metrics';
import { formatAmount, formatShare } from './amount';

/** "1.10 s to 1.31 s" */
export function formatInterval({ low, high }: Interval, unit: Unit): string {
  return `${formatAmount(low, unit)} to ${formatAmount(high, unit)}`;
}

/** "+120 ms", "−3.2 %": a difference always has its sign. */
export function formatDifference(difference: number, unit: Unit | 'share'): string {
  const text = unit === 'share' ? formatShare(difference, 1) : formatAmount(difference, unit);
  return difference > 0 ? `+${text}` : text;
}

/** Half the width of an interval, as it stands behind "±". */
export function formatHalfWidth({ low, high }: Interval, unit: Unit | 'share'): string {
  const half = (high - low) / 2;
  return unit === 'share' ? formatShare(half, 1) : formatAmount(half, unit);
}
