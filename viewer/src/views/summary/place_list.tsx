// SPDX-License-Identifier: Apache-2.0
import type { Interval } from '../../model/interval';
import type { Unit } from '../../model/metrics';
import { intervalOf, Intervals } from '../../model/place_intervals';
import type { Ranked, Ranking } from '../../model/ranking';
import { catalog } from '../../state/app';
import { showSource } from '../../state/jump';
import { formatAmount, formatFull, formatShare } from '../../text/amount';
import { calledName } from '../../text/called_name';
import { formatInterval } from '../../text/interval';
import { shownSource } from '../../data/shown';
import { baseName } from '../../widgets/place_link';
import { TimePartsBar } from '../../widgets/time_parts_bar';

/** Places with most of something; each leads to its source. */
export function PlaceList({ ranking, unit, most, intervals }: { ranking: Ranking; unit: Unit; most: number; intervals: Intervals | null }) {
  const rows = ranking.rows.slice(0, most);
  const figuresOf = ({ amount, samples }: Ranked, interval: Interval | null) =>
    formatFull(amount, unit, ranking.total, samples) + (interval ? `\n95 %: ${formatInterval(interval, unit)}` : '');
  const longest = rows.reduce((max, { amount }) => Math.max(max, amount), 0);
  return (
    <ul class="places">
      {rows.map((row) => (
        <li key={row.place}>
          <button type="button" class="plain" title={figuresOf(row, intervalOf(intervals, row.place))} onClick={() => showSource(row.file, row.line, row.function)}>
            <span class="what"><What row={row} /></span>
            <span class="amount">{formatAmount(row.amount, unit)}</span>
            <span class="amount faint">{formatShare(row.amount, ranking.total)}</span>
            <span class="bar-track">
              {row.timeParts.length > 0
                ? <TimePartsBar parts={row.timeParts} whole={longest} />
                : <span class="plain-bar" style={{ width: `${longest > 0 ? (100 * row.amount) / longest : 0}%` }} />}
              <Whisker interval={intervalOf(intervals, row.place)} longest={longest} />
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

// The longest bar ends at 100: its line may go on into the margin.
const MOST_PERCENT = 108;

/** Where the truth is in 19 of 20 cases: a thin line over the end of the bar. */
function Whisker({ interval, longest }: { interval: Interval | null; longest: number }) {
  if (!interval || longest <= 0) return null;
  const [left, right] = [interval.low, interval.high].map((amount) => Math.min(MOST_PERCENT, (100 * amount) / longest));
  return <span class="whisker" aria-hidden="true" style={{ left: `${left}%`, width: `${right - left}%` }} />;
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
