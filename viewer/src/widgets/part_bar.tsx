// SPDX-License-Identifier: Apache-2.0
import { partColour } from '../render/part_colour';
import { theme } from '../state/theme';

export interface BarPart {
  name: string;
  amount: number;
}

/** A bar as long as its share of a whole, in the colours of its parts. Without parts it is all one. */
export function PartBar({ parts, total, whole }: { parts: readonly BarPart[]; total: number; whole: number }) {
  const percent = (amount: number) => `${whole > 0 ? Math.min(100, (100 * amount) / whole) : 0}%`;
  const shown = parts.length > 0 ? parts : [{ name: '', amount: total }];
  return (
    <span class="part-bar" aria-hidden="true">
      {shown.filter(({ amount }) => amount > 0).map(({ name, amount }) => (
        <span
          key={name}
          style={{ width: percent(amount), background: name ? partColour(name, theme.value) : 'var(--accent)' }}
        />
      ))}
    </span>
  );
}

/** What the colours of the bars mean. */
export function PartLegend({ parts }: { parts: readonly { name: string; head: string }[] }) {
  if (parts.length === 0) return null;
  return (
    <ul class="legend" aria-label="Colours">
      {parts.map(({ name, head }) => (
        <li key={name}>
          <span class="swatch" style={{ background: partColour(name, theme.value) }} />
          {head}
        </li>
      ))}
    </ul>
  );
}
