// SPDX-License-Identifier: Apache-2.0
import type { Unit } from '../../model/metric';
import type { Ranked, Ranking } from '../../model/ranking';
import { catalog } from '../../state/app';
import { showSource } from '../../state/jump';
import { formatAmount, formatFull, formatShare } from '../../text/amount';
import { shownSource } from '../../text/shown';
import { KindBar } from '../../widgets/kind_bar';
import { baseName } from '../../widgets/place_link';
import { calledName } from './verdict_text';

/** Places with most of something; each leads to its source. */
export function PlaceList({ ranking, unit, most }: { ranking: Ranking; unit: Unit; most: number }) {
  const rows = ranking.rows.slice(0, most);
  const longest = rows.reduce((max, { amount }) => Math.max(max, amount), 0);
  return (
    <ul class="places">
      {rows.map((row) => (
        <li key={row.place}>
          <button type="button" class="plain" title={formatFull(row.amount, unit, ranking.total, row.samples)} onClick={() => showSource(row.file, row.line, row.function)}>
            <span class="what"><What row={row} /></span>
            <span class="amount">{formatAmount(row.amount, unit)}</span>
            <span class="amount faint">{formatShare(row.amount, ranking.total)}</span>
            <span class="bar-track">
              {row.kinds.length > 0
                ? <KindBar kinds={row.kinds} whole={longest} />
                : <span class="plain-bar" style={{ width: `${longest > 0 ? (100 * row.amount) / longest : 0}%` }} />}
            </span>
          </button>
        </li>
      ))}
      {ranking.elsewhere > 0 && (
        <li class="elsewhere faint">
          outside your code {formatAmount(ranking.elsewhere, unit)} · {formatShare(ranking.elsewhere, ranking.total)}
        </li>
      )}
    </ul>
  );
}

function What({ row }: { row: Ranked }) {
  const { functions, files } = catalog();
  const name = calledName(functions.name[row.function] ?? '');
  const where = `${baseName(files.path[row.file] ?? '')}${row.line > 0 ? `:${row.line}` : ''}`;
  return (
    <>
      <bdi class="code">{row.text !== null ? shownSource(row.text) : name}</bdi>
      <bdi class="faint">{row.text !== null ? `${name}  ${where}` : where}</bdi>
    </>
  );
}
