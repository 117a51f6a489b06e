// SPDX-License-Identifier: Apache-2.0
import { useEffect, useImperativeHandle, useMemo, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import { HISTORY_PARTS, LineHistory } from '../../model/line_history';
import type { LineFigures } from '../../model/line_figures';
import { metric } from '../../state/app';
import { formatAmount, formatBytes, formatFull, formatShare } from '../../text/amount';
import { lineStates } from '../../text/python_tokens';
import { useSize } from '../../widgets/canvas';
import { Sparkline } from '../../widgets/sparkline';
import { CodeText } from './code_text';
import type { FigureColumn } from './columns';
import { Minimap } from './minimap';
import type { SourceRow } from './source_rows';

export const ROW_HEIGHT = 20;
const OVERSCAN = 8;

export interface CodePaneHandle {
  focus: () => void;
}

export interface CodePaneProps {
  rows: readonly SourceRow[];
  figures: LineFigures;
  history: LineHistory | null;
  columns: readonly FigureColumn[];
  leaks: Map<number, number>;
  /** Index of the row under the cursor; -1: none. */
  cursor: number;
  onCursor: (row: number) => void;
  wanted: string;
  /** Lines of functions that the search of the page has found. */
  matches: ReadonlySet<number>;
  isPython: boolean;
  label: string;
  handle: Ref<CodePaneHandle>;
}

/** The code with figures on its left: any number of lines, only those on the screen exist. */
export function CodePane(props: CodePaneProps) {
  const { rows, figures, cursor, history } = props;
  // What is left at the end is in the table and in the panel; the code needs its room.
  const columns = props.columns.filter(({ id }) => id !== 'left');
  const [element, size] = useSize();
  const [scroll, setScroll] = useState(0);
  const states = useMemo(() => (props.isPython ? lineStates(rows.map(({ text }) => text ?? '')) : []), [rows, props.isPython]);
  const mostHeat = useMemo(() => figures.amount.heat.reduce((most, value) => Math.max(most, value), 0), [figures]);
  const courses = useMemo(() => (history ? courseScales(history) : null), [history]);
  useImperativeHandle(props.handle, () => ({ focus: () => element.current?.focus() }), []);

  const headHeight = ROW_HEIGHT + 6;
  const room = Math.max(ROW_HEIGHT, size.height - headHeight);
  // A jump puts its line into the upper third; a step of the cursor scrolls no more than it must.
  useEffect(() => {
    const box = element.current!;
    if (cursor < 0 || size.height === 0) return;
    const top = cursor * ROW_HEIGHT;
    const [first, last] = [box.scrollTop, box.scrollTop + room - ROW_HEIGHT];
    if (top >= first && top <= last) return;
    const isStep = top > first - 2 * ROW_HEIGHT && top < last + 2 * ROW_HEIGHT;
    box.scrollTop = !isStep ? top - room / 3 : top < first ? top : top - room + ROW_HEIGHT;
  }, [cursor, rows, size.height > 0]);

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(room / ROW_HEIGHT) - 2);
    const steps: Record<string, number> = {
      ArrowDown: cursor + 1, ArrowUp: cursor - 1, PageDown: cursor + page, PageUp: cursor - page, Home: 0, End: rows.length - 1,
    };
    const target = steps[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    props.onCursor(Math.max(0, Math.min(rows.length - 1, target)));
  };

  const first = Math.max(0, Math.floor(scroll / ROW_HEIGHT) - OVERSCAN);
  const last = Math.min(rows.length, Math.ceil((scroll + size.height) / ROW_HEIGHT) + OVERSCAN);
  const hasCourse = { activity: (courses?.activity ?? 0) > 0, live: (courses?.live ?? 0) > 0 };
  const hasLeaks = props.leaks.size > 0;
  const { unit, title } = metric.value;

  const rowOf = (row: SourceRow, index: number) => {
    const { figure } = row;
    const heat = figure >= 0 ? figures.amount.heat[figure] : 0;
    const share = mostHeat > 0 ? heat / mostHeat : 0;
    return (
      <div
        key={index}
        id={`line-${index}`}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={index === cursor}
        class="code-row"
        style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
        onClick={() => props.onCursor(index)}
      >
        <div class="code-figures">
          <div role="rowheader" class="line-number">
            {props.matches.has(row.line) ? <mark title="of a function that the search has found">{row.line}</mark> : row.line > 0 ? row.line : '–'}
          </div>
          <div role="gridcell" class="heat" title={heat > 0 ? `${title}: ${formatFull(heat, unit, figures.total.heat, figures.samples.heat[figure])}` : undefined}>
            {heat > 0 && <span class="heat-fill" style={{ width: `${Math.max(3, share * 100)}%` }} />}
            <span class="heat-text">{heat > 0 ? formatShare(heat, figures.total.heat) : ''}</span>
          </div>
          {columns.map(({ id, unit: of }) => {
            const amount = figure >= 0 ? figures.amount[id][figure] : 0;
            return (
              <div
                key={id}
                role="gridcell"
                class={`figure figure-${id}`}
                title={amount > 0 ? formatFull(amount, of, figures.total[id], figures.samples[id][figure]) : undefined}
              >
                {amount > 0 ? formatAmount(amount, of) : ''}
              </div>
            );
          })}
          {hasLeaks && <div role="gridcell" class="figure figure-leak">{props.leaks.has(row.line) ? `${formatBytes(props.leaks.get(row.line)!)}/s` : ''}</div>}
          {hasCourse.activity && <div role="gridcell" class="course"><Course history={history!} of="activity" figure={figure} most={courses!.activity} /></div>}
          {hasCourse.live && <div role="gridcell" class="course"><Course history={history!} of="live" figure={figure} most={courses!.live} /></div>}
        </div>
        <div role="gridcell" class="code-text">
          {row.text !== null
            ? <CodeText text={row.text} state={states[index]} wanted={props.wanted} />
            : <span class="faint">{row.line === 0 ? 'instructions without a line' : 'text not recorded'}</span>}
        </div>
      </div>
    );
  };

  return (
    <div class="code-area">
      <div
        class="code-pane"
        role="grid"
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={cursor >= first && cursor < last ? `line-${cursor}` : undefined}
        tabIndex={0}
        ref={element}
        onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
      >
        <div class="code-head" role="row" aria-rowindex={1}>
          <div class="code-figures">
            <div role="columnheader" class="line-number">Line</div>
            <div role="columnheader" class="heat" title={`${title}, as the metric above says; bars against the hottest line`}>{title}</div>
            {columns.map(({ id, title: head, hint }) => <div key={id} role="columnheader" class={`figure figure-${id}`} title={hint}>{head}</div>)}
            {hasLeaks && <div role="columnheader" class="figure figure-leak" title="memory of the whole run that keeps growing">Leak</div>}
            {hasCourse.activity && <div role="columnheader" class="course" title="time at work in the selected range, from left to right">Activity</div>}
            {hasCourse.live && <div role="columnheader" class="course" title="bytes live in the selected range, from left to right">Memory</div>}
          </div>
          <div role="columnheader" class="code-text">Code</div>
        </div>
        <div class="code-body" role="rowgroup" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
          {rows.slice(first, last).map((row, offset) => rowOf(row, first + offset))}
        </div>
      </div>
      <Minimap
        rows={rows}
        heat={figures.amount.heat}
        matches={props.matches}
        shown={{ begin: scroll / ROW_HEIGHT, end: (scroll + room) / ROW_HEIGHT }}
        onScroll={(row) => { element.current!.scrollTop = row * ROW_HEIGHT - room / 2; }}
      />
    </div>
  );
}

function Course({ history, of, figure, most }: { history: LineHistory; of: 'activity' | 'live'; figure: number; most: number }) {
  if (figure < 0) return null;
  const values = history[of].subarray(figure * HISTORY_PARTS, (figure + 1) * HISTORY_PARTS);
  if (!values.some((value) => value > 0)) return null;
  const largest = values.reduce((max, value) => Math.max(max, value), 0);
  const label = of === 'activity' ? 'activity over time' : `memory over time, at most ${formatBytes(largest)}`;
  return <Sparkline values={values} most={most} width={50} height={15} label={label} class={of === 'live' ? 'memory' : ''} />;
}

/** Lines of one file share their scales, so that courses can be compared. */
function courseScales({ activity, live }: LineHistory): { activity: number; live: number } {
  const most = (values: Float64Array) => values.reduce((max, value) => Math.max(max, value), 0);
  return { activity: most(activity), live: most(live) };
}
