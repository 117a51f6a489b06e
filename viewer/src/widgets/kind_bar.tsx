// SPDX-License-Identifier: Apache-2.0
import { KINDS } from '../model/kinds';
import { formatTime } from '../text/amount';

export const KIND_TITLES = ['Python', 'native', 'kernel', 'waiting'];

/** Python, native, kernel and waits as parts of a bar, whose length is their share of `whole`. */
export function KindBar({ kinds, whole }: { kinds: readonly number[]; whole: number }) {
  const shown = KINDS.map((kind, i) => ({ kind, title: KIND_TITLES[i], amount: kinds[i] ?? 0 })).filter(({ amount }) => amount > 0);
  const label = shown.map(({ title, amount }) => `${title} ${formatTime(amount)}`).join(', ');
  return (
    <span class="kind-bar" role="img" aria-label={label} title={label}>
      {shown.map(({ kind, amount }) => (
        <span key={kind} class={`kind kind-${kind}`} style={{ width: `${whole > 0 ? (100 * amount) / whole : 0}%` }} />
      ))}
    </span>
  );
}
