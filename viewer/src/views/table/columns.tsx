// SPDX-License-Identifier: Apache-2.0
import type { Catalog } from '../../model/catalog';
import { headOf, Metric } from '../../model/metrics';
import { partsOf } from '../../model/parts';
import type { Selection } from '../../model/selection';
import type { Amounts, TableRows } from '../../model/table';
import { labelOf, whereOf } from '../../state/names';
import { formatCount, formatFigure, formatShare } from '../../text/amount';
import { PathEnd } from '../../widgets/path_end';
import { PartBar } from '../../widgets/part_bar';
import type { TableColumn } from '../../widgets/virtual_table';

/** Whether the columns of kinds and memory are of a row alone or with all that it calls. */
export type Extent = 'self' | 'total';

/** Rows are numbers of the arrays of `rows`. */
export function tableColumns(
  rows: TableRows,
  names: Catalog,
  by: Selection['by'],
  metric: Metric,
  /** All that there are. */
  metrics: readonly Metric[],
  extent: Extent,
): TableColumn<number>[] {
  const { unit, title } = metric;
  const whole = rows.whole.amount;
  const parts = partsOf(metric);
  const share = (of: Extent) => (row: number) => whole > 0 ? (100 * rows[of][row]) / whole : 0;
  const bar = (of: Extent) => (row: number) => (
    <span class="bar-cell">
      <PartBar parts={parts.map(({ name }) => ({ name, amount: rows.parts[name][of][row] }))} total={rows[of][row]} whole={whole} />
      {rows[of][row] === 0 ? <span class="faint">·</span> : <span>{formatShare(rows[of][row], whole)}</span>}
    </span>
  );
  const amounts = (id: string, columnTitle: string, hint: string, values: Amounts, of: Metric['unit']): TableColumn<number> => ({
    id,
    title: columnTitle,
    hint: `${hint}, ${extent === 'self' ? 'in it alone' : 'in it and in all that it calls'}`,
    numeric: true,
    width: '10ch',
    value: (row) => values[extent][row],
    cell: (row) => <Amount value={values[extent][row]} unit={of} />,
  });
  return [
    {
      id: 'name',
      title: by === 'line' ? 'Line' : 'Function',
      sticky: true,
      width: 'minmax(24ch, 3fr)',
      value: (row) => labelOf(names, by, rows.key[row]),
      cell: (row) => <bdi>{labelOf(names, by, rows.key[row])}</bdi>,
    },
    {
      id: 'self', title: 'Self', hint: `${title} in it alone`, numeric: true, width: '10ch',
      value: (row) => rows.self[row], cell: (row) => <Amount value={rows.self[row]} unit={unit} />,
    },
    {
      id: 'selfShare', title: 'Self %', hint: 'share of all that is selected', numeric: true, width: '16ch',
      value: share('self'), cell: bar('self'),
    },
    {
      id: 'total', title: 'Total', hint: `${title} in it and in all that it calls`, numeric: true, width: '10ch',
      value: (row) => rows.total[row], cell: (row) => <Amount value={rows.total[row]} unit={unit} />,
    },
    {
      id: 'totalShare', title: 'Total %', hint: 'share of all that is selected', numeric: true, width: '16ch',
      value: share('total'), cell: bar('total'),
    },
    {
      id: 'where', title: 'File', width: 'minmax(20ch, 2fr)', value: (row) => whereOf(names, by, rows.key[row]),
      cell: (row) => <PathEnd text={whereOf(names, by, rows.key[row])} />,
    },
    {
      id: 'samples', title: 'Samples', hint: 'observations behind the total', numeric: true, width: '10ch',
      value: (row) => rows.totalSamples[row], cell: (row) => formatCount(rows.totalSamples[row]),
    },
    ...parts.map(({ name, head }) => amounts(`part.${name}`, head, `${title}: ${head}`, rows.parts[name], unit)),
    ...metrics.filter(({ name }) => rows.others[name]).map((of) =>
      amounts(`memory.${of.name}`, headOf(of), of.group === 'Memory' ? `Memory: ${of.title.toLowerCase()}` : of.title, rows.others[of.name], of.unit)),
  ];
}

/** Nothing is a dot, so that what there is stands out. */
function Amount({ value, unit }: { value: number; unit: Metric['unit'] }) {
  return value === 0 ? <span class="faint">·</span> : <>{formatFigure(value, unit)}</>;
}
