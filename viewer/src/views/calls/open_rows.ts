// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CallRows } from '../../model/call_rows';
import { option, setOption } from '../../state/app';

// Calls that have at least this share of everything are open from the start: the hot path.
const HOT = 0.1;
// Longer lists make addresses that no mail survives.
const MOST_REMEMBERED = 150;

export interface OpenRows {
  isOpen: (row: number) => boolean;
  isRunOpen: (row: number) => boolean;
  setOpen: (changes: { row: number; open: boolean }[]) => void;
  setRunOpen: (row: number, open: boolean) => void;
}

/** What the user has opened and closed; the rest follows from heat and search. The address remembers it. */
export function useOpenRows(rows: CallRows | null, whole: number, hasMatchInside: ((row: number) => boolean) | null): OpenRows {
  const remembered = option('calls.open', '');
  const [calls, setCalls] = useState<ReadonlyMap<number, boolean>>(() => parse(remembered).calls);
  const [runs, setRuns] = useState<ReadonlySet<number>>(() => parse(remembered).runs);
  const written = useRef(remembered);
  const lastRows = useRef<CallRows | null>(null);

  const remember = (nextCalls: ReadonlyMap<number, boolean>, nextRuns: ReadonlySet<number>) => {
    setCalls(nextCalls);
    setRuns(nextRuns);
    written.current = textOf(nextCalls, nextRuns);
    setOption('calls.open', written.current, '');
  };
  // Another selection has other rows; numbers of the ones before mean nothing in it.
  useEffect(() => {
    if (!rows) return;
    if (lastRows.current && lastRows.current !== rows) remember(new Map(), new Set());
    lastRows.current = rows;
  }, [rows]);
  // Back and forward.
  useEffect(() => {
    if (remembered === written.current) return;
    written.current = remembered;
    setCalls(parse(remembered).calls);
    setRuns(parse(remembered).runs);
  }, [remembered]);

  return useMemo(() => ({
    isOpen: (row) => calls.get(row) ?? ((rows !== null && rows.total[row] >= HOT * whole) || (hasMatchInside?.(row) ?? false)),
    isRunOpen: (row) => runs.has(row),
    setOpen: (changes) => {
      const next = new Map(calls);
      for (const { row, open } of changes) next.set(row, open);
      remember(next, runs);
    },
    setRunOpen: (row, open) => {
      const next = new Set(runs);
      if (open) next.add(row);
      else next.delete(row);
      remember(calls, next);
    },
  }), [calls, runs, rows, whole, hasMatchInside]);
}

/** "12.-15.r7": opened, closed, shown call by call. */
function textOf(calls: ReadonlyMap<number, boolean>, runs: ReadonlySet<number>): string {
  if (calls.size + runs.size > MOST_REMEMBERED) return '';
  return [...[...calls].map(([row, open]) => (open ? `${row}` : `-${row}`)), ...[...runs].map((row) => `r${row}`)].join('.');
}

function parse(text: string): { calls: Map<number, boolean>; runs: Set<number> } {
  const calls = new Map<number, boolean>();
  const runs = new Set<number>();
  for (const part of text.split('.').slice(0, MOST_REMEMBERED)) {
    const found = /^(-|r)?(\d{1,7})$/.exec(part);
    if (!found) continue;
    if (found[1] === 'r') runs.add(Number(found[2]));
    else calls.set(Number(found[2]), found[1] !== '-');
  }
  return { calls, runs };
}
