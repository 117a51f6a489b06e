// SPDX-License-Identifier: Apache-2.0
import { amountInterval } from '../../model/interval';
import type { Metric } from '../../model/metrics';
import { partsOf } from '../../model/parts';
import type { Selection } from '../../model/selection';
import type { TableRows } from '../../model/table';
import { catalog } from '../../state/app';
import { labelOf, whereOf } from '../../state/names';
import { formatAmount, formatFull } from '../../text/amount';
import { formatInterval } from '../../text/interval';

/** A row in full: amounts, samples, how far to trust them, and what they are made of. */
export function RowTip({ rows, row, by, metric }: { rows: TableRows; row: number; by: Selection['by']; metric: Metric }) {
  const names = catalog();
  const line = (title: string, of: 'self' | 'total', samples: number) => {
    const amount = rows[of][row];
    const interval = amountInterval({ amount, squares: rows.squares[of][row] }, rows.whole, metric.unit);
    return (
      <>
        <dt>{title}</dt>
        <dd>{formatFull(amount, metric.unit, rows.whole.amount, samples)}</dd>
        <dd class="range">{amount > 0 && interval.high > interval.low && `95 %: ${formatInterval(interval, metric.unit)}`}</dd>
      </>
    );
  };
  const parts = partsOf(metric).filter(({ name }) => rows.parts[name].total[row] > 0);
  return (
    <>
      <strong><bdi>{labelOf(names, by, rows.key[row])}</bdi></strong>
      <div class="faint"><bdi>{whereOf(names, by, rows.key[row])}</bdi></div>
      <dl class="tip-figures">
        {line('self', 'self', rows.selfSamples[row])}
        {line('total', 'total', rows.totalSamples[row])}
      </dl>
      {parts.length > 0 && (
        <div class="faint">
          of total: {parts.map(({ name, head }) => `${head} ${formatAmount(rows.parts[name].total[row], metric.unit)}`).join(', ')}
        </div>
      )}
    </>
  );
}
