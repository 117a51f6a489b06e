// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import type { Change, DiffRows, Whole } from '../../model/diff';
import { isSignificant } from '../../model/interval';
import type { Metric } from '../../model/metrics';
import type { Selection } from '../../model/selection';
import { chosen, option, setOption } from '../../state/app';
import type { Compared } from '../../state/compared';
import { download, useExports } from '../../state/exports';
import { openKey } from '../../state/jump';
import { formatAmount, formatShare } from '../../text/amount';
import { formatDifference } from '../../text/interval';
import { PathEnd } from '../../widgets/path_end';
import { Sorting, sortRows, tableCsv, TableColumn, VirtualTable } from '../../widgets/virtual_table';
import { changeAt } from './summary';

interface Row extends Change {
  at: number;
  key: number;
}

/** Functions or lines of both, with what changed and how sure that is. */
export function DiffTable(props: {
  rows: DiffRows;
  whole: Whole;
  compared: Compared;
  by: Selection['by'];
  metric: Metric;
  share: boolean;
  of: 'self' | 'total';
  onlySignificant: boolean;
}) {
  const { rows, whole, compared, by, metric, share, of, onlySignificant } = props;
  const unit = share ? 'share' : metric.unit;
  const all = useMemo(
    () => Array.from(rows.key, (key, at): Row => ({ at, key, ...changeAt(rows, at, of, whole, metric, share) }))
      .filter(({ fresh, base }) => fresh > 0 || base > 0),
    [rows, whole, of, share, metric],
  );
  const shown = useMemo(
    () => all.filter((row) => (!onlySignificant || isSignificant(row.interval)) && (!compared.isMatch || compared.isMatch(row.key))),
    [all, onlySignificant, compared],
  );
  const largest = useMemo(() => all.reduce((most, { difference }) => Math.max(most, Math.abs(difference)), 0), [all]);
  const columns = useMemo(
    () => columnsOf(compared, by, unit, largest),
    [compared, by, unit, largest],
  );
  const sorting: Sorting = {
    column: option('diff.sort', 'size'),
    descending: option('diff.order', 'down') === 'down',
  };
  useExports([{
    title: 'Save as CSV',
    save: () => download('pyrometer-diff.csv', new Blob([tableCsv(sortRows(shown, columns, sorting), columns)], { type: 'text/csv' })),
  }]);
  if (shown.length === 0) {
    const hidden = onlySignificant && all.length > 0;
    return <p class="note">{hidden ? 'No change here is larger than chance explains.' : 'Nothing to compare in what is selected.'}</p>;
  }
  return (
    <VirtualTable
      label={`Changes of ${metric.title} by ${by}`}
      rows={shown}
      columns={columns}
      sorting={sorting}
      onSort={({ column, descending }) => {
        setOption('diff.sort', column, 'size');
        setOption('diff.order', descending ? 'down' : 'up', 'down');
      }}
      keyOf={({ key }) => key}
      chosen={option('diff.row', '') === '' ? null : Number(option('diff.row', ''))}
      onChoose={({ key }) => {
        setOption('diff.row', String(key), '');
        chosen.value = compared.functionOf(key);
      }}
      onOpen={({ key }) => {
        if (!compared.isOnlyBase(key)) openKey(by, key);
      }}
      rowClass={({ interval }) => (isSignificant(interval) ? '' : 'unsure')}
      tipOf={(row) => <ChangeTip change={row} label={compared.labelOf(row.key)} where={compared.whereOf(row.key)} unit={unit} />}
    />
  );
}

function columnsOf(compared: Compared, by: Selection['by'], unit: Metric['unit'] | 'share', largest: number): TableColumn<Row>[] {
  const amount = (value: number) =>
    value === 0 ? <span class="faint">·</span> : <>{unit === 'share' ? formatShare(value, 1) : formatAmount(value, unit)}</>;
  return [
    {
      id: 'name', title: by === 'line' ? 'Line' : 'Function', sticky: true, width: 'minmax(22ch, 3fr)',
      value: ({ key }) => compared.labelOf(key),
      cell: ({ key, base }) => (
        <span class="tagged">
          <bdi>{compared.labelOf(key)}</bdi>
          {compared.isOnlyBase(key) ? <span class="change-tag less">gone</span> : base === 0 && <span class="change-tag more">new</span>}
        </span>
      ),
    },
    { id: 'base', title: 'Base', numeric: true, width: '10ch', value: ({ base }) => base, cell: ({ base }) => amount(base) },
    { id: 'fresh', title: 'New', numeric: true, width: '10ch', value: ({ fresh }) => fresh, cell: ({ fresh }) => amount(fresh) },
    {
      id: 'difference', title: 'Difference', hint: 'new less base; sort by it: what grew most first', numeric: true, width: '12ch',
      value: ({ difference }) => difference,
      cell: ({ difference }) => <strong class={difference > 0 ? 'more' : 'less'}>{formatDifference(difference, unit)}</strong>,
    },
    {
      id: 'size', title: 'Change', hint: 'size of the difference: to the right is more, to the left is less', numeric: true, width: '16ch',
      value: ({ difference }) => Math.abs(difference),
      cell: ({ difference }) => <ChangeBar difference={difference} largest={largest} />,
    },
    {
      id: 'low', title: '95 % from', hint: 'lower end of the 95 % interval of the difference', numeric: true, width: '12ch',
      value: ({ interval }) => interval.low,
      cell: ({ interval }) => <span class="faint">{formatDifference(interval.low, unit)}</span>,
    },
    {
      id: 'high', title: 'to', hint: 'upper end of the 95 % interval of the difference', numeric: true, width: '11ch',
      value: ({ interval }) => interval.high,
      cell: ({ interval }) => <span class="faint">{formatDifference(interval.high, unit)}</span>,
    },
    {
      id: 'relative', title: 'Relative', hint: 'difference in percent of the base', numeric: true, width: '10ch',
      value: ({ difference, base }) => (base > 0 ? (100 * difference) / base : Infinity),
      cell: ({ difference, base }) => (base > 0 ? formatDifference(difference / base, 'share') : <span class="faint">new</span>),
    },
    {
      id: 'sure', title: 'Significant', hint: 'the 95 % interval of the difference does not hold 0', width: '15ch',
      value: ({ interval }) => (isSignificant(interval) ? 'yes' : 'no'),
      cell: ({ interval }) => (isSignificant(interval) ? 'yes' : <span class="faint">within chance</span>),
    },
    {
      id: 'where', title: 'File', width: 'minmax(20ch, 2fr)', value: ({ key }) => compared.whereOf(key),
      cell: ({ key }) => <PathEnd text={compared.whereOf(key)} />,
    },
  ];
}

function ChangeBar({ difference, largest }: { difference: number; largest: number }) {
  const width = largest > 0 ? (50 * Math.abs(difference)) / largest : 0;
  return (
    <span class="change-bar" aria-hidden="true">
      <span
        class={difference > 0 ? 'more' : 'less'}
        style={difference > 0 ? { left: '50%', width: `${width}%` } : { right: '50%', width: `${width}%` }}
      />
    </span>
  );
}

export function ChangeTip(props: { change: Change; label: string; where: string; unit: Metric['unit'] | 'share' }) {
  const { change, label, where, unit } = props;
  const amount = (value: number) => (unit === 'share' ? formatShare(value, 1) : formatAmount(value, unit));
  const { base, fresh, difference, interval } = change;
  return (
    <>
      <strong><bdi>{label}</bdi></strong>
      <div class="faint"><bdi>{where}</bdi></div>
      <div>{amount(base)} → {amount(fresh)}</div>
      <div>
        {formatDifference(difference, unit)}
        {base > 0 && fresh > 0 && ` (${formatDifference(difference / base, 'share')})`}
        <span class="faint"> 95 %: {formatDifference(interval.low, unit)} to {formatDifference(interval.high, unit)}</span>
      </div>
      <div class="faint">{isSignificant(interval) ? 'more than chance explains' : 'within what chance explains'}</div>
    </>
  );
}
