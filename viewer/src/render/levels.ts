// SPDX-License-Identifier: Apache-2.0
import type { Levels } from '../model/timeline';
import { formatBytes } from '../text/amount';
import type { Theme } from './colour';
import type { LaneBox } from './lane';
import type { Painter } from './painter';
import { roundStep } from './ruler';

const MOST_LINES = 3;

/** Rows of one process, by time. */
export function levelsOfProcess(levels: Levels, process: number): Uint32Array {
  const rows: number[] = [];
  for (let i = 0; i < levels.process.length; ++i) if (levels.process[i] === process) rows.push(i);
  return Uint32Array.from(rows.sort((a, b) => levels.time[a] - levels.time[b]));
}

export function inUse(levels: Levels, row: number): number {
  return levels.python[row] + levels.native[row] + levels.mapped[row];
}

/** The last row at or before a time; -1: none. */
export function levelAt(levels: Levels, rows: Uint32Array, time: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (levels.time[rows[middle]] > time) high = middle;
    else low = middle + 1;
  }
  return low === 0 ? -1 : rows[low - 1];
}

/** Resident memory as a line; what is in use, Python, native and mapped, as areas on each other. */
export function paintLevels(painter: Painter, levels: Levels, rows: Uint32Array, box: LaneBox, theme: Theme): void {
  if (rows.length === 0) return;
  let most = 1;
  for (const row of rows) most = Math.max(most, levels.rss[row], inUse(levels, row));
  const step = roundStep(most, MOST_LINES);
  const room = box.height - 8;
  const bottom = box.top + box.height - 2;
  const yOf = (bytes: number) => bottom - (bytes / most) * room;
  const scale = box.width / (box.shown.end - box.shown.begin);
  const points = visiblePoints(levels, rows, box);

  painter.inside(box.x, box.top, box.width, box.height, () => {
    const base = new Map<number, number>();
    for (const [name, colour] of memoryColours(theme)) {
      const upper: number[] = [];
      const lower: number[] = [];
      for (const row of points) {
        const x = box.x + (levels.time[row] - box.shown.begin) * scale;
        const from = base.get(row) ?? 0;
        lower.unshift(x, yOf(from));
        upper.push(x, yOf(from + levels[name][row]));
        base.set(row, from + levels[name][row]);
      }
      painter.area([...upper, ...lower], colour);
    }
    const line = points.flatMap((row) => [box.x + (levels.time[row] - box.shown.begin) * scale, yOf(levels.rss[row])]);
    painter.path(line, theme.text, 1.5);
    for (let bytes = step; bytes <= most; bytes += step) {
      painter.line(box.x, yOf(bytes), box.x + box.width, yOf(bytes), theme.line, 0.5);
      painter.text(formatBytes(bytes), box.x + 4, Math.max(box.top + 7, yOf(bytes) + 7), 80, { colour: theme.faint, size: 10 });
    }
  });
}

export function memoryColours(theme: Theme): ['python' | 'native' | 'mapped', string][] {
  return theme.dark
    ? [['python', '#34538f'], ['native', '#7d5a1b'], ['mapped', '#44614c']]
    : [['python', '#a9c4f5'], ['native', '#f2d19a'], ['mapped', '#bfdcc7']];
}

// Thousands of points cost more to paint than all lanes of threads together.
const PIXELS_PER_POINTS = 4;

/** Of each few pixels the lowest and the highest row: more is hardly seen. */
function visiblePoints(levels: Levels, rows: Uint32Array, { shown, width }: LaneBox): number[] {
  const kept: number[] = [];
  let column = NaN;
  let low = -1;
  let high = -1;
  const flush = () => {
    if (low < 0) return;
    const [first, second] = levels.time[low] <= levels.time[high] ? [low, high] : [high, low];
    kept.push(first);
    if (second !== first) kept.push(second);
  };
  for (let i = 0; i < rows.length; ++i) {
    const row = rows[i];
    // One more on each side, for lines that lead out of the picture.
    if (levels.time[rows[Math.min(i + 1, rows.length - 1)]] < shown.begin) continue;
    if (levels.time[rows[Math.max(i - 1, 0)]] > shown.end) break;
    const share = (levels.time[row] - shown.begin) / (shown.end - shown.begin);
    const at = Math.floor((share * width) / PIXELS_PER_POINTS);
    if (at !== column) {
      flush();
      column = at;
      low = high = row;
    } else if (levels.rss[row] < levels.rss[low]) {
      low = row;
    } else if (levels.rss[row] > levels.rss[high]) {
      high = row;
    }
  }
  flush();
  return kept;
}
