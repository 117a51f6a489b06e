// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { FILE_KIND } from '../../data/schema';
import { matchesInside, ownersBehind, runsWithMatch } from '../../model/call_matches';
import type { CallRows } from '../../model/call_rows';
import { placeOf } from '../../model/catalog';
import { LibraryRuns, libraryRuns, VisibleCalls, visibleCalls } from '../../model/visible_calls';
import { packageOf } from '../../render/colour';
import { catalog, selection } from '../../state/app';
import { found, matcher } from '../../state/search';
import { OpenRows, useOpenRows } from './open_rows';

export interface CallsProps {
  rows: CallRows;
  whole: { total: number };
  inverted: boolean;
  /** Of calls inside libraries only the first is shown. */
  hides: boolean;
  /** What the rows are the answer to. */
  question: string;
}

export interface ShownCalls {
  rows: CallRows;
  visible: VisibleCalls;
  openRows: OpenRows;
  isMatch: ((key: number) => boolean) | null;
  /** null: nothing is hidden. */
  runs: LibraryRuns | null;
  /** Packages of the calls behind the run of a row, those with most first. */
  packagesBehind: (row: number) => string[];
}

/** The rows that are on the screen, by what is open, hidden and found. */
export function useShownCalls({ rows, whole, hides, question }: CallsProps): ShownCalls {
  const isMatch = matcher();
  const runs = useMemo(() => (hides ? libraryRuns(rows, (key) => fileOf(key).kind === FILE_KIND.own) : null), [rows, hides]);
  const hasMatchInside = useMemo(() => isMatch && matchesInside(rows, isMatch), [rows, found.value]);
  const openByUser = useOpenRows(rows, whole.total, question, hasMatchInside);
  // A match among hidden calls shows them all.
  const openRows = useMemo(() => {
    if (!isMatch || !runs) return openByUser;
    const matched = runsWithMatch(rows, runs, isMatch);
    return { ...openByUser, isRunOpen: (row: number) => openByUser.isRunOpen(row) || matched.has(row) };
  }, [openByUser, runs, hasMatchInside]);
  const visible = useMemo(() => visibleCalls(rows, runs, openRows), [rows, runs, openRows]);
  // Looked up at each step of scrolling, and a run may be as long as the tree.
  const packagesBehind = useMemo(() => {
    const known = new Map<number, string[]>();
    return (row: number): string[] => {
      let packages = known.get(row);
      if (!packages) known.set(row, (packages = ownersBehind(rows, runs!, row, shortPackage)));
      return packages;
    };
  }, [runs]);
  return { rows, visible, openRows, isMatch, runs, packagesBehind };
}

function fileOf(key: number): { path: string; kind: number } {
  const { files, functions } = catalog();
  const file = functions.file[placeOf(catalog(), selection.value.by, key).function];
  return { path: files.path[file], kind: files.kind[file] };
}

/** The last part of what a package is called: a path, where it is a file of the user's. */
function shortPackage(key: number): string {
  const { path, kind } = fileOf(key);
  const name = packageOf(path, kind);
  return name.slice(name.lastIndexOf('/') + 1) || name;
}
