// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { placeOf } from '../model/catalog';
import { catalog, chosen, metric, option, selection, setOption, view } from '../state/app';
import { download, useExports } from '../state/exports';
import { labelOf, whereOf } from '../state/names';
import { useQuery } from '../state/query';
import { matcher } from '../state/search';
import { formatAmount, formatCount } from '../text/amount';
import { ShareBar } from '../widgets/share_bar';
import { Sorting, sortRows, tableCsv, TableColumn, VirtualTable } from '../widgets/virtual_table';

/** All functions or lines of the selection in one table. */
export function TableView() {
  const of = selection.value;
  const { output, error } = useQuery('table', { selection: of });
  const { unit, title } = metric.value;
  const isMatch = matcher();
  const names = catalog();

  const columns = useMemo((): TableColumn<number>[] => {
    if (!output) return [];
    const { rows, whole } = output;
    const amount = (values: Float64Array) => (row: number) => formatAmount(values[row], unit);
    return [
      { id: 'self', title: 'Self', hint: `${title} in it alone`, numeric: true, width: '9ch', value: (row) => rows.self[row], cell: amount(rows.self) },
      { id: 'selfShare', title: 'Self %', numeric: true, width: '11ch', value: (row) => (100 * rows.self[row]) / whole.total, cell: (row) => <ShareBar part={rows.self[row]} whole={whole.total} /> },
      { id: 'total', title: 'Total', hint: `${title} in it and in all that it calls`, numeric: true, width: '9ch', value: (row) => rows.total[row], cell: amount(rows.total) },
      { id: 'totalShare', title: 'Total %', numeric: true, width: '11ch', value: (row) => (100 * rows.total[row]) / whole.total, cell: (row) => <ShareBar part={rows.total[row]} whole={whole.total} /> },
      { id: 'samples', title: 'Samples', numeric: true, width: '10ch', value: (row) => rows.totalSamples[row], cell: (row) => formatCount(rows.totalSamples[row]) },
      { id: 'name', title: of.by === 'line' ? 'Line' : 'Function', width: 'minmax(18ch, 2fr)', value: (row) => labelOf(names, of.by, rows.key[row]) },
      { id: 'where', title: 'File', width: 'minmax(14ch, 1fr)', value: (row) => whereOf(names, of.by, rows.key[row]) },
    ];
  }, [output, unit, of.by]);

  const rows = useMemo(() => {
    if (!output) return [];
    const all = Array.from(output.rows.key, (_, row) => row);
    return isMatch ? all.filter((row) => isMatch(output.rows.key[row])) : all;
  }, [output, isMatch !== null, of.search]);

  const sorting: Sorting = {
    column: option('table.sort', 'self'),
    descending: option('table.order', 'down') === 'down',
  };
  useExports([{
    title: 'Save as CSV',
    save: () => download('pyrometer-table.csv', new Blob([tableCsv(sortRows(rows, columns, sorting), columns)], { type: 'text/csv' })),
  }]);

  if (error) return <p class="error" role="alert">{error}</p>;
  if (!output) return <p class="note">…</p>;
  const functionOf = (row: number) => placeOf(names, of.by, output.rows.key[row]).function;
  return (
    <VirtualTable
      label={`${title} by ${of.by}`}
      rows={rows}
      columns={columns}
      sorting={sorting}
      onSort={({ column, descending }) => {
        setOption('table.sort', column, 'self');
        setOption('table.order', descending ? 'down' : 'up', 'down');
      }}
      keyOf={(row) => output.rows.key[row]}
      chosen={of.by === 'function' ? chosen.value : null}
      onChoose={(row) => { chosen.value = functionOf(row); }}
      onOpen={(row) => {
        chosen.value = functionOf(row);
        setOption('flame.mode', 'sandwich', 'left');
        view.value = 'flame';
      }}
    />
  );
}
