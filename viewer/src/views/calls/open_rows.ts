// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'preact/hooks';
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

/**
 * What the user has opened and closed; the rest follows from heat and search. The address remembers
 * it together with a sign of the question that the rows answer: their numbers mean nothing in others.
 */
export function useOpenRows(
  rows: CallRows,
  whole: number,
  question: string,
  hasMatchInside: ((row: number) => boolean) | null,
): OpenRows {
  const sign = signOf(question);
  const remembered = option('calls.open', '');
  const { calls, runs } = useMemo(() => parse(remembered, sign), [remembered, sign]);
  // What is too long for an address is remembered here, as long as the view is shown.
  const [long, setLong] = useState<{ sign: string; calls: ReadonlyMap<number, boolean>; runs: ReadonlySet<number> } | null>(null);
  const state = long?.sign === sign ? long : { calls, runs };

  const remember = (nextCalls: ReadonlyMap<number, boolean>, nextRuns: ReadonlySet<number>) => {
    const text = textOf(nextCalls, nextRuns);
    setLong(text === null ? { sign, calls: nextCalls, runs: nextRuns } : null);
    setOption('calls.open', text ? `${sign}.${text}` : '', '');
  };

  return useMemo(() => ({
    isOpen: (row) => state.calls.get(row) ?? (rows.total[row] >= HOT * whole || (hasMatchInside?.(row) ?? false)),
    isRunOpen: (row) => state.runs.has(row),
    setOpen: (changes) => {
      const next = new Map(state.calls);
      for (const { row, open } of changes) next.set(row, open);
      remember(next, state.runs);
    },
    setRunOpen: (row, open) => {
      const next = new Set(state.runs);
      if (open) next.add(row);
      else next.delete(row);
      remember(state.calls, next);
    },
  }), [state.calls, state.runs, rows, whole, hasMatchInside]);
}

/** "12.-15.r7": opened, closed, shown call by call; null: too long. */
function textOf(calls: ReadonlyMap<number, boolean>, runs: ReadonlySet<number>): string | null {
  if (calls.size + runs.size > MOST_REMEMBERED) return null;
  return [...[...calls].map(([row, open]) => (open ? `${row}` : `-${row}`)), ...[...runs].map((row) => `r${row}`)].join('.');
}

function parse(text: string, sign: string): { calls: Map<number, boolean>; runs: Set<number> } {
  const calls = new Map<number, boolean>();
  const runs = new Set<number>();
  const [of, ...parts] = text.split('.');
  if (of !== sign) return { calls, runs };
  for (const part of parts.slice(0, MOST_REMEMBERED)) {
    const found = /^(-|r)?(\d{1,7})$/.exec(part);
    if (!found) continue;
    if (found[1] === 'r') runs.add(Number(found[2]));
    else calls.set(Number(found[2]), found[1] !== '-');
  }
  return { calls, runs };
}

/** A few letters that tell questions apart. */
function signOf(question: string): string {
  let hash = 0;
  for (let i = 0; i < question.length; ++i) hash = (Math.imul(hash, 31) + question.charCodeAt(i)) | 0;
  return `q${(hash >>> 0).toString(36)}`;
}
