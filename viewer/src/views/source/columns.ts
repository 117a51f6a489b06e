// SPDX-License-Identifier: Apache-2.0
// The figures of a line, as columns beside the code and in the table of lines.
import type { LineColumn, LineFigures } from '../../model/line_figures';
import type { Unit } from '../../model/metric';
import { leaksOf } from '../../model/report';
import { catalog } from '../../state/app';

export interface FigureColumn {
  id: Exclude<LineColumn, 'heat'>;
  title: string;
  hint: string;
  unit: Unit;
}

const COLUMNS: readonly FigureColumn[] = [
  { id: 'python', title: 'Python', hint: 'CPU time of the interpreter itself', unit: 'time' },
  { id: 'native', title: 'Native', hint: 'CPU time in native code', unit: 'time' },
  { id: 'kernel', title: 'Kernel', hint: 'CPU time in system calls and page faults', unit: 'time' },
  { id: 'workers', title: 'Workers', hint: 'part of these: CPU time of threads and processes that the line waits for', unit: 'time' },
  { id: 'wait', title: 'Wait', hint: 'time without a CPU', unit: 'time' },
  { id: 'await', title: 'Await', hint: 'time of tasks that wait here, not of threads', unit: 'time' },
  { id: 'peak', title: 'At peak', hint: 'bytes live when most was in use', unit: 'bytes' },
  { id: 'allocated', title: 'Alloc', hint: 'all bytes asked for, also of what was given back', unit: 'bytes' },
  { id: 'copied', title: 'Copied', hint: 'bytes that memcpy and its kin have moved', unit: 'bytes' },
  { id: 'left', title: 'At end', hint: 'bytes never given back', unit: 'bytes' },
];

/** Columns that have anything in this file. */
export function shownColumns(figures: LineFigures): FigureColumn[] {
  return COLUMNS.filter(({ id }) => figures.amount[id].some((amount) => amount > 0));
}

/** Bytes per second by line, of lines of a file whose memory keeps growing. */
export function leaksOfFile(file: number): Map<number, number> {
  const { meta, files } = catalog();
  const rates = new Map<number, number>();
  for (const { place, rate } of leaksOf(meta)) {
    if (place.path === files.path[file]) rates.set(place.line, (rates.get(place.line) ?? 0) + rate);
  }
  return rates;
}
