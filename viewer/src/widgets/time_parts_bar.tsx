// SPDX-License-Identifier: Apache-2.0
import { TIME_PARTS } from '../model/metrics';
import { formatTime } from '../text/amount';

/** Python, native, kernel and waits as parts of a bar, whose length is their share of `whole`. */
export function TimePartsBar({ parts, whole }: { parts: readonly number[]; whole: number }) {
  const shown = TIME_PARTS.map(({ name, head }, i) => ({ name, head, amount: parts[i] ?? 0 })).filter(({ amount }) => amount > 0);
  const label = shown.map(({ head, amount }) => `${head} ${formatTime(amount)}`).join(', ');
  return (
    <span class="time-parts" role="img" aria-label={label} title={label}>
      {shown.map(({ name, amount }) => (
        <span key={name} class={`time-part ${name}`} style={{ width: `${whole > 0 ? (100 * amount) / whole : 0}%` }} />
      ))}
    </span>
  );
}
