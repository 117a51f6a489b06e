// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FILE_KIND } from '../../data/schema';
import type { FileFigures } from '../../model/line_figures';
import { matchedLines, matchedPlaces, nextPlace } from '../../model/matched_places';
import type { Charge } from '../../model/places';
import { catalog, selection } from '../../state/app';
import { useShortcuts } from '../../state/keys';
import { useQuery } from '../../state/query';
import { foundFunctions } from '../../state/search';
import { setSourcePlace, SourcePlace, sourcePlace } from '../../state/source_place';
import { CodePane, CodePaneHandle } from './code_pane';
import { leaksOfFile, shownColumns } from './columns';
import { FileList } from './file_list';
import { LinePanel } from './line_panel';
import { LineExport, LineTable } from './line_table';
import { CHARGES, chargeOf, isWide, modeOf, setCharge, setMode, SourceBar, togglePanels } from './source_bar';
import { foundRows, hotRows, nextOf, sourceRows } from './source_rows';

/** Files, and the figures of every line beside its code. */
export function SourceView() {
  const charge = chargeOf();
  const files = useQuery('files', { selection: selection.value, charge });
  const place = sourcePlace() ?? (files.output && { file: filesInOrder(files.output)[0] ?? -1, line: 0 });
  if (files.error) return <p class="error" role="alert">{files.error}</p>;
  if (!files.output || !place) return <p class="note" role="status">…</p>;
  if (place.file < 0) return <p class="note">No Python file was seen in this run.</p>;
  const open = (file: number) => setSourcePlace({ file, line: 0 });
  const order = filesInOrder(files.output);
  const matched = foundFunctions.value;
  const places = matched ? matchedPlaces(catalog(), matched, order) : [];
  const goToMatch = (step: 1 | -1) => {
    const next = nextPlace(places, order, place, step);
    if (next) setSourcePlace(next);
  };
  return (
    <div class={isWide() ? 'source wide' : 'source'}>
      <FileList figures={files.output} current={place.file} onOpen={open} addsUp={charge !== 'total'} matches={places} />
      <MatchKeys onStep={goToMatch} />
      <FileContent key={place.file} place={place} charge={charge} matches={places.length} onMatch={goToMatch} />
    </div>
  );
}

/** The user's files, then all others, hottest first. */
function filesInOrder({ file, heat }: FileFigures): number[] {
  const { kind } = catalog().files;
  const order = Array.from(file, (number, i) => ({ number, heat: heat[i], own: kind[number] === FILE_KIND.own ? 1 : 0 }));
  order.sort((a, b) => b.own - a.own || b.heat - a.heat);
  return order.map(({ number }) => number);
}

/** Keys that stay the same from file to file. */
function MatchKeys({ onStep }: { onStep: (step: 1 | -1) => void }) {
  useShortcuts('Search', [
    { keys: ['.'], title: 'Next function that the search has found', run: () => onStep(1) },
    { keys: [','], title: 'The one before', run: () => onStep(-1) },
  ]);
  return null;
}

interface FileContentProps {
  place: SourcePlace;
  charge: Charge;
  /** How many functions the search has found in all files. */
  matches: number;
  onMatch: (step: 1 | -1) => void;
}

function FileContent({ place, charge, matches, onMatch }: FileContentProps) {
  const { file } = place;
  const { files } = catalog();
  const of = selection.value;
  const source = useQuery('source', { file });
  const figures = useQuery('lines', { selection: of, file, charge });
  const history = useQuery('line_history', { selection: of, file, charge });
  const [wanted, setWanted] = useState('');
  const find = useRef<HTMLInputElement>(null);
  const pane = useRef<CodePaneHandle>(null);
  const isTable = modeOf() === 'table';

  const isReady = source.output !== null && figures.output !== null;
  const rows = useMemo(() => (isReady ? sourceRows(source.output!.text, figures.output!) : []), [source.output, figures.output]);
  const columns = useMemo(() => (figures.output ? shownColumns(figures.output) : []), [figures.output]);
  const leaks = useMemo(() => leaksOfFile(file), [file]);
  const hot = useMemo(() => (figures.output ? hotRows(rows, figures.output.amount.heat) : []), [rows]);
  const found = useMemo(() => foundRows(rows, wanted), [rows, wanted]);
  const matched = foundFunctions.value;
  const matchLines = useMemo(() => (matched ? matchedLines(catalog(), matched, file) : new Set<number>()), [matched, file]);
  const cursor = rows.findIndex(({ line }) => line > 0 && line === place.line);

  const goTo = (row: number) => {
    if (row >= 0) setSourcePlace({ file, line: rows[row].line });
  };
  // A file that is opened without a line shows its hottest one.
  useEffect(() => {
    if (!isReady || place.line > 0 || hot.length === 0) return;
    const { heat } = figures.output!.amount;
    goTo(hot.reduce((best, at) => (heat[rows[at].figure] > heat[rows[best].figure] ? at : best), hot[0]));
  }, [isReady, place.line]);
  const jump = (positions: number[], step: 1 | -1) => {
    goTo(nextOf(positions, cursor, step));
    pane.current?.focus();
  };
  useShortcuts('Source', [
    { keys: ['n'], title: 'Next hot line', run: () => jump(hot, 1) },
    { keys: ['p'], title: 'Hot line before', run: () => jump(hot, -1) },
    { keys: ['f'], title: 'Find in this file', run: () => find.current?.focus() },
    { keys: ['o'], title: 'Your code, self or total', run: () => setCharge(CHARGES[(CHARGES.findIndex(({ value }) => value === charge) + 1) % CHARGES.length].value) },
    { keys: ['e'], title: 'Files and panel: show or hide', run: togglePanels },
    { keys: ['t'], title: 'Code or table', run: () => setMode(isTable ? 'code' : 'table') },
  ]);
  const row = cursor >= 0 ? rows[cursor] : null;
  const content = isReady ? { rows, figures: figures.output!, columns, leaks } : null;
  return (
    <>
      <div class="source-main">
        <SourceBar
          path={files.path[file]}
          charge={charge}
          mode={modeOf()}
          hasHot={hot.length > 0}
          onHot={(step) => jump(hot, step)}
          matches={matches}
          onMatch={onMatch}
          find={find}
          wanted={wanted}
          onWanted={setWanted}
          found={found.length}
          onFound={(step) => goTo(nextOf(found, cursor, step))}
          onLeaveFind={() => {
            setWanted('');
            pane.current?.focus();
          }}
        />
        {content && <LineExport content={content} />}
        {figures.error && <p class="error" role="alert">{figures.error}</p>}
        {isReady && rows.length === 0 && <p class="note">Nothing of this file was recorded.</p>}
        {isReady && rows.length > 0 && (isTable ? (
          <LineTable
            content={content!}
            line={place.line}
            onLine={(line) => setSourcePlace({ file, line })}
            onOpen={(line) => {
              setSourcePlace({ file, line });
              setMode('code');
            }}
          />
        ) : (
          <CodePane
            handle={pane}
            label={`Code of ${files.path[file]}`}
            rows={rows}
            figures={figures.output!}
            history={history.output}
            columns={columns}
            leaks={leaks}
            cursor={cursor}
            onCursor={goTo}
            wanted={wanted}
            matches={matchLines}
            isPython={source.output!.text !== null}
          />
        ))}
        {!isReady && !figures.error && <p class="note" role="status">…</p>}
      </div>
      {figures.output
        ? <LinePanel file={file} row={row} figures={figures.output} columns={columns} leak={row ? leaks.get(row.line) ?? 0 : 0} charge={charge} />
        : <aside class="detail" />}
    </>
  );
}
