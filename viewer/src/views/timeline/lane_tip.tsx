// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { levelAt } from '../../render/levels';
import { spanAt } from '../../render/spans';
import { opened } from '../../state/app';
import { tip } from '../../widgets/tooltip';
import type { LaneTip } from './lane_input';
import { isOnLanes, LaneArea, levelAtPoint, Point, rowAt, timeAt, widthOf } from './lane_layout';
import type { Facts, Row } from './rows';
import { LevelTip, MomentTip, SpanTip, TaskTip } from './tips';

// So many pixels beside a span still mean it.
const NEAR_PIXELS = 2;

/** The tooltip over the lanes; what a thread did is asked for, and shown if the pointer is still there. */
export function useLaneTip(area: LaneArea, rows: readonly Row[], facts: Facts, levelsOf: (process: number) => Uint32Array): LaneTip {
  const asked = useRef<MouseEvent | null>(null);
  const hide = () => {
    asked.current = null;
    tip.value = null;
  };
  useEffect(() => hide, []);

  const show = (point: Point, event: MouseEvent) => {
    const row = isOnLanes(area, point.x) ? rowAt(area, rows, point) : undefined;
    const at = { x: event.clientX, y: event.clientY };
    const time = timeAt(area, point.x);
    asked.current = row ? event : null;
    if (row?.kind === 'thread') {
      opened.peek()!.client.ask('moment', { thread: row.thread, time }, 'moment').then(
        ({ moment }) => { if (asked.current === event) tip.value = { ...at, content: <MomentTip moment={moment} time={time} /> }; },
        () => {},
      );
      return;
    }
    const content = row && contentOf(row, time, area, point, facts, levelsOf);
    tip.value = content ? { ...at, content } : null;
  };
  return { show, hide };
}

function contentOf(row: Row, time: number, area: LaneArea, point: Point, facts: Facts, levelsOf: (process: number) => Uint32Array): ComponentChildren {
  switch (row.kind) {
    case 'memory': {
      const level = levelAt(facts.levels, levelsOf(row.process), time);
      return level >= 0 && <LevelTip facts={facts} row={level} />;
    }
    case 'regions':
    case 'blocks': {
      const spans = row.kind === 'regions' ? facts.regions : facts.blocks;
      const tolerance = (NEAR_PIXELS * (area.shown.end - area.shown.begin)) / widthOf(area);
      const found = spanAt(spans, row, levelAtPoint(area, row, point), time, tolerance);
      return found >= 0 && <SpanTip spans={spans} span={found} what={row.kind === 'regions' ? 'region' : 'a callback that held its event loop'} />;
    }
    case 'task':
      return <TaskTip task={row.task} />;
    default:
      return null;
  }
}
