// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { placeOf } from '../../model/catalog';
import { boxAt, firstBoxEndingAfter, Layout, rowOf } from '../../model/layout';
import type { Metric, Unit } from '../../model/metric';
import type { Range, Selection } from '../../model/selection';
import { dimmed } from '../../render/colour';
import { ROW_HEIGHT, Viewport } from '../../render/flame';
import type { Painter } from '../../render/painter';
import { bounded, moved, zoomed } from '../../render/zoom';
import { catalog, chosen, metric as selectedMetric } from '../../state/app';
import { pictureExports, useExports } from '../../state/exports';
import { useShortcuts } from '../../state/keys';
import { colourOfKey, labelOf, whereOf } from '../../state/names';
import { matcher } from '../../state/search';
import { theme } from '../../state/theme';
import { formatAmount, formatFull, formatSamples, formatShare, formatTime } from '../../text/amount';
import type { SelectionTotals } from '../../worker/protocol';
import { Breadcrumb } from './breadcrumb';
import { FlameCanvas } from './flame_canvas';
import { Overview } from './overview';

export interface BoxesProps {
  label: string;
  layout: Layout;
  whole: SelectionTotals;
  /** All that can be moved to. */
  extent: Range;
  viewport: Viewport;
  onViewport: (viewport: Viewport) => void;
  by: Selection['by'];
  /** What the boxes are of; the selected metric if left out. */
  metric?: Metric;
  /** Boxes for a strip above that shows everything; left out: there is none. */
  overview?: Layout;
  /** Positions are times: a ruler stands above, and Shift with a drag selects a range. */
  isTime?: boolean;
  onRange?: (range: Range) => void;
  /** Boxes whose keys are no functions or lines of the profile say themselves what they are. */
  own?: OwnBoxes;
}

export interface OwnBoxes {
  nameOf: (key: number) => string;
  colourOf: (key: number) => string;
  /** The function of the profile; -1: none. */
  functionOf: (key: number) => number;
  isMatch: ((key: number) => boolean) | null;
  tipOf: (key: number) => ComponentChildren;
}

/** A place in a layout that can be found again in the next one, which has other numbers for its boxes. */
interface Mark {
  row: number;
  at: number;
  key: number;
}

const NOWHERE: Mark = { row: -1, at: 0, key: -1 };
const LEAST_SPAN = 10;
// About what the page needs above and below the boxes.
const HEIGHT_OF_THE_REST = 220;

/** One picture of boxes with its keys, tooltip, exports and breadcrumb. */
export function Boxes(props: BoxesProps) {
  const { layout, whole, extent, viewport, onViewport, by, own, metric = selectedMetric.value } = props;
  const [chosenMark, setChosenMark] = useState<Mark>(NOWHERE);
  const [height, setHeight] = useState(0);
  const [zoomedMark, setZoomedMark] = useState<Mark>(NOWHERE);
  const names = catalog();
  const chosenBox = boxOf(layout, chosenMark);
  const firstRow = props.isTime ? 1 : 0;

  const picture = useRef<{ paint: (painter: Painter) => void; width: number; height: number } | null>(null);
  const exportOf = (i: number) => () => {
    const { paint, width, height } = picture.current!;
    pictureExports('pyrometer-flame', width, height, paint)[i].save();
  };
  useExports([{ title: 'Save as SVG', save: exportOf(0) }, { title: 'Save as PNG', save: exportOf(1) }]);

  // A second key may come before the first one is on the screen.
  const latestMark = useRef(chosenMark);
  const choose = (box: number) => {
    latestMark.current = markOf(layout, box);
    setChosenMark(latestMark.current);
    const key = box < 0 ? -1 : layout.key[box];
    chosen.value = key < 0 ? -1 : own ? own.functionOf(key) : placeOf(names, by, key).function;
  };
  const zoomTo = (box: number) => {
    if (box < 0) return;
    setZoomedMark(markOf(layout, box));
    onViewport({ ...viewport, begin: layout.begin[box], end: layout.end[box] });
  };
  const reset = () => {
    setZoomedMark(NOWHERE);
    onViewport({ ...extent, scroll: 0 });
  };
  const zoomBy = (factor: number) => onViewport({ ...viewport, ...zoomed(viewport, extent, factor, 0.5, LEAST_SPAN) });
  const moveBy = (share: number) => onViewport({ ...viewport, ...moved(viewport, extent, share) });
  const scrollBy = (rows: number) => {
    const deepest = (layout.rows.length - 2) * ROW_HEIGHT;
    onViewport({ ...viewport, scroll: Math.max(0, Math.min(deepest, viewport.scroll + rows * ROW_HEIGHT)) });
  };
  const step = (direction: Direction) => {
    const next = neighbourOf(layout, boxOf(layout, latestMark.current), direction, firstRow);
    if (next < 0) return;
    choose(next);
    onViewport(withBoxInSight(layout, next, viewport, extent));
  };
  useShortcuts('Flame: look around', [
    { keys: ['w', '+'], title: 'Zoom in', run: () => zoomBy(0.7) },
    { keys: ['s', '-'], title: 'Zoom out', run: () => zoomBy(1 / 0.7) },
    { keys: ['a'], title: 'Move to the left', run: () => moveBy(-0.2) },
    { keys: ['d'], title: 'Move to the right', run: () => moveBy(0.2) },
    { keys: ['0'], title: 'Show everything', run: reset },
    { keys: ['PageDown', 'PageUp'], title: 'Deeper, and back', run: (event) => scrollBy(event.key === 'PageDown' ? 10 : -10) },
    { keys: ['ArrowDown'], title: 'First call of the chosen box', run: () => step('in') },
    { keys: ['ArrowUp'], title: 'Its caller', run: () => step('out') },
    {
      keys: ['ArrowLeft', 'ArrowRight'],
      title: 'Its neighbours',
      run: (event) => step(event.key === 'ArrowLeft' ? 'before' : 'after'),
    },
    { keys: ['Enter'], title: 'Zoom to the chosen box', run: () => zoomTo(chosenBox) },
    { keys: ['Escape'], title: 'Choose nothing', run: () => choose(-1) },
  ]);

  const look = {
    theme: theme.value,
    colourOf: own?.colourOf ?? ((key: number) => colourOfKey(names, by, key)),
    dimmed: dimmed(theme.value),
    firstRow,
    isMatch: own ? own.isMatch : matcher(),
  };
  const everything = `all · ${formatAmount(whole.total, metric.unit)} · ${formatSamples(whole.samples)}`;
  const nameOf = own?.nameOf ?? ((key: number) => (key < 0 ? everything : labelOf(names, by, key)));
  return (
    <>
      <Breadcrumb layout={layout} box={boxOf(layout, zoomedMark)} nameOf={nameOf} onZoomTo={zoomTo} onReset={reset} />
      {props.overview && (
        <Overview layout={props.overview} extent={extent} viewport={viewport} onViewport={onViewport} look={look} seen={height} />
      )}
      <FlameCanvas
        label={`Flame graph of ${metric.title}, ${props.label}: the arrow keys go from call to call`}
        layout={layout}
        whole={extent}
        viewport={viewport}
        onViewport={onViewport}
        look={{
          ...look,
          nameOf,
          upwards: false,
          chosenBox,
          chosenKey: by === 'function' && !own ? chosen.value : -1,
        }}
        ruler={props.isTime === true}
        onRange={props.onRange}
        onChoose={choose}
        onZoomTo={zoomTo}
        tipOf={(box) =>
          own ? (
            own.tipOf(layout.key[box])
          ) : (
            <BoxTip layout={layout} box={box} by={by} whole={whole} unit={metric.unit} isTime={props.isTime === true} />
          )}
        onHeight={setHeight}
        onPicture={(paint, width, height) => { picture.current = { paint, width, height }; }}
      />
    </>
  );
}

export function BoxTip(props: { layout: Layout; box: number; by: Selection['by']; whole: SelectionTotals; unit: Unit; isTime: boolean }) {
  const { layout, box, by, whole, unit } = props;
  const names = catalog();
  const key = layout.key[box];
  const size = layout.end[box] - layout.begin[box];
  return (
    <>
      <strong><bdi>{labelOf(names, by, key)}</bdi></strong>
      <div class="faint"><bdi>{whereOf(names, by, key)}</bdi></div>
      {props.isTime ? (
        <div>{formatTime(size)} from {formatTime(layout.begin[box])} · {formatSamples(layout.samples[box])}</div>
      ) : (
        <>
          <div>total {formatFull(size, unit, whole.total, layout.samples[box])}</div>
          <div>self {formatAmount(layout.self[box], unit)} · {formatShare(layout.self[box], whole.total)}</div>
        </>
      )}
    </>
  );
}

function markOf(layout: Layout, box: number): Mark {
  if (box < 0) return NOWHERE;
  return { row: rowOf(layout, box), at: (layout.begin[box] + layout.end[box]) / 2, key: layout.key[box] };
}

function boxOf(layout: Layout, mark: Mark): number {
  const box = boxAt(layout, mark.row, mark.at);
  return box >= 0 && layout.key[box] === mark.key ? box : -1;
}

type Direction = 'in' | 'out' | 'before' | 'after';

function neighbourOf(layout: Layout, box: number, direction: Direction, firstRow: number): number {
  const first = layout.rows[firstRow] ?? 0;
  if (box < first) return first < layout.begin.length ? first : -1;
  const row = rowOf(layout, box);
  switch (direction) {
    case 'out':
      return Math.max(first, row === firstRow ? box : layout.parent[box]);
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
function withBoxInSight(layout: Layout, box: number, viewport: Viewport, extent: Range): Viewport {
  const [begin, end] = [layout.begin[box], layout.end[box]];
  const top = rowOf(layout, box) * ROW_HEIGHT;
  const scroll = Math.max(0, Math.min(viewport.scroll, top), top - (window.innerHeight - HEIGHT_OF_THE_REST));
  const span = Math.min(viewport.end - viewport.begin, (end - begin) * 50);
  const isSeen = begin >= viewport.begin && end <= viewport.end;
  if (isSeen && span === viewport.end - viewport.begin) return { ...viewport, scroll };
  const middle = (begin + end) / 2;
  return { ...bounded({ begin: middle - span / 2, end: middle + span / 2 }, extent), scroll };
}
