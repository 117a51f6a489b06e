// SPDX-License-Identifier: Apache-2.0
import { useEffect, useImperativeHandle, useMemo, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import type { LineFigures } from '../../model/line_figures';
import type { LineHistory } from '../../model/line_history';
import type { LineColumn } from '../../model/metrics';
import { lineStates } from '../../text/python_tokens';
import { useSize } from '../../widgets/canvas';
import { rowOfKey, rowsToMake, scrolledNear } from '../../widgets/row_window';
import { CodeColumns, CodeHead, CodeRow, mostOfHistory } from './code_row';
import { Minimap } from './minimap';
import type { SourceRow } from './source_rows';

const ROW_HEIGHT = 20;
const HEAD_HEIGHT = ROW_HEIGHT + 6;
const OVERSCAN = 8;

export interface CodePaneHandle {
  focus: () => void;
}

export interface CodePaneProps {
  rows: readonly SourceRow[];
  figures: LineFigures;
  history: LineHistory | null;
  columns: readonly LineColumn[];
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
  const [element, size] = useSize();
  const [scroll, setScroll] = useState(0);
  const states = useMemo(() => (props.isPython ? lineStates(rows.map(({ text }) => text ?? '')) : []), [rows, props.isPython]);
  const mostHeat = useMemo(() => figures.amount.heat.reduce((most, value) => Math.max(most, value), 0), [figures]);
  const most = useMemo(() => mostOfHistory(history), [history]);
  useImperativeHandle(props.handle, () => ({ focus: () => element.current?.focus() }), []);

  const room = Math.max(ROW_HEIGHT, size.height - HEAD_HEIGHT);
  useEffect(() => {
    const box = element.current!;
    if (cursor < 0 || size.height === 0) return;
    box.scrollTop = scrolledNear(cursor, box.scrollTop, room, ROW_HEIGHT);
  }, [cursor, rows, size.height > 0]);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = rowOfKey(event.key, cursor, rows.length, room, ROW_HEIGHT);
    if (target === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    props.onCursor(target);
  };

  const { first, last } = rowsToMake(scroll, size.height, ROW_HEIGHT, rows.length, OVERSCAN);
  const columns = props.columns.filter(({ besideCode }) => besideCode);
  const of: CodeColumns = { figures, mostHeat, columns, leaks: props.leaks, history, most, matches: props.matches };
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
        <CodeHead {...of} />
        <div class="code-body" role="rowgroup" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
          {rows.slice(first, last).map((row, offset) => {
            const index = first + offset;
            return (
              <CodeRow
                key={index}
                row={row}
                index={index}
                top={index * ROW_HEIGHT}
                isCurrent={index === cursor}
                of={of}
                state={states[index]}
                wanted={props.wanted}
                onClick={() => props.onCursor(index)}
              />
            );
          })}
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
