// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'preact/hooks';
import { FILE_KIND } from '../../data/schema';
import type { CallRows } from '../../model/call_rows';
import { placeOf } from '../../model/catalog';
import { partsOf } from '../../model/parts';
import { hasInside, libraryRuns, visibleCalls } from '../../model/visible_calls';
import { packageOf } from '../../render/colour';
import { catalog, chosen, metric, selection } from '../../state/app';
import { download, useExports } from '../../state/exports';
import { openKey } from '../../state/jump';
import { colourOfKey, labelOf, whereOf } from '../../state/names';
import { found, matcher } from '../../state/search';
import { formatAmount, formatFull, formatShare } from '../../text/amount';
import { csvOf } from '../../text/csv';
import type { SelectionTotals } from '../../worker/protocol';
import { PartBar } from '../../widgets/part_bar';
import { useOpenRows } from './open_rows';
import { TreeRows } from './tree_rows';

interface CallsProps {
  rows: CallRows;
  whole: SelectionTotals;
  inverted: boolean;
  hides: boolean;
  /** What the rows are the answer to. */
  question: string;
}

/** The rows of the tree, with what is open in it. */
export function Calls({ rows, whole, inverted, hides, question }: CallsProps) {
  const { by } = selection.value;
  const { unit, title } = metric.value;
  const names = catalog();
  const isMatch = matcher();
  const parts = partsOf(metric.value);
  const kindOf = (key: number) => names.files.kind[names.functions.file[placeOf(names, by, key).function]];
  const packageOfKey = (key: number) => {
    const file = names.functions.file[placeOf(names, by, key).function];
    return shortPackage(packageOf(names.files.path[file], names.files.kind[file]));
  };

  const runs = useMemo(() => (hides ? libraryRuns(rows, (key) => kindOf(key) === FILE_KIND.own) : null), [rows, hides]);
  // Matches before each row: a call has one inside if the number grows within it.
  const matchesBefore = useMemo(() => {
    if (!isMatch) return null;
    const before = new Uint32Array(rows.count + 1);
    for (let row = 0; row < rows.count; ++row) before[row + 1] = before[row] + (isMatch(rows.key[row]) ? 1 : 0);
    return before;
  }, [rows, found.value]);
  const hasMatchInside = useMemo(
    () => (matchesBefore ? (row: number) => matchesBefore[rows.end[row]] > matchesBefore[row + 1] : null),
    [matchesBefore],
  );
  const openByUser = useOpenRows(rows, whole.total, question, hasMatchInside);
  // A match among hidden calls shows them all.
  const openRows = useMemo(() => {
    if (!isMatch || !runs) return openByUser;
    const matched = new Set<number>();
    for (let row = 0; row < rows.count; ++row) {
      if (runs.hiddenBy[row] >= 0 && isMatch(rows.key[row])) matched.add(runs.hiddenBy[row]);
    }
    return { ...openByUser, isRunOpen: (row: number) => openByUser.isRunOpen(row) || matched.has(row) };
  }, [openByUser, runs, matchesBefore]);
  const visible = useMemo(() => visibleCalls(rows, runs, openRows), [rows, runs, openRows]);

  const [mark, setMark] = useState<{ kind: string; row: number } | null>(null);
  const current = useMemo(
    () => (mark ? visible.row.findIndex((row, at) => row === mark.row && visible.kind[at] === mark.kind) : -1),
    [mark, visible],
  );
  const setCurrent = (at: number) => {
    const row = visible.row[at];
    setMark({ kind: visible.kind[at], row });
    if (visible.kind[at] === 'call') chosen.value = placeOf(names, by, rows.key[row]).function;
  };
  const setOpen = (at: number, open: boolean) => {
    if (visible.kind[at] === 'run') openRows.setRunOpen(visible.row[at], open);
    else openRows.setOpen([{ row: visible.row[at], open }]);
  };

  useExports([{
    title: 'Save as CSV',
    save: () => {
      const shown = visible.row.flatMap((row, at) => (visible.kind[at] === 'call' ? [{ row, level: visible.level[at] }] : []));
      const cells = shown.map(({ row, level }) => [
        level, labelOf(names, by, rows.key[row]), whereOf(names, by, rows.key[row]),
        rows.total[row], rows.self[row], rows.totalSamples[row],
      ]);
      const text = csvOf(['Level', 'Call', 'File', 'Total', 'Self', 'Samples'], cells);
      download('pyrometer-calls.csv', new Blob([text], { type: 'text/csv' }));
    },
  }]);

  const barOf = (row: number, of: 'self' | 'total') => parts.map(({ id }) => ({ id, amount: rows.parts[id][of][row] }));
  // Looked up at each step of scrolling, and a run may be as long as the tree.
  const packagesBehind = useMemo(() => {
    const known = new Map<number, string[]>();
    return (entry: number): string[] => {
      let packages = known.get(entry);
      if (!packages) {
        const weights = new Map<string, number>();
        for (let row = entry + 1; row < rows.end[entry]; ++row) {
          if (runs!.hiddenBy[row] !== entry) continue;
          const name = packageOfKey(rows.key[row]);
          weights.set(name, (weights.get(name) ?? 0) + rows.self[row]);
        }
        packages = [...weights].sort((a, b) => b[1] - a[1]).map(([name]) => name);
        known.set(entry, packages);
      }
      return packages;
    };
  }, [runs]);
  const runText = (row: number) => {
    const packages = packagesBehind(row);
    const shown = packages.slice(0, 3).join(', ') + (packages.length > 3 ? ` and ${packages.length - 3} more` : '');
    const count = runs!.calls[row];
    return { what: `${count} ${count === 1 ? 'frame' : 'frames'} of `, shown, state: openRows.isRunOpen(row) ? '' : ' hidden' };
  };
  if (rows.count === 0) {
    return (
      <p class="note">
        {whole.total === 0 ? `No ${title.toLowerCase()} in what is selected.` : 'No call has as much: move the slider to the left.'}
      </p>
    );
  }
  const name = (at: number) => {
    const row = visible.row[at];
    if (visible.kind[at] === 'run') {
      const { what, shown, state } = runText(row);
      return <span class="faint call-note">{what}<bdi>{shown}</bdi>{state}</span>;
    }
    if (visible.kind[at] === 'rest') {
      const count = row < 0 ? rows.outerRestCalls : rows.restCalls[row];
      return <span class="faint call-note">{count} smaller {count === 1 ? 'call' : 'calls'}</span>;
    }
    const key = rows.key[row];
    return (
      <>
        <span class="call-dot" style={{ background: colourOfKey(names, by, key) }} />
        <bdi class="call-label">{labelOf(names, by, key)}</bdi>
        <bdi class="faint call-where">{whereOf(names, by, key)}</bdi>
      </>
    );
  };
  const figures = (at: number) => {
    const row = visible.row[at];
    if (visible.kind[at] !== 'call') {
      // Who called what has nothing by itself.
      if (inverted && visible.kind[at] === 'run') return null;
      const amount = visible.kind[at] === 'run' ? runs!.amount[row] : row < 0 ? rows.outerRest : rows.rest[row];
      return (
        <>
          <div />
          <div class="numeric faint">{formatAmount(amount, unit)}</div>
          <div class="numeric faint">{formatShare(amount, whole.total)}</div>
        </>
      );
    }
    return (
      <>
        <div><PartBar parts={barOf(row, 'total')} total={rows.total[row]} whole={whole.total} /></div>
        <div class="numeric">{formatAmount(rows.total[row], unit)}</div>
        <div class="numeric">{formatShare(rows.total[row], whole.total)}</div>
        {!inverted && (
          <>
            <div class="call-self"><PartBar parts={barOf(row, 'self')} total={rows.self[row]} whole={whole.total} /></div>
            <div class="numeric call-self">{rows.self[row] > 0 ? formatAmount(rows.self[row], unit) : <span class="faint">·</span>}</div>
          </>
        )}
      </>
    );
  };
  return (
    <TreeRows
      label={`${title}, ${inverted ? 'callers of everything' : 'calls'}`}
      visible={visible}
      current={current}
      onCurrent={setCurrent}
      isOpen={(at) => {
        const row = visible.row[at];
        if (visible.kind[at] === 'rest') return undefined;
        if (visible.kind[at] === 'run') return openRows.isRunOpen(row);
        return hasInside(rows, row) ? openRows.isOpen(row) : undefined;
      }}
      onOpen={setOpen}
      onOpenAll={(at) => {
        if (visible.kind[at] !== 'call') return;
        const from = visible.row[at];
        openRows.setOpen(Array.from({ length: rows.end[from] - from }, (_, i) => ({ row: from + i, open: true })));
      }}
      onEnter={(at) => {
        if (visible.kind[at] === 'call') openKey(by, rows.key[visible.row[at]]);
        else if (visible.kind[at] === 'run') setOpen(at, !openRows.isRunOpen(visible.row[at]));
      }}
      name={name}
      figures={figures}
      classOf={(at) => {
        const call = visible.kind[at] === 'call';
        const matches = isMatch !== null && call && isMatch(rows.key[visible.row[at]]);
        return `${inverted ? 'inverted' : ''} ${matches ? 'found' : isMatch !== null ? 'unfound' : ''}`;
      }}
      tipOf={(at) => {
        const row = visible.row[at];
        if (visible.kind[at] === 'run') {
          return <>Calls inside libraries, with what they have by themselves. Enter or the arrow shows them.</>;
        }
        if (visible.kind[at] === 'rest') {
          return <>Each has less than {formatShare(rows.floor, whole.total)}: the slider shows them.</>;
        }
        return (
          <>
            <strong><bdi>{labelOf(names, by, rows.key[row])}</bdi></strong>
            <div class="faint"><bdi>{whereOf(names, by, rows.key[row])}</bdi></div>
            <div>total {formatFull(rows.total[row], unit, whole.total, rows.totalSamples[row])}</div>
            {!inverted && <div>self {formatFull(rows.self[row], unit, whole.total, rows.selfSamples[row])}</div>}
            {parts.length > 0 && (
              <div class="faint">
                {barOf(row, 'total')
                  .flatMap(({ amount }, i) => (amount > 0 ? [`${parts[i].title} ${formatAmount(amount, unit)}`] : []))
                  .join(', ')}
              </div>
            )}
          </>
        );
      }}
      head={
        <div class={`call-row titles ${inverted ? 'inverted' : ''}`}>
          <div class="call-name">{inverted ? 'Function, and who called it' : 'Call'}</div>
          <div />
          <div class="numeric">{inverted ? title : 'Total'}</div>
          <div class="numeric">%</div>
          {!inverted && <><div class="call-self" /><div class="numeric call-self">Self</div></>}
        </div>
      }
    />
  );
}

/** The last part of what a package is called: a path, where it is a file of the user's. */
function shortPackage(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1) || name;
}
