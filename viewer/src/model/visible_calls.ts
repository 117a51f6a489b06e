// SPDX-License-Identifier: Apache-2.0
// Which rows of a tree of calls are on the screen, given what is open.
import type { CallRows } from './call_rows';

/** Runs of calls inside libraries, of which only the first is shown until the user asks. */
export interface LibraryRuns {
  /** By row: the row that entered the library, if that is another one; -1: it is shown in any case. */
  hiddenBy: Int32Array;
  /** By row that enters: how many calls are hidden behind it, and what they have by themselves. */
  calls: Uint32Array;
  amount: Float64Array;
}

/** `isOwn`: whether a key is the user's own code. */
export function libraryRuns(rows: CallRows, isOwn: (key: number) => boolean): LibraryRuns {
  const hiddenBy = new Int32Array(rows.count).fill(-1);
  const calls = new Uint32Array(rows.count);
  const amount = new Float64Array(rows.count);
  const path: number[] = [];
  for (let row = 0; row < rows.count; ++row) {
    path.length = rows.depth[row];
    path.push(row);
    if (path.length < 2 || isOwn(rows.key[row])) continue;
    const caller = path[path.length - 2];
    if (isOwn(rows.key[caller])) continue;
    const entry = hiddenBy[caller] < 0 ? caller : hiddenBy[caller];
    hiddenBy[row] = entry;
    ++calls[entry];
    amount[entry] += rows.self[row] + rows.rest[row];
  }
  return { hiddenBy, calls, amount };
}

/** `run`: stands for the calls that are hidden behind the call above it; `rest`: for those too small to be shown. */
export type VisibleKind = 'call' | 'run' | 'rest';

export interface VisibleCalls {
  count: number;
  kind: VisibleKind[];
  /** Row of the call; of a run and a rest: the call that they belong to (-1: none, the outermost calls). */
  row: number[];
  level: number[];
}

export interface Openness {
  isOpen: (row: number) => boolean;
  /** Whether the run behind this call is shown call by call. */
  isRunOpen: (row: number) => boolean;
}

/** One step for each row that is open: closed calls are passed over with all that is below them. */
export function visibleCalls(rows: CallRows, runs: LibraryRuns | null, { isOpen, isRunOpen }: Openness): VisibleCalls {
  const visible: VisibleCalls = { count: 0, kind: [], row: [], level: [] };
  const emit = (kind: VisibleKind, row: number, level: number) => {
    visible.kind.push(kind);
    visible.row.push(row);
    visible.level.push(level);
    ++visible.count;
  };
  const open: number[] = [];
  const levels: number[] = [];
  const leave = () => {
    const row = open.pop()!;
    const level = levels.pop()!;
    if (rows.rest[row] > 0) emit('rest', row, level + 1);
  };
  let row = 0;
  while (row < rows.count) {
    while (open.length > 0 && row >= rows.end[open[open.length - 1]]) leave();
    const entry = runs ? runs.hiddenBy[row] : -1;
    if (entry >= 0 && !isRunOpen(entry)) {
      ++row;
      continue;
    }
    const level = levels.length > 0 ? levels[levels.length - 1] + 1 : 0;
    emit('call', row, level);
    if (!isOpen(row)) {
      row = rows.end[row];
      continue;
    }
    open.push(row);
    levels.push(level);
    if (runs && runs.calls[row] > 0) emit('run', row, level + 1);
    ++row;
  }
  while (open.length > 0) leave();
  if (rows.outerRest > 0) emit('rest', -1, 0);
  return visible;
}

/** Whether a call has anything to open. */
export function hasInside(rows: CallRows, row: number): boolean {
  return rows.end[row] > row + 1 || rows.rest[row] > 0;
}
