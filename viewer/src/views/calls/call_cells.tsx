// SPDX-License-Identifier: Apache-2.0
// What a row of the tree says: its name, its figures, its tooltip.
import type { CallRows } from '../../model/call_rows';
import { Part, partsOf } from '../../model/parts';
import { catalog, metric, selection } from '../../state/app';
import { colourOfKey, labelOf, whereOf } from '../../state/names';
import { formatAmount, formatFull, formatShare } from '../../text/amount';
import { BarPart, PartBar } from '../../widgets/part_bar';
import type { ShownCalls } from './shown_calls';

const MOST_PACKAGES = 3;

interface CellProps {
  shown: ShownCalls;
  /** Position among the visible ones. */
  at: number;
  inverted: boolean;
  /** Of everything. */
  whole: number;
}

function partsOfRow(rows: CallRows, parts: readonly Part[], row: number, of: 'self' | 'total'): BarPart[] {
  return parts.map(({ name }) => ({ name, amount: rows.parts[name][of][row] }));
}

export function CallHead({ inverted }: { inverted: boolean }) {
  return (
    <div class={`call-row titles ${inverted ? 'inverted' : ''}`}>
      <div class="call-name">{inverted ? 'Function, and who called it' : 'Call'}</div>
      <div />
      <div class="numeric">{inverted ? metric.value.title : 'Total'}</div>
      <div class="numeric">%</div>
      {!inverted && <><div class="call-self" /><div class="numeric call-self">Self</div></>}
    </div>
  );
}

export function CallName({ shown: { rows, visible, runs, openRows, packagesBehind }, at }: Pick<CellProps, 'shown' | 'at'>) {
  const row = visible.row[at];
  switch (visible.kind[at]) {
    case 'run': {
      const packages = packagesBehind(row);
      const more = packages.length > MOST_PACKAGES ? ` and ${packages.length - MOST_PACKAGES} more` : '';
      const count = runs!.calls[row];
      return (
        <span class="faint call-note">
          {`${count} ${count === 1 ? 'frame' : 'frames'} of `}
          <bdi>{packages.slice(0, MOST_PACKAGES).join(', ') + more}</bdi>
          {openRows.isRunOpen(row) ? '' : ' hidden'}
        </span>
      );
    }
    case 'rest': {
      const count = row < 0 ? rows.outerRestCalls : rows.restCalls[row];
      return <span class="faint call-note">{count} smaller {count === 1 ? 'call' : 'calls'}</span>;
    }
    default: {
      const [names, { by }, key] = [catalog(), selection.value, rows.key[row]];
      return (
        <>
          <span class="call-dot" style={{ background: colourOfKey(names, by, key) }} />
          <bdi class="call-label">{labelOf(names, by, key)}</bdi>
          <bdi class="faint call-where">{whereOf(names, by, key)}</bdi>
        </>
      );
    }
  }
}

export function CallFigures({ shown: { rows, visible, runs }, at, inverted, whole }: CellProps) {
  const { unit } = metric.value;
  const row = visible.row[at];
  if (visible.kind[at] !== 'call') {
    // Who called what has nothing by itself.
    if (inverted && visible.kind[at] === 'run') return null;
    const amount = visible.kind[at] === 'run' ? runs!.amount[row] : row < 0 ? rows.outerRest : rows.rest[row];
    return (
      <>
        <div />
        <div class="numeric faint">{formatAmount(amount, unit)}</div>
        <div class="numeric faint">{formatShare(amount, whole)}</div>
      </>
    );
  }
  const parts = partsOf(metric.value);
  return (
    <>
      <div><PartBar parts={partsOfRow(rows, parts, row, 'total')} total={rows.total[row]} whole={whole} /></div>
      <div class="numeric">{formatAmount(rows.total[row], unit)}</div>
      <div class="numeric">{formatShare(rows.total[row], whole)}</div>
      {!inverted && (
        <>
          <div class="call-self"><PartBar parts={partsOfRow(rows, parts, row, 'self')} total={rows.self[row]} whole={whole} /></div>
          <div class="numeric call-self">{rows.self[row] > 0 ? formatAmount(rows.self[row], unit) : <span class="faint">·</span>}</div>
        </>
      )}
    </>
  );
}

export function CallTip({ shown: { rows, visible }, at, inverted, whole }: CellProps) {
  const row = visible.row[at];
  if (visible.kind[at] === 'run') return <>Calls inside libraries, with what they have by themselves. Enter or the arrow shows them.</>;
  if (visible.kind[at] === 'rest') return <>Each has less than {formatShare(rows.floor, whole)}: the slider shows them.</>;
  const { unit } = metric.value;
  const [names, { by }, key] = [catalog(), selection.value, rows.key[row]];
  const parts = partsOf(metric.value);
  return (
    <>
      <strong><bdi>{labelOf(names, by, key)}</bdi></strong>
      <div class="faint"><bdi>{whereOf(names, by, key)}</bdi></div>
      <div>total {formatFull(rows.total[row], unit, whole, rows.totalSamples[row])}</div>
      {!inverted && <div>self {formatFull(rows.self[row], unit, whole, rows.selfSamples[row])}</div>}
      {parts.length > 0 && (
        <div class="faint">
          {partsOfRow(rows, parts, row, 'total')
            .flatMap(({ amount }, i) => (amount > 0 ? [`${parts[i].head} ${formatAmount(amount, unit)}`] : []))
            .join(', ')}
        </div>
      )}
    </>
  );
}
