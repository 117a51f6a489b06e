// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineFigures } from '../../model/line_figures';
import { HEAT, lineColumnsOf, ROWS } from '../../model/metrics';
import { foundRows, hotRows, nextOf, sourceRows } from './source_rows';

function figuresOf(heatByLine: Record<number, number>): LineFigures {
  const lines = Object.keys(heatByLine).map(Number);
  const heat = Float64Array.from(lines, (line) => heatByLine[line]);
  const columns = (values: Float64Array) => Object.fromEntries([HEAT, ...lineColumnsOf(ROWS).map(({ name }) => name)].map((name) => [name, name === HEAT ? values : new Float64Array(lines.length)]));
  return { line: Uint32Array.from(lines), amount: columns(heat), samples: columns(heat), total: {} } as unknown as LineFigures;
}

test('every line of the text, and lines that it does not have', () => {
  const rows = sourceRows('a\r\nb\n', figuresOf({ 0: 3, 2: 5, 9: 1 }));
  assert.deepEqual(rows.map(({ line, text, figure }) => [line, text, figure]), [[0, null, 0], [1, 'a', -1], [2, 'b', 1], [9, null, 2]]);
  assert.deepEqual(sourceRows(null, figuresOf({ 0: 0, 4: 2 })).map(({ line }) => line), [4]);
});

test('hot lines, found lines, and the way around them', () => {
  const figures = figuresOf({ 1: 1000, 2: 1, 3: 500 });
  const rows = sourceRows('One\ntwo\none', figures);
  assert.deepEqual(hotRows(rows, figures.amount.heat), [0, 2]);
  assert.deepEqual(foundRows(rows, 'oNe'), [0, 2]);
  assert.deepEqual(foundRows(rows, ''), []);
  assert.deepEqual([nextOf([0, 2], 0, 1), nextOf([0, 2], 2, 1), nextOf([0, 2], 0, -1), nextOf([0, 2], 1, -1), nextOf([], 1, 1)], [2, 0, 2, 0, -1]);
});
