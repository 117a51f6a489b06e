// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo } from 'preact/hooks';
import type { Range } from '../../model/selection';
import type { LaneData } from '../../render/lane';
import { levelsOfProcess } from '../../render/levels';
import { RULER_HEIGHT } from '../../render/ruler';
import { supplyFor } from '../../render/zoom';
import { catalog, option, selection, setOption } from '../../state/app';
import { pictureExports, useExports } from '../../state/exports';
import { useQuery } from '../../state/query';
import { theme } from '../../state/theme';
import { useViewport } from '../../state/viewport';
import { Canvas, useSize } from '../../widgets/canvas';
import { Labels } from './labels';
import { useLaneKeys, useLanePointer } from './lane_input';
import { gutterOf, isSelected, LaneArea, titleOf, toggled, widthOf } from './lane_layout';
import { useLaneTip } from './lane_tip';
import { paintTimeline, Picture } from './picture';
import { Facts, heightOf, Row, rowsOf, visibleRows } from './rows';

const COLUMN_PIXELS = 2.5;

/** The lanes with their labels, ruler and brush. */
export function Lanes({ facts, extent }: { facts: Facts; extent: Range }) {
  const names = catalog();
  const of = selection.value;
  const [element, size] = useSize();
  const [shown, setShown] = useViewport('timeline.zoom', extent);
  const gutter = gutterOf(size.width);
  const area: LaneArea = { gutter, right: size.width, shown, extent };

  const toggledText = option('timeline.toggled', '');
  const rows = useMemo(() => rowsOf(names, facts, new Set(toggledText.split('.'))), [facts, toggledText]);
  const onScreen = visibleRows(rows, shown.scroll, shown.scroll + size.height);
  const levelsOf = useLevels(facts);
  const { lanes, threadData, taskData } = useLaneData(size.width === 0 ? null : area, onScreen);

  // The address may say where it was scrolled to.
  useEffect(() => {
    if (element.current!.scrollTop !== shown.scroll) element.current!.scrollTop = shown.scroll;
  }, [shown.scroll, size.height]);
  const laneTip = useLaneTip(area, onScreen, facts, levelsOf);
  const { hover, handlers } = useLanePointer(element, area, setShown, laneTip);
  useLaneKeys(area, setShown);

  const picture: Picture = {
    theme: theme.value, gutter, shown, scroll: shown.scroll, rows: onScreen, facts, levelsOf, threadData, taskData,
    isSelected: (row) => isSelected(of, names, row), range: of.range, hover,
  };
  useExports(pictureExports('pyrometer-timeline', size.width, size.height, (painter) => {
    paintTimeline(painter, { ...picture, hover: null });
    for (const row of onScreen) {
      const y = RULER_HEIGHT + row.top - shown.scroll + row.height / 2;
      painter.text(titleOf(names, row), 8, y, gutter - 14, { colour: theme.value.text });
    }
  }));
  return (
    <div
      class="timeline-lanes"
      role="region"
      aria-label="Timeline: keys move and zoom it"
      aria-busy={lanes === null}
      ref={element}
      tabIndex={-1}
      onScroll={(event) => setShown({ ...shown, scroll: event.currentTarget.scrollTop })}
      {...handlers}
    >
      <div class="timeline-canvas">
        <Canvas size={size} paint={(painter) => paintTimeline(painter, picture)} label="Timeline of processes, threads and tasks" />
      </div>
      <div class="timeline-corner" style={{ width: `${gutter - 1}px`, height: `${RULER_HEIGHT}px` }} />
      <div class="timeline-rows" style={{ height: `${heightOf(rows)}px` }}>
        <Labels rows={onScreen} gutter={gutter - 1} onToggle={(id) => setOption('timeline.toggled', toggled(toggledText, id), '')} />
      </div>
    </div>
  );
}

/** Rows of the levels of a process, found once. */
function useLevels(facts: Facts): (process: number) => Uint32Array {
  const known = useMemo(() => new Map<number, Uint32Array>(), [facts]);
  return (process) => {
    let found = known.get(process);
    if (!found) known.set(process, (found = levelsOfProcess(facts.levels, process)));
    return found;
  };
}

/** What the rows on the screen have in their lanes. `area`: null asks for nothing yet. */
function useLaneData(area: LaneArea | null, rows: readonly Row[]) {
  const supply = area && supplyFor(area.shown, area.extent);
  const { output: lanes } = useQuery('lanes', area && supply && {
    threads: rows.flatMap((row) => (row.kind === 'thread' ? [row.thread] : [])),
    tasks: rows.flatMap((row) => (row.kind === 'task' ? [row.task] : [])),
    range: supply.range,
    columns: Math.max(50, Math.round((widthOf(area) / COLUMN_PIXELS) * ((supply.range.end - supply.range.begin) / supply.span))),
  });
  const [threadData, taskData] = useMemo(() => {
    const asMap = (list: { track: number; values: Float32Array }[] = []) =>
      new Map<number, LaneData>(list.map(({ track, values }) => [track, { range: lanes!.range, columns: lanes!.columns, values }]));
    return [asMap(lanes?.threads), asMap(lanes?.tasks)];
  }, [lanes]);
  return { lanes, threadData, taskData };
}
