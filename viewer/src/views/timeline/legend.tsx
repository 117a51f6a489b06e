// SPDX-License-Identifier: Apache-2.0
import { ACTIVITIES, GC, IMPORT } from '../../model/metrics';
import { CHANNEL } from '../../model/tracks';
import { activityColour, colourIn } from '../../render/colour';
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
      {entry(GC.title, colourIn(theme.value, GC.colour), totals[CHANNEL.gc], true)}
      {entry(IMPORT.title, colourIn(theme.value, IMPORT.colour), totals[CHANNEL.import], true)}
    </ul>
  );
}
