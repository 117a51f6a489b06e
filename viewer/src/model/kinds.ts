// SPDX-License-Identifier: Apache-2.0
// Time in four kinds, as lines and functions show it: Python, native, kernel and waits.
import { metricOf } from './metric';

export const KINDS = ['python', 'native', 'kernel', 'wait'] as const;

/** The metric of all time that goes with a metric: "wall" has the waits of all threads, "time" those of the main thread. */
export function wholeTime(metric: string): 'time' | 'wall' {
  const { source, activities } = metricOf(metric);
  return source === 'sample' && activities.some((activity) => activity > 2) ? 'wall' : 'time';
}
