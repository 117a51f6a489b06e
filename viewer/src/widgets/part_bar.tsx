// SPDX-License-Identifier: Apache-2.0
import { partColour } from '../render/part_colour';
import { theme } from '../state/theme';

export interface BarPart {
  id: string;
  amount: number;
}

/** A bar as long as its share of a whole, in the colours of its parts. Without parts it is all one. */
export function PartBar({ parts, total, whole }: { parts: readonly BarPart[]; total: number; whole: number }) {
  const percent = (amount: number) => `${whole > 0 ? Math.min(100, (100 * amount) / whole) : 0}%`;
  const shown = parts.length > 0 ? parts : [{ id: '', amount: total }];
  return (
    <span class="part-bar" aria-hidden="true">
      {shown.filter(({ amount }) => amount > 0).map(({ id, amount }) => (
        <span
          key={id}
          style={{ width: percent(amount), background: id ? partColour(id, theme.value) : 'var(--accent)' }}
        />
      ))}
    </span>
  );
}

/** What the colours of the bars mean. */
export function PartLegend({ parts }: { parts: readonly { id: string; title: string }[] }) {
  if (parts.length === 0) return null;
  return (
    <ul class="legend" aria-label="Colours">
      {parts.map(({ id, title }) => (
        <li key={id}>
          <span class="swatch" style={{ background: partColour(id, theme.value) }} />
          {title}
        </li>
      ))}
    </ul>
  );
}
