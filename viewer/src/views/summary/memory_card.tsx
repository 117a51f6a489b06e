// SPDX-License-Identifier: Apache-2.0
import { peakOf, peakRssOf } from '../../model/report';
import { catalog, isNarrowed, selection, view } from '../../state/app';
import { useQuery } from '../../state/query';
import { formatBytes } from '../../text/amount';
import { MemoryChart } from '../../widgets/memory_chart';
import { Card } from './card';

const MOST_POINTS = 400;

export function MemoryCard() {
  const of = catalog();
  const { output } = useQuery('memory_levels', of.hasMemory ? { selection: selection.value, most: MOST_POINTS } : null);
  if (!of.hasMemory) {
    return (
      <Card title="Memory" class="memory-card">
        <p class="note">Not recorded: leave out <code>--cpu-only</code> to see it here.</p>
      </Card>
    );
  }
  if (!output) return <Card title="Memory" class="memory-card"><p class="note">…</p></Card>;
  if (output.peak < 0) return <Card title="Memory" class="memory-card"><p class="note">No level of memory was read here.</p></Card>;
  const range = selection.value.range ?? { begin: 0, end: of.end };
  const peak = isNarrowed() ? null : peakOf(of.meta);
  const end = output.inUse[output.inUse.length - 1];
  const peakRss = isNarrowed() ? 0 : peakRssOf(of.meta);
  // Levels are read only now and then.
  const seenRss = output.rss.reduce((most, value) => Math.max(most, value), 0);
  return (
    <Card
      title={`Memory: peak RSS ${formatBytes(peakRss || seenRss)}`}
      note={`peak in use ${formatBytes(peak?.bytes ?? output.inUse[output.peak])} · ${formatBytes(end)} at the end`}
      class="memory-card"
    >
      <MemoryChart levels={output} peak={peak} range={range} shown={['inUse', 'rss']} />
      <button type="button" class="link more" onClick={() => { view.value = 'memory'; }}>Whose memory it is</button>
    </Card>
  );
}
