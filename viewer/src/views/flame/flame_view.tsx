// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { detailOf } from '../../model/detail';
import { option, selection, setOption } from '../../state/app';
import { useShortcuts } from '../../state/keys';
import { useQuery } from '../../state/query';
import { Segmented } from '../../widgets/segmented';
import { useViewport } from '../../state/viewport';
import { Boxes } from './boxes';
import { Chart, ThreadSelect } from './chart';
import { DetailPanel } from './detail_panel';
import { Legend } from './legend';
import { Mode, MODES } from './modes';
import { Sandwich } from './sandwich';

/** Stacks as boxes, in four orders. */
export function FlameView() {
  const asked = option('flame.mode', 'left');
  const mode: Mode = MODES.find(({ value }) => value === asked)?.value ?? 'left';
  const recursion = option('flame.recursion', 'show') === 'fold';
  const setMode = (next: Mode) => {
    // Positions of one order mean nothing in another.
    setOption('flame.zoom', '', '');
    setOption('flame.mode', next, 'left');
  };
  const toggleRecursion = () => setOption('flame.recursion', recursion ? 'show' : 'fold', 'show');
  useShortcuts('Flame', [
    { keys: ['l'], title: 'Left heavy', run: () => setMode('left') },
    { keys: ['t'], title: 'Chart: in order of time', run: () => setMode('chart') },
    { keys: ['i'], title: 'Inverted: callers of everything', run: () => setMode('inverted') },
    { keys: ['b'], title: 'Sandwich: callers and callees', run: () => setMode('sandwich') },
    { keys: ['r'], title: 'Fold recursion', run: toggleRecursion },
  ]);
  return (
    <div class="flame">
      <div class="flame-main">
        <div class="view-bar">
          <Segmented label="Order" choices={MODES} value={mode} onChange={setMode} />
          <button
            type="button"
            class="toggle"
            aria-pressed={recursion}
            title="A function that calls itself is one frame (r)"
            onClick={toggleRecursion}
          >
            Fold recursion
          </button>
          {mode === 'chart' && <ThreadSelect />}
          <Legend />
        </div>
        {mode === 'chart' && <Chart recursion={recursion} />}
        {mode === 'sandwich' && <Sandwich recursion={recursion} />}
        {(mode === 'left' || mode === 'inverted') && <Tree key={mode} inverted={mode === 'inverted'} recursion={recursion} />}
      </div>
      <DetailPanel recursion={recursion} onSandwich={() => setMode('sandwich')} />
    </div>
  );
}

function Tree({ inverted, recursion }: { inverted: boolean; recursion: boolean }) {
  const [detail, setDetail] = useState(0);
  const { output, error } = useQuery('flame', { selection: selection.value, inverted, recursion, detail });
  if (error) return <p class="error" role="alert">{error}</p>;
  if (!output) return <p class="note" role="status">…</p>;
  if (output.whole.total === 0) return <Nothing />;
  return <TreeBoxes label={inverted ? 'inverted' : 'left heavy'} {...output} onDetail={setDetail} />;
}

function TreeBoxes(
  props: { label: string; onDetail: (detail: number) => void } & Pick<Parameters<typeof Boxes>[0], 'layout' | 'whole'>,
) {
  const { onDetail, ...rest } = props;
  const extent = { begin: 0, end: props.whole.total };
  const [viewport, setViewport] = useViewport('flame.zoom', extent);
  const detail = detailOf(extent.end, viewport.end - viewport.begin);
  useEffect(() => onDetail(detail), [detail]);
  return <Boxes {...rest} overview={props.layout} extent={extent} viewport={viewport} onViewport={setViewport} by={selection.value.by} />;
}

export function Nothing() {
  return <p class="note">Nothing of this metric in what is selected.</p>;
}
