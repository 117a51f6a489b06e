// SPDX-License-Identifier: Apache-2.0
// What all views are of. A plain value: its JSON is the key of every cache.
import { METRICS } from './metrics';

export interface Range {
  begin: number;
  end: number;
}

export interface Selection {
  metric: string;
  /** Indices; empty lists stand for all. */
  processes: number[];
  threads: number[];
  tasks: number[];
  /** Nanoseconds since the start of the run; null: all of it. */
  range: Range | null;
  /**
   * mixed: Python frames, and the native ones that the innermost of them calls, so that stacks with
   * and without the frames of the interpreter are one; both: every frame as it was.
   */
  frames: 'mixed' | 'python' | 'native' | 'both';
  by: 'function' | 'line';
  /** Calls inside libraries are one frame: that by which they were entered. */
  collapse: boolean;
  /** A regular expression; empty: none. */
  search: string;
}

export const EVERYTHING: Selection = {
  metric: METRICS[0].name,
  processes: [],
  threads: [],
  tasks: [],
  range: null,
  frames: 'mixed',
  by: 'function',
  collapse: false,
  search: '',
};

/** The part that decides how much each stack weighs. */
export type Weighing = Pick<Selection, 'metric' | 'processes' | 'threads' | 'tasks' | 'range'>;

export function weighingOf(selection: Selection): Weighing {
  const { metric, processes, threads, tasks, range } = selection;
  return { metric, processes, threads, tasks, range };
}

/** The part that decides which calls are one node of the tree. */
export type Shape = Pick<Selection, 'frames' | 'by' | 'collapse'> & { recursion?: boolean };

export function shapeOf(selection: Selection): Shape {
  const { frames, by, collapse } = selection;
  return { frames, by, collapse };
}

/** For questions whose answer does not depend on the search: typing does not ask them anew. */
export function withoutSearch(selection: Selection): Selection {
  return { ...selection, search: '' };
}
