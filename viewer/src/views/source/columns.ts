// SPDX-License-Identifier: Apache-2.0
// The figures of a line, as columns beside the code and in the table of lines.
import type { LineFigures } from '../../model/line_figures';
import type { LineColumn } from '../../model/metrics';
import { leaksOf } from '../../model/report';
import { catalog, metricTable } from '../../state/app';

/** Columns that have anything in this file. */
export function shownColumns(figures: LineFigures): LineColumn[] {
  return metricTable.value.lineColumns.filter(({ name }) => figures.amount[name].some((amount) => amount > 0));
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
