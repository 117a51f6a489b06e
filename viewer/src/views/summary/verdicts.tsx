// SPDX-License-Identifier: Apache-2.0
import { elapsedOf, originOf, processFactsOf, verdictsOf } from '../../model/report';
import { catalog, isNarrowed } from '../../state/app';
import { reportError } from '../../state/report';
import { fileOfPath } from '../../state/source_place';
import { formatCount, formatSamples, formatTime } from '../../text/amount';
import { PlaceLink } from '../../widgets/place_link';
import { calledName, verdictText } from './verdict_text';

const FEW_SAMPLES = 50;

/** What the run is bound by, most important first, and what run it was. */
export function Verdicts() {
  const of = catalog();
  const verdicts = verdictsOf(of.meta).map((verdict, i) => verdictText(verdict, i === 0));
  return (
    <section class="verdicts" aria-label="Verdict">
      {isNarrowed() && <p class="tag-line"><span class="tag">whole run</span></p>}
      {of.meta.page.partial === true && <p class="faint" role="status">{reportError.value ?? 'The verdict is being added up…'}</p>}
      <ol>
        {verdicts.map(({ headline, measure, lead, place }, i) => (
          <li key={i}>
            <strong><bdi>{headline}</bdi></strong>
            {measure && <span class="measure">{measure}</span>}
            {lead && (
              <span class="where">
                <span class="faint">{lead}:</span>{' '}
                {place
                  ? <><bdi class="code">{calledName(place.function)}</bdi> <PlaceLink file={fileOfPath(of, place.path)} path={place.path} line={place.line} /></>
                  : 'outside your code'}
              </span>
            )}
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
