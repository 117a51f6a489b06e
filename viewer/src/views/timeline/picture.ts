// SPDX-License-Identifier: Apache-2.0
import type { Range } from '../../model/selection';
import type { Theme } from '../../render/colour';
import { LaneBox, LaneData, paintLane, paintMarks, taskLayers, threadLayers } from '../../render/lane';
import { paintLevels } from '../../render/levels';
import type { Painter } from '../../render/painter';
import { paintRuler, RULER_HEIGHT } from '../../render/ruler';
import { paintSpans, spanColour } from '../../render/spans';
import { Facts, HEIGHTS, Row } from './rows';

export interface Picture {
  theme: Theme;
  /** Where labels end and time begins. */
  gutter: number;
  shown: Range;
  scroll: number;
  rows: readonly Row[];
  facts: Facts;
  levelsOf: (process: number) => Uint32Array;
  threadData: ReadonlyMap<number, LaneData>;
  taskData: ReadonlyMap<number, LaneData>;
  /** What is not selected is painted behind a veil. */
  isSelected: (row: Row) => boolean;
  range: Range | null;
  hover: number | null;
}

export function paintTimeline(painter: Painter, picture: Picture): void {
  const { theme, gutter, shown } = picture;
  const width = painter.width - gutter;
  painter.rect(0, 0, painter.width, painter.height, theme.background);
  painter.inside(0, RULER_HEIGHT, painter.width, painter.height - RULER_HEIGHT, () => {
    for (const row of picture.rows) paintRow(painter, picture, row, width);
  });
  paintRuler(painter, gutter, width, shown, theme, false);
  const scale = width / (shown.end - shown.begin);
  if (picture.range) paintRange(painter, picture, picture.range, scale);
  if (picture.hover !== null) painter.line(picture.hover, 0, picture.hover, painter.height, theme.faint, 0.5);
  painter.line(gutter - 0.5, 0, gutter - 0.5, painter.height, theme.line);
}

function paintRow(painter: Painter, picture: Picture, row: Row, width: number): void {
  const { theme, gutter, facts } = picture;
  const top = RULER_HEIGHT + row.top - picture.scroll;
  const box: LaneBox = { x: gutter, width, top: top + 2, height: row.height - 4, shown: picture.shown };
  switch (row.kind) {
    case 'process':
    case 'tasks':
      painter.rect(0, top, painter.width, row.height, theme.panel);
      break;
    case 'memory':
      paintLevels(painter, facts.levels, picture.levelsOf(row.process), box, theme);
      break;
    case 'thread': {
      const data = picture.threadData.get(row.thread);
      if (!data) break;
      paintLane(painter, data, { ...box, height: row.height - 11 }, threadLayers(theme), theme);
      paintMarks(painter, data, { ...box, top: top + row.height - 8 }, theme);
      break;
    }
    case 'task': {
      const data = picture.taskData.get(row.task);
      if (data) paintLane(painter, data, box, taskLayers(theme), theme);
      break;
    }
    default: {
      const spans = row.kind === 'regions' ? facts.regions : facts.blocks;
      paintSpans(painter, spans, row, { ...box, top }, HEIGHTS.span, spanColour(row.kind === 'blocks', theme));
    }
  }
  painter.line(0, top + row.height - 0.5, painter.width, top + row.height - 0.5, theme.line, 0.5);
  if (!picture.isSelected(row)) painter.rect(gutter, top, width, row.height - 1, veil(theme));
}

function paintRange(painter: Painter, { theme, gutter, shown }: Picture, range: Range, scale: number): void {
  const left = Math.max(gutter, gutter + (range.begin - shown.begin) * scale);
  const right = Math.min(painter.width, gutter + (range.end - shown.begin) * scale);
  if (left > gutter) painter.rect(gutter, RULER_HEIGHT, Math.min(left, painter.width) - gutter, painter.height, veil(theme));
  if (right < painter.width) {
    const from = Math.max(gutter, right);
    painter.rect(from, RULER_HEIGHT, painter.width - from, painter.height, veil(theme));
  }
  if (right < gutter || left > painter.width) return;
  painter.rect(left, 0, right - left, 3, theme.accent);
  for (const edge of [left, right]) painter.line(edge, 0, edge, painter.height, theme.accent, 1.5);
}

function veil(theme: Theme): string {
  return theme.dark ? 'rgba(20, 22, 26, 0.66)' : 'rgba(255, 255, 255, 0.66)';
}
