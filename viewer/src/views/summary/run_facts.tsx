// SPDX-License-Identifier: Apache-2.0
// What the profile does not know and what it has cost: never hidden, and loud when it is much.
import { countersOf, coverageOf, loadProblemsOf, notesOf, openedNote, processFactsOf } from '../../model/report';
import { catalog } from '../../state/app';
import { formatSamples, formatShare, formatTime } from '../../text/amount';
import { shownName } from '../../data/shown';
import { useQuery } from '../../state/query';
import { ON_CPU } from '../../model/metrics';
import { EVERYTHING } from '../../model/selection';
import { counterText, noteText } from './counter_text';
import { loudLosses } from './loud_losses';

// Below that, figures can be trusted as they are.
const LITTLE_COVERED = 0.9;

/** Problems that change how the figures are to be read. */
export function LoudLosses() {
  const { meta, samples } = catalog();
  const coverage = coverageOf(meta);
  const problems = [
    ...loadProblemsOf(meta).map((problem) => `Capture: ${problem}`),
    ...loudLosses(countersOf(meta.losses), countersOf(meta.costs), samples).map((loss) => `Not recorded: ${counterText(loss)}`),
    ...(coverage !== null && coverage < LITTLE_COVERED ? [`Samples cover only ${formatShare(coverage, 1)} of the threads' CPU time`] : []),
  ];
  if (problems.length === 0) return null;
  return <ul class="loud" role="alert">{problems.map((problem) => <li key={problem}><bdi>{problem}</bdi></li>)}</ul>;
}

/** What had to be assumed to read the profile of another tool. */
export function Notes() {
  const { meta } = catalog();
  const notes = [...notesOf(meta).map(noteText), ...openedNote(meta)];
  if (notes.length === 0) return null;
  return <ul class="notes faint" role="note">{notes.map((note) => <li key={note}><bdi>{note}</bdi></li>)}</ul>;
}

/** One small paragraph at the end. */
export function RunFacts() {
  const { meta, samples } = catalog();
  const activities = useQuery('activities', { selection: EVERYTHING }, 'activities of the run').output;
  const cpu = ON_CPU.reduce((sum, activity) => sum + (activities?.time[activity] ?? 0), 0);
  const losses = countersOf(meta.losses).filter(({ value }) => value > 0);
  const coverage = coverageOf(meta);
  const costs = countersOf(meta.costs)
    .filter(({ isTime }) => isTime)
    .map(({ text, value }) => `${text} ${formatTime(value)}${cpu > 0 ? ` (${formatShare(value, cpu)} of CPU time)` : ''}`);
  const clocks = new Set(processFactsOf(meta).filter(({ clock }) => clock).map(({ clock, periodSeconds }) =>
    `clock ${clock}${periodSeconds > 0 ? ` every ${formatTime(periodSeconds * 1e9)}` : ''}`));
  const pieces = [
    formatSamples(samples),
    losses.length === 0 ? '0 lost' : '',
    ...costs,
    ...clocks,
    coverage === null ? '' : `samples cover ${formatShare(coverage, 1)} of the threads' CPU clocks`,
    meta.run?.pyrometer_version ? `pyrometer ${shownName(String(meta.run.pyrometer_version))}` : '',
    shownName(String(meta.run?.operating_system ?? '')),
  ].filter(Boolean);
  return (
    <footer class="run-facts">
      <p><bdi>What recording has cost and seen: {pieces.join(' · ')}</bdi></p>
      {losses.length > 0 && (
        <p><bdi>Not recorded: {losses.map(counterText).join(' · ')}</bdi></p>
      )}
    </footer>
  );
}
