// SPDX-License-Identifier: Apache-2.0
import { HISTORY_PARTS, LineHistory } from '../../model/line_history';
import type { LineFigures } from '../../model/line_figures';
import type { LineColumn } from '../../model/metrics';
import { metric } from '../../state/app';
import { formatBytes, formatFigure, formatFull, formatShare } from '../../text/amount';
import type { TokenState } from '../../text/python_tokens';
import { Sparkline } from '../../widgets/sparkline';
import { CodeText } from './code_text';
import type { SourceRow } from './source_rows';

/** What stands left of the code: the same for all rows of a file. */
export interface CodeColumns {
  figures: LineFigures;
  /** Of the hottest line. */
  mostHeat: number;
  columns: readonly LineColumn[];
  /** Bytes per second by line. */
  leaks: Map<number, number>;
  history: LineHistory | null;
  /** Lines of one file share their scales, so that histories can be compared; 0: there is none to show. */
  most: { activity: number; live: number };
  /** Lines of functions that the search of the page has found. */
  matches: ReadonlySet<number>;
}

export function mostOfHistory(history: LineHistory | null): CodeColumns['most'] {
  const most = (values: Float64Array) => values.reduce((max, value) => Math.max(max, value), 0);
  return history ? { activity: most(history.activity), live: most(history.live) } : { activity: 0, live: 0 };
}

export function CodeHead({ columns, leaks, most }: CodeColumns) {
  const { title } = metric.value;
  return (
    <div class="code-head" role="row" aria-rowindex={1}>
      <div class="code-figures">
        <div role="columnheader" class="line-number">Line</div>
        <div role="columnheader" class="heat" title={`${title}, as the metric above says; bars against the hottest line`}>{title}</div>
        {columns.map((column) => <div key={column.name} role="columnheader" class={figureClass(column)} title={column.meaning}>{column.head}</div>)}
        {leaks.size > 0 && <div role="columnheader" class="figure figure-leak" title="memory of the whole run that keeps growing">Leak</div>}
        {most.activity > 0 && <div role="columnheader" class="history" title="time at work in the selected range, from left to right">Activity</div>}
        {most.live > 0 && <div role="columnheader" class="history" title="bytes live in the selected range, from left to right">Memory</div>}
      </div>
      <div role="columnheader" class="code-text">Code</div>
    </div>
  );
}

export function CodeRow(props: {
  row: SourceRow;
  index: number;
  top: number;
  isCurrent: boolean;
  of: CodeColumns;
  state: TokenState | undefined;
  /** Marked in the text. */
  wanted: string;
  onClick: () => void;
}) {
  const { row, index, of } = props;
  return (
    <div
      id={`line-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={props.isCurrent}
      class="code-row"
      style={{ transform: `translateY(${props.top}px)` }}
      onClick={props.onClick}
    >
      <div class="code-figures">
        <div role="rowheader" class="line-number">
          {of.matches.has(row.line) ? <mark title="of a function that the search has found">{row.line}</mark> : row.line > 0 ? row.line : '–'}
        </div>
        <Heat of={of} figure={row.figure} />
        {of.columns.map((column) => <Figure key={column.name} of={of} column={column} figure={row.figure} />)}
        {of.leaks.size > 0 && <div role="gridcell" class="figure figure-leak">{of.leaks.has(row.line) ? `${formatBytes(of.leaks.get(row.line)!)}/s` : ''}</div>}
        {of.most.activity > 0 && <div role="gridcell" class="history"><History history={of.history!} of="activity" figure={row.figure} most={of.most.activity} /></div>}
        {of.most.live > 0 && <div role="gridcell" class="history"><History history={of.history!} of="live" figure={row.figure} most={of.most.live} /></div>}
      </div>
      <div role="gridcell" class="code-text">
        {row.text !== null
          ? <CodeText text={row.text} state={props.state} wanted={props.wanted} />
          : <span class="faint">{row.line === 0 ? 'instructions without a line' : 'text not recorded'}</span>}
      </div>
    </div>
  );
}

function Heat({ of: { figures, mostHeat }, figure }: { of: CodeColumns; figure: number }) {
  const heat = figure >= 0 ? figures.amount.heat[figure] : 0;
  if (heat === 0) return <div role="gridcell" class="heat"><span class="heat-text" /></div>;
  const { unit, title } = metric.value;
  return (
    <div role="gridcell" class="heat" title={`${title}: ${formatFull(heat, unit, figures.total.heat, figures.samples.heat[figure])}`}>
      <span class="heat-fill" style={{ width: `${Math.max(3, (100 * heat) / mostHeat)}%` }} />
      <span class="heat-text">{formatShare(heat, figures.total.heat)}</span>
    </div>
  );
}

/** What a recording declares has a name that could be that of any class. */
function figureClass({ name, isDeclared }: LineColumn): string {
  return `figure figure-${isDeclared ? 'declared' : name}`;
}

function Figure({ of: { figures }, column, figure }: { of: CodeColumns; column: LineColumn; figure: number }) {
  const { name, unit } = column;
  const amount = figure >= 0 ? figures.amount[name][figure] : 0;
  const title = amount > 0 ? formatFull(amount, unit, figures.total[name], figures.samples[name][figure]) : undefined;
  return <div role="gridcell" class={figureClass(column)} title={title}>{amount > 0 ? formatFigure(amount, unit) : ''}</div>;
}

function History({ history, of, figure, most }: { history: LineHistory; of: 'activity' | 'live'; figure: number; most: number }) {
  if (figure < 0) return null;
  const values = history[of].subarray(figure * HISTORY_PARTS, (figure + 1) * HISTORY_PARTS);
  if (!values.some((value) => value > 0)) return null;
  const largest = values.reduce((max, value) => Math.max(max, value), 0);
  const label = of === 'activity' ? 'activity over time' : `memory over time, at most ${formatBytes(largest)}`;
  return <Sparkline values={values} most={most} width={50} height={15} label={label} class={of === 'live' ? 'memory' : ''} />;
}
