// SPDX-License-Identifier: Apache-2.0
import { FILE_KIND } from '../../data/schema';
import { kindColour } from '../../render/colour';
import { theme } from '../../state/theme';

const KINDS = [
  { kind: FILE_KIND.own, title: 'your code' },
  { kind: FILE_KIND.library, title: 'libraries' },
  { kind: FILE_KIND.native, title: 'native' },
];

/** What the colours of boxes mean. */
export function Legend() {
  return (
    <ul class="legend" aria-label="Colours">
      {KINDS.map(({ kind, title }) => (
        <li key={kind}>
          <span class="swatch" style={{ background: kindColour(kind, theme.value) }} />
          {title}
        </li>
      ))}
    </ul>
  );
}
