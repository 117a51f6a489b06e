// SPDX-License-Identifier: Apache-2.0
import type { LineCall } from '../../model/line_calls';
import type { LineFigures } from '../../model/line_figures';
import type { Charge } from '../../model/places';
import { catalog, metric, selection } from '../../state/app';
import { useQuery } from '../../state/query';
import { showSource } from '../../state/source_place';
import { formatAmount, formatBytes, formatFull, formatShare } from '../../text/amount';
import { shownName, shownSource } from '../../text/shown';
import { baseName } from '../../widgets/place_link';
import type { FigureColumn } from './columns';
import type { SourceRow } from './source_rows';

const MOST_CALLS = 30;

/** The line under the cursor: what it has, who calls it, what it calls. */
export function LinePanel(props: {
  file: number;
  row: SourceRow | null;
  figures: LineFigures;
  columns: readonly FigureColumn[];
  leak: number;
  charge: Charge;
}) {
  const { file, row, figures, charge } = props;
  const has = row !== null && row.figure >= 0;
  const { output } = useQuery('line_calls', has ? { selection: selection.value, file, line: row.line, charge } : null);
  const { unit, title } = metric.value;
  if (!row) return <aside class="detail" aria-label="Chosen line"><p class="note">Choose a line for its callers, its calls and its native functions.</p></aside>;
  return (
    <aside class="detail" aria-label="Chosen line" aria-live="polite">
      <h2><bdi>{baseName(catalog().files.path[file])}{row.line > 0 ? `:${row.line}` : ''}</bdi></h2>
      {row.text !== null && <p class="code line-text"><bdi>{shownSource(shownName(row.text.trim(), 600))}</bdi></p>}
      {!has && <p class="note">No sample on this line.</p>}
      {has && (
        <>
          <dl class="figures">
            <dt>{title}</dt>
            <dd>{formatFull(figures.amount.heat[row.figure], unit, figures.total.heat, figures.samples.heat[row.figure])}</dd>
            {props.columns.filter(({ id }) => figures.amount[id][row.figure] > 0).map(({ id, title: name, unit: of }) => (
              <>
                <dt>{name}</dt>
                <dd>{formatFull(figures.amount[id][row.figure], of, figures.total[id], figures.samples[id][row.figure])}</dd>
              </>
            ))}
            {props.leak > 0 && <><dt>Leak</dt><dd>{formatBytes(props.leak)}/s <span class="tag">whole run</span></dd></>}
          </dl>
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
