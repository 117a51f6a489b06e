// SPDX-License-Identifier: Apache-2.0
import type { Groups } from './groups';

// Waiting threads are polled every 10 ms; what a poll says of the time since the last one is in no order.
const MOST_NS = 100e6;

/**
 * Each row ends at its time and has its length. One poll may bring several rows with the same end:
 * so much on a CPU, so much waiting for one. From the back to the front, this moves ends so that
 * the rows of a group follow each other instead of lying upon each other. Nothing changes in
 * length or order, and nothing moves far.
 */
export function separateInTime(groups: Groups, time: Float64Array, length: Float64Array): void {
  const { start, rows } = groups;
  for (let group = 0; group + 1 < start.length; ++group) {
    let limit = Infinity;
    for (let at = start[group + 1] - 1; at >= start[group]; --at) {
      const row = rows[at];
      const end = Math.max(Math.min(time[row], limit), time[row] - MOST_NS, 0);
      time[row] = end;
      limit = end - length[row];
    }
  }
}
