// SPDX-License-Identifier: Apache-2.0
// What the profile does not know and what it has cost: never hidden, and loud when it is much.
import { countersOf, coverageOf, loadProblemsOf, notesOf, processFactsOf } from '../../model/report';
import { catalog } from '../../state/app';
import { formatCount, formatSamples, formatShare, formatTime } from '../../text/amount';
import { shownName } from '../../data/shown';
import { useQuery } from '../../state/query';
import { ON_CPU } from '../../model/metrics';
import { EVERYTHING } from '../../model/selection';

// Below these, figures can be trusted as they are.
const MUCH_LOST = 0.05;
const LITTLE_COVERED = 0.9;

// Losses that leave out whole observations; the others take a detail from some.
const WHOLE_SAMPLES = /^(records dropped|samples skipped|stacks lost|damaged records)/;
const WHOLE_MEMORY_SAMPLES = /^memory samples not followed/;
const WHOLE_THREADS = /^threads not sampled/;

/** Losses that are so many that the figures have to be read with care. */
export function loudLosses(losses: Counted[], costs: Counted[], samples: number): Counted[] {
  const memorySamples = costs.find(({ name }) => name === 'memory samples')?.value ?? 0;
  return losses.filter(({ name, value }) =>
    (WHOLE_SAMPLES.test(name) && value > (samples + value) * MUCH_LOST) ||
    (WHOLE_MEMORY_SAMPLES.test(name) && value > (memorySamples + value) * MUCH_LOST) ||
    (WHOLE_THREADS.test(name) && value > 0));
}

/** "3 threads not sampled", "1.2 s CPU time in other programs". */
export function lossText({ name, value }: Counted): string {
  return name.endsWith(' ns') ? `${formatTime(value)} ${name.slice(0, -3)}` : `${formatCount(value)} ${name}`;
}

type Counted = ReturnType<typeof countersOf>[number];

/** Problems that change how the figures are to be read. */
export function LoudLosses() {
  const { meta, samples } = catalog();
  const coverage = coverageOf(meta);
  const problems = [
    ...loadProblemsOf(meta).map((problem) => `Capture: ${problem}`),
    ...loudLosses(countersOf(meta.losses), countersOf(meta.costs), samples).map((loss) => `Not recorded: ${lossText(loss)}`),
    ...(coverage !== null && coverage < LITTLE_COVERED ? [`Samples cover only ${formatShare(coverage, 1)} of the threads' CPU time`] : []),
  ];
  if (problems.length === 0) return null;
  return <ul class="loud" role="alert">{problems.map((problem) => <li key={problem}><bdi>{problem}</bdi></li>)}</ul>;
}

/** What had to be assumed to read the profile of another tool. */
export function Notes() {
  const notes = notesOf(catalog().meta);
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
    .filter(({ name }) => name.endsWith(' ns'))
    .map(({ name, value }) => `${name.slice(0, -3)} ${formatTime(value)}${cpu > 0 ? ` (${formatShare(value, cpu)} of CPU time)` : ''}`);
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
        <p><bdi>Not recorded: {losses.map(lossText).join(' · ')}</bdi></p>
      )}
    </footer>
  );
}
