// SPDX-License-Identifier: Apache-2.0
import { changeOf, DiffRows, Whole } from '../../model/diff';
import { isSignificant } from '../../model/interval';
import type { Metric } from '../../model/metrics';
import type { Compared } from '../../state/compared';
import { formatAmount } from '../../text/amount';
import { formatDifference, formatHalfWidth } from '../../text/interval';

const MOST_NAMED = 3;

/** The comparison in words: by how much, and by whom. */
export function DiffSummary(props: {
  rows: DiffRows;
  whole: Whole;
  compared: Compared;
  metric: Metric;
  /** Amounts are shares of their profiles. */
  share: boolean;
  /** Each function has here what it calls in libraries and native code, and the table has not. */
  folded: boolean;
  onChoose: (row: number) => void;
}) {
  const { rows, whole, compared, metric, share } = props;
  const unit = share ? 'share' : metric.unit;
  const difference = whole.fresh.amount - whole.base.amount;
  const words = metric.unit === 'nanoseconds' ? { more: 'Slower', less: 'Faster' } : { more: 'More', less: 'Less' };
  const changes = Array.from(rows.key, (_, row) => ({ row, ...changeAt(rows, row, 'self', whole, metric, share) }))
    .filter(({ interval }) => isSignificant(interval))
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  const list = (title: string, of: typeof changes) => of.length > 0 && (
    <p>
      {title}:{' '}
      {of.slice(0, MOST_NAMED).map(({ row, difference: by, interval }, i) => (
        <span key={rows.key[row]}>
          {i > 0 && ', '}
          <button type="button" class="link" onClick={() => props.onChoose(row)}><bdi>{compared.labelOf(rows.key[row])}</bdi></button>
          {' '}{formatDifference(by, unit)}
          {interval.low < interval.high && (
            <span class="faint"> (95 %: {formatDifference(interval.low, unit)} to {formatDifference(interval.high, unit)})</span>
          )}
        </span>
      ))}
      {of.length > MOST_NAMED && <span class="faint">, and {of.length - MOST_NAMED} more</span>}
    </p>
  );
  const isMeasured = whole.interval.low === whole.interval.high;
  const sure = isMeasured || isSignificant(whole.interval);
  return (
    <div class="diff-summary" aria-live="polite">
      <p>
        <strong class={difference === 0 || !sure ? '' : difference > 0 ? 'more' : 'less'}>
          {difference === 0 ? 'No difference' : !sure ? 'No difference that the samples could tell' : (
            <>
              {difference > 0 ? words.more : words.less} by {formatAmount(Math.abs(difference), metric.unit)}
              {!isMeasured && ` ± ${formatHalfWidth(whole.interval, metric.unit)}`}
            </>
          )}
        </strong>
        {' '}(<bdi>{metric.title}</bdi>: {formatAmount(whole.base.amount, metric.unit)} → {formatAmount(whole.fresh.amount, metric.unit)}
        {whole.base.amount > 0 && `, ${formatDifference(difference / whole.base.amount, 'share')}`})
      </p>
      {list('More in', changes.filter(({ difference: by }) => by > 0))}
      {list('Less in', changes.filter(({ difference: by }) => by < 0))}
      {changes.length > 0 && props.folded && (
        <p class="faint">Each with what it calls in libraries and native code; below, those stand for themselves.</p>
      )}
      {changes.length === 0 && <p class="faint">No single row differs by more than chance explains.</p>}
    </div>
  );
}

export function changeAt(rows: DiffRows, row: number, of: 'self' | 'total', whole: Whole, metric: Metric, share: boolean) {
  const at = ({ amount, squares }: { amount: Float64Array; squares: Float64Array }) => ({ amount: amount[row], squares: squares[row] });
  return changeOf(at(rows.fresh[of]), at(rows.base[of]), whole, metric.unit, share);
}
