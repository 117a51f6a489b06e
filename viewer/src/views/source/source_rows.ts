// SPDX-License-Identifier: Apache-2.0
import type { LineFigures } from '../../model/line_figures';

/** A row of the code: a line of the file. */
export interface SourceRow {
  /** 0: instructions that have no line. */
  line: number;
  /** null: its text is not known. */
  text: string | null;
  /** Into the figures; -1: it was on no stack. */
  figure: number;
}

/** All lines of the text, and lines with figures that it does not have. */
export function sourceRows(text: string | null, figures: LineFigures): SourceRow[] {
  const figureOf = new Map<number, number>();
  figures.line.forEach((line, figure) => figureOf.set(line, figure));
  const lines = text === null ? [] : text.split(/\r\n|\n|\r/);
  if (lines.length > 0 && lines[lines.length - 1] === '') lines.pop();
  const rows: SourceRow[] = lines.map((content, i) => ({ line: i + 1, text: content, figure: figureOf.get(i + 1) ?? -1 }));
  const hasFigures = (figure: number) => Object.values(figures.amount).some((amounts) => amounts[figure] > 0);
  const extra: SourceRow[] = [];
  figures.line.forEach((line, figure) => {
    if (line === 0 ? hasFigures(figure) : line > lines.length) extra.push({ line, text: null, figure });
  });
  const withoutLine = extra.filter(({ line }) => line === 0);
  return [...withoutLine, ...rows, ...extra.filter(({ line }) => line > 0)];
}

/** Rows that are hot enough to be jumped to: at least this share of the hottest. */
const HOT_SHARE = 0.02;

export function hotRows(rows: readonly SourceRow[], heat: Float64Array): number[] {
  const most = heat.reduce((max, value) => Math.max(max, value), 0);
  const hot: number[] = [];
  rows.forEach(({ figure }, at) => {
    if (figure >= 0 && heat[figure] > 0 && heat[figure] >= most * HOT_SHARE) hot.push(at);
  });
  return hot;
}

/** Rows whose text has what is looked for, without regard to case. */
export function foundRows(rows: readonly SourceRow[], wanted: string): number[] {
  if (wanted === '') return [];
  const lower = wanted.toLowerCase();
  const found: number[] = [];
  rows.forEach(({ text }, at) => {
    if (text !== null && text.toLowerCase().includes(lower)) found.push(at);
  });
  return found;
}

/** The next of some sorted positions after (or before) one, around the end; -1: there are none. */
export function nextOf(positions: readonly number[], from: number, step: 1 | -1): number {
  if (positions.length === 0) return -1;
  if (step === 1) return positions.find((at) => at > from) ?? positions[0];
  for (let i = positions.length - 1; i >= 0; --i) if (positions[i] < from) return positions[i];
  return positions[positions.length - 1];
}
