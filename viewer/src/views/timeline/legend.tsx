// SPDX-License-Identifier: Apache-2.0
import { ACTIVITIES } from '../../model/metric';
import { CHANNEL } from '../../model/tracks';
import { activityColour } from '../../render/colour';
import { selection } from '../../state/app';
import { useQuery } from '../../state/query';
import { theme } from '../../state/theme';
import { formatTime } from '../../text/amount';

/** What colours mean, and how much of each there is in what is selected. */
export function TimelineLegend() {
  const { output } = useQuery('channels', { selection: selection.value });
  if (!output) return null;
  const { totals } = output;
  const entry = (title: string, colour: string, amount: number, isThin = false) =>
    amount > 0 && (
      <li key={title}>
        <span class={`swatch ${isThin ? 'thin' : ''}`} style={{ background: colour }} />
        {title} <strong>{formatTime(amount)}</strong>
      </li>
    );
  return (
    <ul class="legend" aria-label="Time by activity, selected threads">
      {ACTIVITIES.map(({ title }, channel) => entry(title, activityColour(channel, theme.value), totals[channel]))}
      {entry('Garbage collection', theme.value.dark ? '#ff8a80' : '#b3261e', totals[CHANNEL.gc], true)}
      {entry('Imports', theme.value.dark ? '#8bd6a8' : '#1f7a45', totals[CHANNEL.import], true)}
    </ul>
  );
}
