// SPDX-License-Identifier: Apache-2.0
import { ACTIVITIES, countsAllWaits } from '../../model/metrics';
import { activityColour, readableOn } from '../../render/colour';
import { catalog, select, selection } from '../../state/app';
import { useQuery } from '../../state/query';
import { theme } from '../../state/theme';
import { formatFull, formatShare, formatTime } from '../../text/amount';
import { Card } from './card';

/** All time as one bar. */
export function TimeCard() {
  const { output } = useQuery('activities', { selection: selection.value });
  const ofAll = countsAllWaits(selection.value.metric);
  const waitsOf = catalog().threads.length > 1 ? (ofAll ? 'CPU and waits of all threads' : 'CPU of all threads, waits of the main thread') : undefined;
  if (!output) return <Card title="Time" class="time-card"><p class="note">…</p></Card>;
  const colour = (activity: number) => activityColour(activity, theme.value);
  const amount = (activity: number) => (ACTIVITIES[activity].onCpu || ofAll ? output.time[activity] : output.mainWaits[activity]);
  const shown = ACTIVITIES.map((one, activity) => ({ ...one, activity, time: amount(activity) })).filter(({ time }) => time > 0);
  const whole = shown.reduce((sum, { time }) => sum + time, 0);
  const otherWaits = ofAll ? 0 : output.time.reduce((sum, time, i) => (ACTIVITIES[i].onCpu ? sum : sum + time - output.mainWaits[i]), 0);
  if (whole === 0) return <Card title="Time" class="time-card"><p class="note">No time was recorded here.</p></Card>;
  return (
    <Card title={`Time ${formatTime(whole)}`} note={waitsOf} class="time-card">
      <div class="time-bar" role="img" aria-label={shown.map(({ title, time }) => `${title} ${formatShare(time, whole)}`).join(', ')}>
        {shown.map(({ name, activity, time, letter, onCpu }) => (
          <span
            key={name}
            class={onCpu ? '' : 'wait'}
            title={`${ACTIVITIES[activity].title}: ${formatTime(time)}`}
            style={{ width: `${(100 * time) / whole}%`, background: colour(activity), color: readableOn(colour(activity)) }}
          >
            {time > whole * 0.04 ? letter : ''}
          </span>
        ))}
      </div>
      <ul class="time-legend">
        {shown.map(({ name, activity, title, time, letter, onCpu }) => (
          <li key={name}>
            <button type="button" class="plain" title={`Show only this: ${formatFull(time, 'nanoseconds', whole, output.samples[activity])}`} onClick={() => select({ metric: name })}>
              <span class={`swatch ${onCpu ? '' : 'wait'}`} aria-hidden="true" style={{ background: colour(activity), color: readableOn(colour(activity)) }}>{letter}</span>
              <span class="name">{title}</span>
              <span class="amount">{formatTime(time)}</span>
              <span class="amount faint">{formatShare(time, whole)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="faint">
        {[
          output.gc * 100 >= whole && `${formatTime(output.gc)} (${formatShare(output.gc, whole)}) of it in garbage collection`,
          output.imports * 100 >= whole && `${formatTime(output.imports)} (${formatShare(output.imports, whole)}) of it in imports`,
          otherWaits > 0 && `other threads wait another ${formatTime(otherWaits)}`,
        ].filter(Boolean).join(' · ')}
      </p>
    </Card>
  );
}
