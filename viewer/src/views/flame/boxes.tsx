// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { placeOf } from '../../model/catalog';
import type { Layout } from '../../model/layout';
import type { Metric } from '../../model/metrics';
import type { Range, Selection } from '../../model/selection';
import { dimmed } from '../../render/colour';
import type { Viewport } from '../../render/flame';
import type { Painter } from '../../render/painter';
import { catalog, chosen, metric as selectedMetric } from '../../state/app';
import { pictureExports, useExports } from '../../state/exports';
import { colourOfKey, labelOf } from '../../state/names';
import { matcher } from '../../state/search';
import { theme } from '../../state/theme';
import { formatWhole } from '../../text/amount';
import type { SelectionTotals } from '../../worker/protocol';
import { useBoxKeys } from './box_keys';
import { boxOf, Direction, Mark, markOf, neighbourOf, NOWHERE, withBoxInSight } from './box_marks';
import { BoxTip } from './box_tip';
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
  const step = (direction: Direction) => {
    const next = neighbourOf(layout, boxOf(layout, latestMark.current), direction, firstRow);
    if (next < 0) return;
    choose(next);
    onViewport(withBoxInSight(layout, next, viewport, extent, window.innerHeight - HEIGHT_OF_THE_REST));
  };
  useBoxKeys(props, { step, reset, zoomToChosen: () => zoomTo(chosenBox), chooseNothing: () => choose(-1) });

  const style = {
    theme: theme.value,
    colourOf: own?.colourOf ?? ((key: number) => colourOfKey(names, by, key)),
    dimmed: dimmed(theme.value),
    firstRow,
    isMatch: own ? own.isMatch : matcher(),
  };
  const everything = `all · ${formatWhole(whole.total, metric.unit, whole.samples)}`;
  const nameOf = own?.nameOf ?? ((key: number) => (key < 0 ? everything : labelOf(names, by, key)));
  return (
    <>
      <Breadcrumb layout={layout} box={boxOf(layout, zoomedMark)} nameOf={nameOf} onZoomTo={zoomTo} onReset={reset} />
      {props.overview && (
        <Overview layout={props.overview} extent={extent} viewport={viewport} onViewport={onViewport} style={style} seen={height} />
      )}
      <FlameCanvas
        label={`Flame graph of ${metric.title}, ${props.label}: the arrow keys go from call to call`}
        layout={layout}
        whole={extent}
        viewport={viewport}
        onViewport={onViewport}
        style={{
          ...style,
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
