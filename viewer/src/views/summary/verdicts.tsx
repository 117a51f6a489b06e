// SPDX-License-Identifier: Apache-2.0
import { elapsedOf, originOf, processFactsOf, VerdictPiece, verdictsOf } from '../../model/report';
import { catalog, isNarrowed } from '../../state/app';
import { reportError } from '../../state/report';
import { fileOfPath } from '../../state/source_place';
import { formatCount, formatSamples, formatTime } from '../../text/amount';
import { calledName } from '../../text/called_name';
import { PlaceLink } from '../../widgets/place_link';

const FEW_SAMPLES = 50;

/** What the run is bound by, most important first, and what run it was. */
export function Verdicts() {
  const of = catalog();
  return (
    <section class="verdicts" aria-label="Verdict">
      {isNarrowed() && <p class="tag-line"><span class="tag">whole run</span></p>}
      {of.meta.page.partial === true && <p class="faint" role="status">{reportError.value ?? 'The verdict is being added up…'}</p>}
      <ol>
        {verdictsOf(of.meta).map(({ headline, rest }, i) => (
          <li key={i}>
            <strong>{headline.map(shownPiece)}</strong>
            {rest.map(shownPiece)}
          </li>
        ))}
      </ol>
      {of.samples > 0 && of.samples < FEW_SAMPLES && (
        <p class="warning" role="note">Only {formatSamples(of.samples)}: read the percentages as rough ones.</p>
      )}
      <RunLine />
    </section>
  );
}

function shownPiece(piece: VerdictPiece, i: number) {
  if (piece.kind === 'place') {
    const { path, line, function: name } = piece.place;
    return <span key={i}><bdi class="code">{calledName(name)}</bdi> <PlaceLink file={fileOfPath(catalog(), path)} path={path} line={line} /></span>;
  }
  if (piece.kind === 'text') return piece.text;
  return piece.kind === 'amount' ? <span key={i} class="number">{piece.text}</span> : <bdi key={i}>{piece.text}</bdi>;
}

function RunLine() {
  const { meta, end, processes, threads, samples, tasks } = catalog();
  const several = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${formatCount(count)} ${many}`);
  const pieces = [
    `ran ${formatTime(elapsedOf(meta) * 1e9 || end)}`,
    ...[originOf(meta)].filter(Boolean),
    ...new Set(processFactsOf(meta).map(({ interpreter }) => interpreter).filter(Boolean)),
    several(processes.length, 'process', 'processes'),
    several(threads.length, 'thread', 'threads'),
    ...(tasks.length > 0 ? [several(tasks.length, 'task', 'tasks')] : []),
    formatSamples(samples),
  ];
  return <p class="faint"><bdi>{pieces.join(' · ')}</bdi></p>;
}
