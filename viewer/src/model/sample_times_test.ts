// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupRows } from './groups';
import { separateInTime } from './sample_times';

function placed(rows: [time: number, length: number][]): number[] {
  const time = Float64Array.from(rows, ([end]) => end);
  separateInTime(groupRows(new Uint32Array(rows.length), 1), time, Float64Array.from(rows, ([, length]) => length));
  return [...time];
}

test('what ends at the same time stands in a row', () => {
  assert.deepEqual(placed([[10, 10], [20, 4], [20, 6]]), [10, 14, 20]);
});

test('what does not overlap stays where it is', () => {
  assert.deepEqual(placed([[10, 10], [25, 5], [40, 15]]), [10, 25, 40]);
});

test('nothing moves far, and order is kept', () => {
  const rows = Array.from({ length: 50 }, (_, i): [number, number] => [i * 10e6, 100e6]);
  const ends = placed(rows);
  ends.forEach((end, i) => {
    assert.ok(end <= rows[i][0] && end >= Math.max(0, rows[i][0] - 100e6));
    if (i > 0) assert.ok(end >= ends[i - 1]);
  });
});
