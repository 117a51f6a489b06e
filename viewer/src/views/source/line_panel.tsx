// SPDX-License-Identifier: Apache-2.0
import { Fragment } from 'preact';
import type { Interval } from '../../model/interval';
import type { LineCall } from '../../model/line_calls';
import type { LineFigures } from '../../model/line_figures';
import type { LineColumn, Unit } from '../../model/metrics';
import { intervalOf } from '../../model/place_intervals';
import type { Charge } from '../../model/places';
import { catalog, metric, selection } from '../../state/app';
import { useQuery } from '../../state/query';
import { showSource } from '../../state/jump';
import { formatAmount, formatBytes, formatCount, formatShare } from '../../text/amount';
import { formatInterval } from '../../text/interval';
import { shownName, shownSource } from '../../data/shown';
import { baseName } from '../../widgets/place_link';
import type { SourceRow } from './source_rows';

const MOST_CALLS = 30;

/** The line under the cursor: what it has, who calls it, what it calls. */
export function LinePanel(props: {
  file: number;
  row: SourceRow | null;
  figures: LineFigures;
  columns: readonly LineColumn[];
  leak: number;
  charge: Charge;
}) {
  const { file, row, figures, charge } = props;
  const has = row !== null && row.figure >= 0;
  const { output } = useQuery('line_calls', has ? { selection: selection.value, file, line: row.line, charge } : null);
  const { unit, title } = metric.value;
  const place = has ? figures.place[row.figure] : -1;
  const intervals = useQuery('intervals', has ? { selection: selection.value, by: 'line', charge, places: [place] } : null);
  const interval = intervals.pending ? null : intervalOf(intervals.output, place);
  if (!row) return <aside class="detail" aria-label="Chosen line"><p class="note">Choose a line for its callers, its calls and its native functions.</p></aside>;
  return (
    <aside class="detail" aria-label="Chosen line" aria-live="polite">
      <h2><bdi>{baseName(catalog().files.path[file])}{row.line > 0 ? `:${row.line}` : ''}</bdi></h2>
      {row.text !== null && <p class="code line-text"><bdi>{shownSource(shownName(row.text.trim(), 600))}</bdi></p>}
      {!has && <p class="note">No sample on this line.</p>}
      {has && (
        <>
          <FigureTable
            rows={[
              { title, amount: figures.amount.heat[row.figure], unit, whole: figures.total.heat, samples: figures.samples.heat[row.figure], interval },
              ...props.columns.map(({ name, head, unit: of }) => ({
                title: head, amount: figures.amount[name][row.figure], unit: of, whole: figures.total[name], samples: figures.samples[name][row.figure],
              })),
            ].filter(({ amount }) => amount > 0)}
          />
          {props.leak > 0 && <p class="leak">grows by {formatBytes(props.leak)}/s <span class="tag">whole run</span></p>}
          {output && (
            <>
              <Calls title="Called by" rows={output.callers} whole={output.amount} empty="nobody: it is the outermost Python frame" />
              <Calls title="Calls" rows={output.callees} whole={output.amount} empty="nothing that was seen" toFunction />
              {output.natives.length > 0 && <Calls title="Native functions" rows={output.natives} whole={output.amount} empty="" />}
              {output.inLine > 0 && <p class="faint">in the line itself {formatAmount(output.inLine, unit)} · {formatShare(output.inLine, output.amount)}</p>}
            </>
          )}
        </>
      )}
    </aside>
  );
}

interface Figure {
  title: string;
  amount: number;
  unit: Unit;
  whole: number;
  samples: number;
  interval?: Interval | null;
}

function FigureTable({ rows }: { rows: Figure[] }) {
  return (
    <table class="line-figures" aria-label="Figures of the line">
      <thead><tr><td /><th scope="col">amount</th><th scope="col">share</th><th scope="col">samples</th></tr></thead>
      <tbody>
        {rows.map(({ title, amount, unit, whole, samples, interval }, i) => (
          <Fragment key={i}>
            <tr>
              <th scope="row" title={title}>{title}</th>
              <td>{formatAmount(amount, unit)}</td>
              <td>{formatShare(amount, whole)}</td>
              <td>{amount > 0 && samples === 0 ? '' : formatCount(samples)}</td>
            </tr>
            {interval && (
              <tr class="line-interval">
                <th scope="row">95 %</th>
                <td colSpan={3} title="in 19 of 20 cases, the truth is in this interval">{formatInterval(interval, unit)}</td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Calls({ title, rows, whole, empty, toFunction }: { title: string; rows: LineCall[]; whole: number; empty: string; toFunction?: boolean }) {
  const { functions, files } = catalog();
  const { unit } = metric.value;
  const where = ({ function: owner, line }: LineCall) => {
    const name = baseName(files.path[functions.file[owner]]);
    return line > 0 && !toFunction ? `${name}:${line}` : name;
  };
  return (
    <section>
      <h3>{title}</h3>
      {rows.length === 0 && <p class="note">{empty}</p>}
      <ul>
        {rows.slice(0, MOST_CALLS).map((row) => (
          <li key={`${row.function} ${row.line}`}>
            <button
              type="button"
              title={`${functions.name[row.function]}  ${files.path[functions.file[row.function]]}`}
              onClick={() => showSource(functions.file[row.function], row.line, row.function)}
            >
              <bdi>{functions.name[row.function]}</bdi> <bdi class="faint">{where(row)}</bdi>
            </button>
            <span class="amount">{formatAmount(row.amount, unit)}</span>
            <span class="amount faint">{formatShare(row.amount, whole)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
