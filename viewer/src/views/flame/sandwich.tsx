// SPDX-License-Identifier: Apache-2.0
import { useRef, useState } from 'preact/hooks';
import type { Layout } from '../../model/layout';
import type { Selection } from '../../model/selection';
import { dimmed } from '../../render/colour';
import type { Painter } from '../../render/painter';
import { catalog, chosen, metric, selection } from '../../state/app';
import { pictureExports, useExports } from '../../state/exports';
import { colourOfKey, labelOf } from '../../state/names';
import { useQuery } from '../../state/query';
import { matcher } from '../../state/search';
import { theme } from '../../state/theme';
import type { SelectionTotals } from '../../worker/protocol';
import { useViewport } from '../../state/viewport';
import { BoxTip } from './box_tip';
import { FlameCanvas } from './flame_canvas';

/** Callers of the chosen function above it, what it calls below. Always by function. */
export function Sandwich({ recursion }: { recursion: boolean }) {
  const key = chosen.value;
  const of: Selection = { ...selection.value, by: 'function' };
  const { output, error } = useQuery('sandwich', key < 0 ? null : { selection: of, key, recursion });
  if (key < 0) return <p class="note">Choose a function first: click its box in another order, or its row in the table.</p>;
  if (error) return <p class="error" role="alert">{error}</p>;
  if (!output) return <p class="note" role="status">…</p>;
  if (output.callees.end[0] === 0) return <p class="note">This function has nothing of the metric in what is selected.</p>;
  return <Halves {...output} />;
}

function Halves({ callers, callees, whole }: { callers: Layout; callees: Layout; whole: SelectionTotals }) {
  const names = catalog();
  const extent = { begin: 0, end: callees.end[0] };
  const [viewport, setViewport] = useViewport('flame.zoom', extent);
  const [scroll, setScroll] = useState(0);
  const pictures = useRef<Record<string, { paint: (painter: Painter) => void; width: number; height: number }>>({});
  useExports(['callers', 'callees'].flatMap((name) => {
    // Sizes are known after the first picture: what is saved is the latest one.
    const of = () => pictures.current[name];
    return [0, 1].map((i) => ({
      title: `Save ${name} as ${i === 0 ? 'SVG' : 'PNG'}`,
      save: () => pictureExports(`pyrometer-${name}`, of().width, of().height, of().paint)[i].save(),
    }));
  }));
  const half = (layout: Layout, upwards: boolean) => (
    <FlameCanvas
      label={upwards ? 'Callers of the chosen function' : 'The chosen function and what it calls'}
      layout={layout}
      whole={extent}
      viewport={upwards ? { ...viewport, scroll } : viewport}
      onViewport={(next) => {
        if (upwards) setScroll(next.scroll);
        setViewport(upwards ? { ...next, scroll: viewport.scroll } : next);
      }}
      style={{
        theme: theme.value,
        nameOf: (key) => labelOf(names, 'function', key),
        colourOf: (key) => colourOfKey(names, 'function', key),
        dimmed: dimmed(theme.value),
        upwards,
        // Row 1 is the function itself: once, between the halves.
        firstRow: upwards ? 2 : 1,
        isMatch: selection.value.by === 'function' ? matcher() : null,
        chosenBox: -1,
        chosenKey: chosen.value,
      }}
      ruler={false}
      onChoose={(box) => { if (box >= 0 && layout.key[box] >= 0) chosen.value = layout.key[box]; }}
      onZoomTo={(box) => setViewport({ ...viewport, begin: layout.begin[box], end: layout.end[box] })}
      tipOf={(box) => <BoxTip layout={layout} box={box} by="function" whole={whole} unit={metric.value.unit} isTime={false} />}
      onPicture={(paint, width, height) => { pictures.current[upwards ? 'callers' : 'callees'] = { paint, width, height }; }}
    />
  );
  return (
    <div class="sandwich">
      <h3>Callers</h3>
      {half(callers, true)}
      <h3>Callees</h3>
      {half(callees, false)}
    </div>
  );
}
