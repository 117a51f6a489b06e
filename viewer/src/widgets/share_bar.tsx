// SPDX-License-Identifier: Apache-2.0
import { formatShare } from '../text/amount';

/** A bar behind a percentage. */
export function ShareBar({ part, whole }: { part: number; whole: number }) {
  const share = whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
  return (
    <span class="share-bar">
      <span class="share-fill" style={{ width: `${share * 100}%` }} />
      <span class="share-text">{formatShare(part, whole)}</span>
    </span>
  );
}
