// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { detailOf } from '../../model/detail';
import { metricOf } from '../../model/metrics';
import { peakOf } from '../../model/report';
import type { Selection } from '../../model/selection';
import type { Painter } from '../../render/painter';
import { catalog, isNarrowed, metric, option, selection, setOption } from '../../state/app';
import { pictureExports, useExports } from '../../state/exports';
import { useShortcuts } from '../../state/keys';
import { useQuery } from '../../state/query';
import { formatBytes, formatCount, formatSamples } from '../../text/amount';
import { MemoryChart } from '../../widgets/memory_chart';
import { Segmented } from '../../widgets/segmented';
import { Boxes } from '../flame/boxes';
import { useViewport } from '../../state/viewport';
import { MemoryPanel } from './memory_panel';

const NAMES = ['live_at_peak', 'allocated', 'live_at_exit', 'temporary'] as const;

type Amount = (typeof NAMES)[number];

const AMOUNTS = NAMES.map((value, i) => {
  const { title, meaning } = metricOf(value);
  return { value, title, hint: i === 0 ? `${meaning} (1 of ${NAMES.length}, x goes on)` : meaning };
});

const MOST_POINTS = 800;

/** Whose memory it is: over time, by call, by kind, thread, size and type. */
export function MemoryView() {
  if (!catalog().hasMemory) {
    return (
      <p class="note memory-missing">
        Memory was not recorded in this run. <code>pyrometer run</code> records it unless <code>--cpu-only</code> is given.
      </p>
    );
  }
  return <RecordedMemory />;
}

function RecordedMemory() {
  // Who comes with a metric of memory sees that one.
  const first: Amount = AMOUNTS.find(({ value }) => value === metric.value.name)?.value ?? NAMES[0];
  const asked = option('memory.amount', first);
  const amount: Amount = AMOUNTS.find(({ value }) => value === asked)?.value ?? first;
  const inverted = option('memory.order', 'calls') === 'inverted';
  const setAmount = (next: Amount) => {
    setOption('memory.zoom', '', '');
    // Always written: what is left out depends on the selected metric.
    setOption('memory.amount', next, '');
  };
  const toggleInverted = () => {
    setOption('memory.zoom', '', '');
    setOption('memory.order', inverted ? 'calls' : 'inverted', 'calls');
  };
  useShortcuts('Memory', [
    { keys: ['x'], title: 'Next amount', run: () => setAmount(AMOUNTS[(AMOUNTS.findIndex(({ value }) => value === amount) + 1) % AMOUNTS.length].value) },
    { keys: ['i'], title: 'Inverted: who allocates, and who called them', run: toggleInverted },
  ]);
  const of: Selection = { ...selection.value, metric: amount };
  const parts = useQuery('memory_parts', { selection: of });
  const isMoment = amount === 'live_at_peak' || amount === 'live_at_exit';
  return (
    <div class="memory">
      <div class="memory-main">
        <Levels />
        <div class="view-bar">
          <Segmented label="Amount" choices={AMOUNTS} value={amount} onChange={setAmount} />
          <button type="button" class="toggle" aria-pressed={inverted} title="Who allocates, and who called them (i)" onClick={toggleInverted}>Inverted</button>
          {parts.output && (
            <span class="memory-sum">
              <strong>{formatBytes(parts.output.whole.bytes)}</strong> in {formatCount(parts.output.whole.blocks)} blocks · {formatSamples(parts.output.whole.samples)}
              {isMoment && selection.value.range && <span class="tag">one moment of the whole run</span>}
            </span>
          )}
        </div>
        <MemoryFlame key={`${amount} ${inverted}`} of={of} inverted={inverted} />
      </div>
      <MemoryPanel parts={parts.output} isAtExit={amount === 'live_at_exit'} />
    </div>
  );
}

function Levels() {
  const { output } = useQuery('memory_levels', { selection: selection.value, most: MOST_POINTS });
  const range = selection.value.range ?? { begin: 0, end: catalog().end };
  const picture = useRef<{ paint: (painter: Painter) => void; width: number; height: number } | null>(null);
  const save = (i: number) => () => {
    if (!picture.current) return;
    const { paint, width, height } = picture.current;
    pictureExports('pyrometer-memory-levels', width, height, paint)[i].save();
  };
  useExports([{ title: 'Save the levels as SVG', save: save(0) }, { title: 'Save the levels as PNG', save: save(1) }]);
  if (!output) return <div class="memory-levels" />;
  if (output.peak < 0) return <p class="note">No level of memory was read in what is selected.</p>;
  return (
    <div class="memory-levels">
      <MemoryChart
        levels={output}
        peak={isNarrowed() ? null : peakOf(catalog().meta)}
        range={range}
        shown={['inUse', 'rss', 'pss', 'python', 'native', 'mapped']}
        onPicture={(paint, width, height) => { picture.current = { paint, width, height }; }}
      />
    </div>
  );
}

function MemoryFlame({ of, inverted }: { of: Selection; inverted: boolean }) {
  const [detail, setDetail] = useState(0);
  const { output, error } = useQuery('flame', { selection: of, inverted, recursion: false, detail }, 'memory flame');
  if (error) return <p class="error" role="alert">{error}</p>;
  if (!output) return <p class="note" role="status">…</p>;
  if (output.whole.total === 0) return <p class="note">Nothing of it in what is selected.</p>;
  return <MemoryBoxes of={of} {...output} onDetail={setDetail} />;
}

function MemoryBoxes(
  props: { of: Selection; onDetail: (detail: number) => void } & Pick<Parameters<typeof Boxes>[0], 'layout' | 'whole'>,
) {
  const { of, onDetail, ...rest } = props;
  const extent = { begin: 0, end: props.whole.total };
  const [viewport, setViewport] = useViewport('memory.zoom', extent);
  const detail = detailOf(extent.end, viewport.end - viewport.begin);
  useEffect(() => onDetail(detail), [detail]);
  return (
    <Boxes {...rest} label="by call" metric={metricOf(of.metric)} by={of.by} extent={extent} viewport={viewport} onViewport={setViewport} />
  );
}
