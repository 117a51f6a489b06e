// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import type { LineFigures } from '../../model/line_figures';
import type { LineColumn } from '../../model/metrics';
import { metric, option, setOption } from '../../state/app';
import { download, useExports } from '../../state/exports';
import { formatBytes, formatFigure } from '../../text/amount';
import { shownName } from '../../data/shown';
import { ShareBar } from '../../widgets/share_bar';
import { Sorting, sortRows, tableCsv, TableColumn, VirtualTable } from '../../widgets/virtual_table';
import type { SourceRow } from './source_rows';

export interface LineTableContent {
  rows: readonly SourceRow[];
  figures: LineFigures;
  columns: readonly LineColumn[];
  leaks: Map<number, number>;
}

/** The lines of a file that have anything, as rows of a table. */
function useLineRows(content: LineTableContent): { rows: SourceRow[]; columns: TableColumn<SourceRow>[]; sorting: Sorting } {
  const { figures } = content;
  const { title } = metric.value;
  const rows = useMemo(
    () => content.rows.filter(({ figure }) => figure >= 0 && Object.values(figures.amount).some((amounts) => amounts[figure] > 0)),
    [content.rows, figures],
  );
  const columns = useMemo((): TableColumn<SourceRow>[] => [
    { id: 'line', title: 'Line', numeric: true, width: '8ch', value: ({ line }) => line },
    {
      id: 'heat', title, numeric: true, width: '12ch', value: ({ figure }) => figures.amount.heat[figure],
      cell: ({ figure }) => <ShareBar part={figures.amount.heat[figure]} whole={figures.total.heat} />,
    },
    ...content.columns.map(({ name, head, meaning, unit }): TableColumn<SourceRow> => ({
      id: name, title: head, hint: meaning, numeric: true, width: '9ch',
      value: ({ figure }) => figures.amount[name][figure],
      cell: ({ figure }) => (figures.amount[name][figure] > 0 ? formatFigure(figures.amount[name][figure], unit) : ''),
    })),
    ...(content.leaks.size === 0 ? [] : [{
      id: 'leak', title: 'Leak', hint: 'memory of the whole run that keeps growing', numeric: true, width: '11ch',
      value: ({ line }: SourceRow) => content.leaks.get(line) ?? 0,
      cell: ({ line }: SourceRow) => (content.leaks.has(line) ? `${formatBytes(content.leaks.get(line)!)}/s` : ''),
    }]),
    {
      id: 'code', title: 'Code', width: 'minmax(30ch, 1fr)', value: ({ text }) => shownName((text ?? '').trim()),
      cell: ({ text }) => <bdi class="code">{shownName((text ?? '').trim())}</bdi>,
    },
  ], [figures, content.columns, content.leaks, title]);
  const sorting: Sorting = { column: option('source.sort', 'heat'), descending: option('source.order', 'down') === 'down' };
  return { rows, columns, sorting };
}

/** Offers the table as CSV, also while the code is shown. */
export function LineExport({ content }: { content: LineTableContent }) {
  const { rows, columns, sorting } = useLineRows(content);
  useExports([{
    title: 'Save as CSV',
    save: () => download('pyrometer-lines.csv', new Blob([tableCsv(sortRows(rows, columns, sorting), columns)], { type: 'text/csv' })),
  }]);
  return null;
}

/** The lines of a file, sorted by any of their figures. */
export function LineTable(props: { content: LineTableContent; line: number; onLine: (line: number) => void; onOpen: (line: number) => void }) {
  const { rows, columns, sorting } = useLineRows(props.content);
  return (
    <VirtualTable
      label="Lines of the file"
      rows={rows}
      columns={columns}
      sorting={sorting}
      onSort={({ column, descending }) => {
        setOption('source.sort', column, 'heat');
        setOption('source.order', descending ? 'down' : 'up', 'down');
      }}
      keyOf={({ line }) => line}
      chosen={props.line}
      onChoose={({ line }) => props.onLine(line)}
      onOpen={({ line }) => props.onOpen(line)}
    />
  );
}
