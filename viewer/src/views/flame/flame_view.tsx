// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef, useState } from 'preact/hooks';
import { placeOf } from '../../model/catalog';
import { firstBoxEndingAfter, Layout } from '../../model/layout';
import type { Range } from '../../model/selection';
import { dimmed } from '../../render/colour';
import { FlameLook, ROW_HEIGHT, Viewport } from '../../render/flame';
import type { Painter } from '../../render/painter';
import { bounded, moved, zoomed } from '../../render/zoom';
import { catalog, chosen, metric, option, selection, setOption } from '../../state/app';
import { pictureExports, useExports } from '../../state/exports';
import { useShortcuts } from '../../state/keys';
import { colourOfKey, labelOf, whereOf } from '../../state/names';
import { useQuery } from '../../state/query';
import { matcher } from '../../state/search';
import { theme } from '../../state/theme';
import { formatFull } from '../../text/amount';
import type { SelectionTotals } from '../../worker/protocol';
import { Segmented } from '../../widgets/segmented';
import { Breadcrumb } from './breadcrumb';
import { DetailPanel } from './detail_panel';
import { FlameCanvas } from './flame_canvas';
import { useViewport } from './viewport';

export const MODES = [
  { value: 'left', title: 'Left heavy', hint: 'equal stacks together, heaviest to the left (l)' },
  { value: 'chart', title: 'Chart', hint: 'one thread in order of time (t)' },
  { value: 'inverted', title: 'Inverted', hint: 'who had the time, and who called them (i)' },
  { value: 'sandwich', title: 'Sandwich', hint: 'callers and callees of one function (b)' },
] as const;

type Mode = (typeof MODES)[number]['value'];

export function FlameView() {
  const asked = option('flame.mode', 'left');
  const mode: Mode = MODES.find(({ value }) => value === asked)?.value ?? 'left';
  const recursion = option('flame.recursion', 'show') === 'fold';
  const setMode = (next: Mode) => setOption('flame.mode', next, 'left');
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
          <button type="button" class="toggle" aria-pressed={recursion} title="A function that calls itself is one frame (r)" onClick={toggleRecursion}>
            Fold recursion
          </button>
        </div>
        <FlameContent key={mode} mode={mode} recursion={recursion} />
      </div>
      <DetailPanel recursion={recursion} onSandwich={() => setMode('sandwich')} />
    </div>
  );
}

function FlameContent({ mode, recursion }: { mode: Mode; recursion: boolean }) {
  const of = selection.value;
  const tree = useQuery('flame', { selection: of, inverted: mode === 'inverted', recursion });
  if (tree.error) return <p class="error" role="alert">{tree.error}</p>;
  if (!tree.output) return <p class="note" role="status">…</p>;
  return <Boxes mode={mode} layout={tree.output.layout} whole={tree.output.whole} />;
}

function Boxes(props: { mode: Mode; layout: Layout; whole: SelectionTotals }) {
  const { layout, whole } = props;
  const of = selection.value;
  const extent: Range = { begin: 0, end: Math.max(1, whole.total) };
  const [viewport, setViewport] = useViewport(extent);
  const [chosenBox, setChosenBox] = useState(-1);
  const [zoomedBox, setZoomedBox] = useState(-1);
  const names = catalog();
  const { unit } = metric.value;
  const isMatch = matcher();
  const picture = useRef<{ paint: (painter: Painter) => void; width: number; height: number } | null>(null);
  const exportOf = (i: number) => () => {
    const { paint, width, height } = picture.current!;
    pictureExports('pyrometer-flame', width, height, paint)[i].save();
  };
  useExports([{ title: 'Save as SVG', save: exportOf(0) }, { title: 'Save as PNG', save: exportOf(1) }]);

  const look = useMemo((): Omit<FlameLook, 'hoveredBox' | 'chosenBox' | 'chosenKey' | 'isMatch'> => ({
    theme: theme.value,
    nameOf: (key) => labelOf(names, of.by, key),
    colourOf: (key) => colourOfKey(names, of.by, key),
    dimmed: dimmed(theme.value),
    upwards: false,
    firstRow: 0,
  }), [theme.value, of.by]);

  const choose = (box: number) => {
    setChosenBox(box);
    chosen.value = box < 0 || layout.key[box] < 0 ? -1 : placeOf(names, of.by, layout.key[box]).function;
  };
  const zoomTo = (box: number) => {
    if (box < 0) return;
    setZoomedBox(box);
    setViewport({ ...viewport, begin: layout.begin[box], end: layout.end[box] });
  };
  const reset = () => {
    setZoomedBox(-1);
    setViewport({ ...extent, scroll: 0 });
  };
  const zoomBy = (factor: number) => setViewport({ ...viewport, ...zoomed(viewport, extent, factor, 0.5, 10) });
  const moveBy = (share: number) => setViewport({ ...viewport, ...moved(viewport, extent, share) });
  const step = (direction: 'in' | 'out' | 'before' | 'after') => {
    const next = neighbourOf(layout, chosenBox, direction);
    choose(next);
    setViewport(withBoxInSight(layout, next, viewport, extent));
  };
  useShortcuts('Flame: look around', [
    { keys: ['w', '+'], title: 'Zoom in', run: () => zoomBy(0.7) },
    { keys: ['s', '-'], title: 'Zoom out', run: () => zoomBy(1 / 0.7) },
    { keys: ['a'], title: 'Move to the left', run: () => moveBy(-0.2) },
    { keys: ['d'], title: 'Move to the right', run: () => moveBy(0.2) },
    { keys: ['0'], title: 'Show everything', run: reset },
    { keys: ['ArrowDown'], title: 'Heaviest call of the chosen box', run: () => step('in') },
    { keys: ['ArrowUp'], title: 'Its caller', run: () => step('out') },
    { keys: ['ArrowLeft', 'ArrowRight'], title: 'Its neighbours', run: (event) => step(event.key === 'ArrowLeft' ? 'before' : 'after') },
    { keys: ['Enter'], title: 'Zoom to the chosen box', run: () => zoomTo(chosenBox) },
    { keys: ['Escape'], title: 'Choose nothing', run: () => choose(-1) },
  ]);

  const tipOf = (box: number) => {
    const key = layout.key[box];
    return (
      <>
        <strong><bdi>{labelOf(names, of.by, key)}</bdi></strong>
        <div class="faint"><bdi>{whereOf(names, of.by, key)}</bdi></div>
        <div>total {formatFull(layout.end[box] - layout.begin[box], unit, whole.total, layout.samples[box])}</div>
        <div>self {formatFull(layout.self[box], unit, whole.total, 0).replace(/ · [^·]*$/, '')}</div>
      </>
    );
  };
  return (
    <>
      <Breadcrumb layout={layout} box={zoomedBox} nameOf={look.nameOf} onZoomTo={zoomTo} onReset={reset} />
      <FlameCanvas
        label={`Flame graph of ${metric.value.title}, ${props.mode}: use the arrow keys to go from call to call`}
        layout={layout}
        whole={extent}
        viewport={viewport}
        onViewport={setViewport}
        look={{ ...look, chosenBox, isMatch, chosenKey: of.by === 'function' ? chosen.value : -1 }}
        onChoose={choose}
        onZoomTo={zoomTo}
        tipOf={tipOf}
        onPicture={(paint, width, height) => { picture.current = { paint, width, height }; }}
      />
    </>
  );
}

function neighbourOf(layout: Layout, box: number, direction: 'in' | 'out' | 'before' | 'after'): number {
  if (box < 0) return 0;
  const row = layout.rows.findIndex((start) => start > box) - 1;
  switch (direction) {
    case 'out':
      return Math.max(0, layout.parent[box]);
    case 'before':
      return Math.max(layout.rows[row], box - 1);
    case 'after':
      return Math.min(layout.rows[row + 1] - 1, box + 1);
    case 'in': {
      if (row + 2 >= layout.rows.length) return box;
      const child = firstBoxEndingAfter(layout, row + 1, layout.begin[box]);
      return layout.parent[child] === box ? child : box;
    }
  }
}

/** Moves as little as needed for a box to be seen, and not thinner than it can be read. */
function withBoxInSight(layout: Layout, box: number, viewport: Viewport, whole: Range): Viewport {
  const [begin, end] = [layout.begin[box], layout.end[box]];
  const row = layout.rows.findIndex((start) => start > box) - 1;
  const scroll = Math.max(0, Math.min(viewport.scroll, row * ROW_HEIGHT));
  const span = Math.min(viewport.end - viewport.begin, (end - begin) * 50);
  if (begin >= viewport.begin && end <= viewport.end && span === viewport.end - viewport.begin) return { ...viewport, scroll };
  const middle = (begin + end) / 2;
  return { ...bounded({ begin: middle - span / 2, end: middle + span / 2 }, whole), scroll };
}
