// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { csvOf } from '../text/csv';
import { useSize } from './canvas';
import { rowOfKey, rowsToMake, scrolledTo } from './row_window';
import { tip } from './tooltip';

export interface TableColumn<Row> {
  id: string;
  title: string;
  hint?: string;
  numeric?: boolean;
  /** A track of a CSS grid: "9ch", "minmax(20ch, 1fr)". */
  width: string;
  /** What rows are sorted by, and what stands in the CSV. */
  value: (row: Row) => number | string;
  /** What is shown; the value if not given. */
  cell?: (row: Row) => ComponentChildren;
  /** Stays in sight when the table is scrolled sideways; for the first column. */
  sticky?: boolean;
}

export interface Sorting {
  column: string;
  descending: boolean;
}

export interface VirtualTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly TableColumn<Row>[];
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  keyOf: (row: Row) => string | number;
  chosen?: string | number | null;
  onChoose?: (row: Row) => void;
  /** Enter or a double click. */
  onOpen?: (row: Row) => void;
  rowClass?: (row: Row) => string;
  /** What the tooltip says of a row. */
  tipOf?: (row: Row) => ComponentChildren;
}

const ROW_HEIGHT = 24;
const OVERSCAN = 6;

export function sortRows<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[], sorting: Sorting): Row[] {
  const column = columns.find(({ id }) => id === sorting.column) ?? columns[0];
  if (!column) return [...rows];
  const values = rows.map((row) => column.value(row));
  const sign = sorting.descending ? -1 : 1;
  const order = rows.map((_, i) => i);
  order.sort((a, b) => {
    const [left, right] = [values[a], values[b]];
    if (left === right) return a - b;
    return left < right ? -sign : sign;
  });
  return order.map((i) => rows[i]);
}

export function tableCsv<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]): string {
  return csvOf(
    columns.map(({ title }) => title),
    rows.map((row) => columns.map(({ value }) => value(row))),
  );
}

/** The least width of a row: rows that are placed by themselves do not widen what they stand in. */
function leastWidth<Row>(columns: readonly TableColumn<Row>[]): string {
  return `calc(${columns.map(({ width }) => /^minmax\(([^,]+),/.exec(width)?.[1] ?? width).join(' + ') || '0px'})`;
}

const classOf = ({ numeric, sticky }: { numeric?: boolean; sticky?: boolean }) =>
  [numeric && 'numeric', sticky && 'sticky'].filter(Boolean).join(' ');

/** A table of any length: only the rows on the screen exist. Arrows, Page, Home, End and Enter work. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { rows, columns, sorting } = props;
  const [element, size] = useSize();
  const [scroll, setScroll] = useState(0);
  const focused = useRef(0);
  const sorted = useMemo(() => sortRows(rows, columns, sorting), [rows, columns, sorting.column, sorting.descending]);
  const chosenAt = useMemo(
    () => (props.chosen == null ? -1 : sorted.findIndex((row) => props.keyOf(row) === props.chosen)),
    [sorted, props.chosen],
  );

  const showRow = (index: number) => {
    const box = element.current!;
    box.scrollTop = scrolledTo(index, box.scrollTop, box.clientHeight - ROW_HEIGHT, ROW_HEIGHT);
  };
  useEffect(() => {
    if (chosenAt >= 0) {
      focused.current = chosenAt;
      showRow(chosenAt);
    }
  }, [chosenAt]);

  const { first, last } = rowsToMake(scroll, size.height, ROW_HEIGHT, sorted.length, OVERSCAN);
  const tracks = columns.map(({ width }) => width).join(' ');
  const minWidth = leastWidth(columns);
  useEffect(() => () => { tip.value = null; }, []);

  const choose = (index: number) => {
    const row = sorted[index];
    if (row === undefined) return;
    focused.current = index;
    props.onChoose?.(row);
    showRow(index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = chosenAt >= 0 ? chosenAt : focused.current - 1;
    const target = rowOfKey(event.key, from, sorted.length, size.height, ROW_HEIGHT);
    if (target !== undefined) choose(target);
    else if (event.key === 'Enter' && chosenAt >= 0) props.onOpen?.(sorted[chosenAt]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      class="table"
      role="grid"
      aria-label={props.label}
      aria-rowcount={sorted.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={chosenAt >= first && chosenAt < last ? `row-${chosenAt}` : undefined}
      tabIndex={0}
      ref={element}
      onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <TableHead columns={columns} sorting={sorting} onSort={props.onSort} style={{ gridTemplateColumns: tracks, minWidth }} />
      <div
        class="table-body"
        role="rowgroup"
        style={{ height: `${sorted.length * ROW_HEIGHT}px`, minWidth }}
        onPointerLeave={() => { tip.value = null; }}
      >
        {sorted.slice(first, last).map((row, offset) => {
          const index = first + offset;
          return (
            <TableRow
              key={props.keyOf(row)}
              row={row}
              columns={columns}
              index={index}
              isChosen={index === chosenAt}
              class={props.rowClass?.(row) ?? ''}
              style={{ gridTemplateColumns: tracks, transform: `translateY(${index * ROW_HEIGHT}px)` }}
              onClick={() => choose(index)}
              onDblClick={() => props.onOpen?.(row)}
              tipOf={props.tipOf}
            />
          );
        })}
      </div>
    </div>
  );
}

function TableHead<Row>(props: {
  columns: readonly TableColumn<Row>[];
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  style: Record<string, string>;
}) {
  const { columns, sorting, style } = props;
  const sortBy = ({ id, numeric }: TableColumn<Row>) =>
    props.onSort({ column: id, descending: sorting.column === id ? !sorting.descending : numeric === true });

  return (
    <div class="table-head" role="row" aria-rowindex={1} style={style}>
      {columns.map((column) => (
        <div
          role="columnheader"
          key={column.id}
          class={classOf(column)}
          aria-sort={sorting.column !== column.id ? 'none' : sorting.descending ? 'descending' : 'ascending'}
        >
          <button type="button" title={column.hint} onClick={() => sortBy(column)}>
            {column.title}
            <span class="sort-mark" aria-hidden="true">
              {sorting.column !== column.id ? '' : sorting.descending ? ' ▾' : ' ▴'}
            </span>
          </button>
        </div>
      ))}
    </div>
  );
}

function TableRow<Row>(props: {
  row: Row;
  columns: readonly TableColumn<Row>[];
  index: number;
  isChosen: boolean;
  class: string;
  style: Record<string, string>;
  onClick: () => void;
  onDblClick: () => void;
  tipOf?: (row: Row) => ComponentChildren;
}) {
  const { row, columns } = props;
  return (
    <div
      role="row"
      id={`row-${props.index}`}
      aria-rowindex={props.index + 2}
      aria-selected={props.isChosen}
      class={`table-row ${props.class}`}
      style={props.style}
      onClick={props.onClick}
      onDblClick={props.onDblClick}
      onPointerMove={props.tipOf && ((event) => {
        tip.value = event.pointerType === 'touch' ? null : { x: event.clientX, y: event.clientY, content: props.tipOf!(row) };
      })}
    >
      {columns.map((column) => (
        <div role="gridcell" key={column.id} class={classOf(column)}>
          {column.cell ? column.cell(row) : <bdi>{column.value(row)}</bdi>}
        </div>
      ))}
    </div>
  );
}
