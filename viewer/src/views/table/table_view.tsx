// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { placeOf } from '../../model/catalog';
import { partsOf } from '../../model/parts';
import { withoutSearch } from '../../model/selection';
import { catalog, chosen, metric, metricTable, option, selection, setOption } from '../../state/app';
import { download, useExports } from '../../state/exports';
import { openKey, openSandwich } from '../../state/jump';
import { useShortcuts } from '../../state/keys';
import { useQuery } from '../../state/query';
import { found, matcher } from '../../state/search';
import { formatCount, formatWhole } from '../../text/amount';
import { PartLegend } from '../../widgets/part_bar';
import { Segmented } from '../../widgets/segmented';
import { Sorting, sortRows, tableCsv, VirtualTable } from '../../widgets/virtual_table';
import { DetailPanel } from '../flame/detail_panel';
import { Extent, tableColumns } from './columns';
import { RowTip } from './row_tip';

const EXTENTS = [
  { value: 'self', title: 'Kinds of self', hint: 'kinds and memory of each row alone (x)' },
  { value: 'total', title: 'Kinds of total', hint: 'kinds and memory of each row with all that it calls (x)' },
] as const;

/** All functions or lines of the selection in one table. */
export function TableView() {
  const of = selection.value;
  const { output: rows, error } = useQuery('rows', { selection: withoutSearch(of) });
  const isMatch = matcher();
  const names = catalog();
  const extent: Extent = option('table.of', 'self') === 'total' ? 'total' : 'self';
  const setExtent = (next: Extent) => setOption('table.of', next, 'self');
  useShortcuts('Table', [
    { keys: ['x'], title: 'Kinds and memory of self or total', run: () => setExtent(extent === 'self' ? 'total' : 'self') },
  ]);

  const columns = useMemo(
    () => (rows ? tableColumns(rows, names, of.by, metric.value, metricTable.value.all, extent) : []),
    [rows, of.by, extent],
  );
  const shown = useMemo(() => {
    if (!rows) return [];
    // Rows that are equal in the sorted column stand by their totals.
    const all = Array.from(rows.key, (_, row) => row).sort((a, b) => rows.total[b] - rows.total[a] || a - b);
    return isMatch ? all.filter((row) => isMatch(rows.key[row])) : all;
  }, [rows, found.value]);

  const sorting: Sorting = {
    column: option('table.sort', 'self'),
    descending: option('table.order', 'down') === 'down',
  };
  useExports([{
    title: 'Save as CSV',
    save: () => download('pyrometer-table.csv', new Blob([tableCsv(sortRows(shown, columns, sorting), columns)], { type: 'text/csv' })),
  }]);

  if (error) return <p class="error" role="alert">{error}</p>;
  if (!rows) return <p class="note" role="status">…</p>;
  const functionOf = (row: number) => placeOf(names, of.by, rows.key[row]).function;
  return (
    <div class="beside">
      <div class="beside-main">
        <div class="view-bar">
          <Segmented label="Columns of kinds and memory" choices={EXTENTS} value={extent} onChange={setExtent} />
          <PartLegend parts={partsOf(metric.value)} />
          <span class="view-note">
            {isMatch && `${formatCount(shown.length)} of `}
            {formatCount(rows.key.length)} {of.by === 'line' ? 'lines' : 'functions'} ·{' '}
            {formatWhole(rows.whole.amount, metric.value.unit, rows.whole.samples)}
          </span>
        </div>
        {shown.length === 0 && (
          <p class="note">{isMatch ? 'Nothing is found.' : `No ${metric.value.title.toLowerCase()} in what is selected.`}</p>
        )}
        <VirtualTable
          label={`${metric.value.title} by ${of.by}`}
          rows={shown}
          columns={columns}
          sorting={sorting}
          onSort={({ column, descending }) => {
            setOption('table.sort', column, 'self');
            setOption('table.order', descending ? 'down' : 'up', 'down');
          }}
          keyOf={(row) => (of.by === 'line' ? rows.key[row] : functionOf(row))}
          chosen={of.by === 'function' ? chosen.value : lineChosen()}
          onChoose={(row) => {
            chosen.value = functionOf(row);
            if (of.by === 'line') setOption('table.line', String(rows.key[row]), '');
          }}
          onOpen={(row) => openKey(of.by, rows.key[row])}
          tipOf={(row) => <RowTip rows={rows} row={row} by={of.by} metric={metric.value} />}
        />
      </div>
      <DetailPanel
        recursion={false}
        hint="Click a row for its callers and callees. Double click or Enter opens its source."
        onSandwich={openSandwich}
      />
    </div>
  );
}

/** By line, a function does not say which of its rows is meant. */
function lineChosen(): number | null {
  const key = Number(option('table.line', '') || NaN);
  const { function: owners } = catalog().frames;
  return key < owners.length && owners[key] === chosen.value ? key : null;
}
