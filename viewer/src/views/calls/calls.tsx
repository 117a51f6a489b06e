// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'preact/hooks';
import { placeOf } from '../../model/catalog';
import { hasInside } from '../../model/visible_calls';
import { catalog, chosen, metric, selection } from '../../state/app';
import { download, useExports } from '../../state/exports';
import { openKey } from '../../state/jump';
import { labelOf, whereOf } from '../../state/names';
import { csvOf } from '../../text/csv';
import { CallFigures, CallHead, CallName, CallTip } from './call_cells';
import { CallsProps, ShownCalls, useShownCalls } from './shown_calls';
import { TreeRows } from './tree_rows';

/** The rows of the tree, with what is open in it. */
export function Calls(props: CallsProps) {
  const { rows, inverted } = props;
  const { by } = selection.value;
  const { title } = metric.value;
  const shown = useShownCalls(props);
  const { visible, openRows, isMatch } = shown;
  const [current, setCurrent] = useCurrent(shown);
  useExports([{ title: 'Save as CSV', save: () => saveCsv(shown) }]);

  const whole = props.whole.total;
  if (rows.count === 0) {
    return <p class="note">{whole === 0 ? `No ${title.toLowerCase()} in what is selected.` : 'No call has as much: move the slider to the left.'}</p>;
  }
  const setOpen = (at: number, open: boolean) => {
    if (visible.kind[at] === 'run') openRows.setRunOpen(visible.row[at], open);
    else openRows.setOpen([{ row: visible.row[at], open }]);
  };
  const isOpen = (at: number) => {
    const row = visible.row[at];
    if (visible.kind[at] === 'rest') return undefined;
    if (visible.kind[at] === 'run') return openRows.isRunOpen(row);
    return hasInside(rows, row) ? openRows.isOpen(row) : undefined;
  };
  const openAll = (at: number) => {
    if (visible.kind[at] !== 'call') return;
    const from = visible.row[at];
    openRows.setOpen(Array.from({ length: rows.end[from] - from }, (_, i) => ({ row: from + i, open: true })));
  };
  const enter = (at: number) => {
    if (visible.kind[at] === 'call') openKey(by, rows.key[visible.row[at]]);
    else if (visible.kind[at] === 'run') setOpen(at, !openRows.isRunOpen(visible.row[at]));
  };
  const classOf = (at: number) => {
    const matches = isMatch !== null && visible.kind[at] === 'call' && isMatch(rows.key[visible.row[at]]);
    return `${inverted ? 'inverted' : ''} ${matches ? 'found' : isMatch !== null ? 'unfound' : ''}`;
  };
  return (
    <TreeRows
      label={`${title}, ${inverted ? 'callers of everything' : 'calls'}`}
      visible={visible}
      current={current}
      onCurrent={setCurrent}
      isOpen={isOpen}
      onOpen={setOpen}
      onOpenAll={openAll}
      onEnter={enter}
      classOf={classOf}
      head={<CallHead inverted={inverted} />}
      name={(at) => <CallName shown={shown} at={at} />}
      figures={(at) => <CallFigures shown={shown} at={at} inverted={inverted} whole={whole} />}
      tipOf={(at) => <CallTip shown={shown} at={at} inverted={inverted} whole={whole} />}
    />
  );
}

/** The position of the row that was chosen last, wherever it is by now; -1: none. */
function useCurrent({ rows, visible }: ShownCalls): [number, (at: number) => void] {
  const [mark, setMark] = useState<{ kind: string; row: number } | null>(null);
  const current = useMemo(
    () => (mark ? visible.row.findIndex((row, at) => row === mark.row && visible.kind[at] === mark.kind) : -1),
    [mark, visible],
  );
  const setCurrent = (at: number) => {
    const row = visible.row[at];
    setMark({ kind: visible.kind[at], row });
    if (visible.kind[at] === 'call') chosen.value = placeOf(catalog(), selection.value.by, rows.key[row]).function;
  };
  return [current, setCurrent];
}

function saveCsv({ rows, visible }: ShownCalls): void {
  const [names, { by }] = [catalog(), selection.value];
  const cells = visible.row.flatMap((row, at) => (visible.kind[at] !== 'call' ? [] : [[
    visible.level[at], labelOf(names, by, rows.key[row]), whereOf(names, by, rows.key[row]),
    rows.total[row], rows.self[row], rows.totalSamples[row],
  ]]));
  const text = csvOf(['Level', 'Call', 'File', 'Total', 'Self', 'Samples'], cells);
  download('pyrometer-calls.csv', new Blob([text], { type: 'text/csv' }));
}
