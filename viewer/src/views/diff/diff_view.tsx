// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { Selection, withoutSearch } from '../../model/selection';
import { changeColour } from '../../render/change_colour';
import { chosen, metric, opened, option, selection, setOption } from '../../state/app';
import { comparedNames } from '../../state/compared';
import { openSandwich } from '../../state/jump';
import { useShortcuts } from '../../state/keys';
import { useQuery } from '../../state/query';
import { theme } from '../../state/theme';
import { Segmented } from '../../widgets/segmented';
import { DetailPanel } from '../flame/detail_panel';
import { DiffFlame } from './diff_flame';
import { DiffTable } from './diff_table';
import { DiffSummary } from './summary';

const MODES = [
  { value: 'table', title: 'Table', hint: 'functions or lines (v)' },
  { value: 'flame', title: 'Flame', hint: 'stacks (v)' },
] as const;
const AMOUNTS = [
  { value: 'absolute', title: 'Absolute', hint: 'amounts as they are (u)' },
  { value: 'share', title: 'Share', hint: 'in percent of each profile: for runs of different length (u)' },
] as const;
const EXTENTS = [
  { value: 'self', title: 'Self', hint: 'each row alone (x)' },
  { value: 'total', title: 'Total', hint: 'each row with all that it calls (x)' },
] as const;

/** The profile beside another one. */
export function DiffView() {
  if (!opened.value?.base) return <NoBase />;
  return <Comparison />;
}

function NoBase() {
  return (
    <div class="no-base">
      <p>There is nothing to compare this profile with yet.</p>
      <p>
        <code>pyrometer view NEW --base OLD</code> opens the two side by side;{' '}
        <code>pyrometer export NEW --base OLD -f html</code> makes one file of them.
      </p>
    </div>
  );
}

function Comparison() {
  const of = selection.value;
  const choices = useChoices();
  const { extent, share, onlySignificant, vanished } = choices;
  const { output, error } = useQuery('diff', { selection: withoutSearch(of) });
  // Who is to blame are functions that the user can change: the words are of Python functions, with what
  // they call natively and inside libraries.
  const wordsOf: Selection = { ...withoutSearch(of), by: 'function' };
  if (of.frames !== 'native') Object.assign(wordsOf, { frames: 'python', collapse: true });
  const words = useQuery('diff', { selection: wordsOf }, 'diff_words').output;
  const wordNames = useMemo(() => words && comparedNames('function', words.ownKeys, words.onlyBase, ''), [words]);
  const compared = useMemo(
    () => output && comparedNames(of.by, output.ownKeys, output.onlyBase, of.search),
    [output, of.by, of.search],
  );
  if (error) return <p class="error" role="alert">{error}</p>;
  if (!output || !compared) return <p class="note" role="status">…</p>;
  const isNarrowed = of.processes.length + of.threads.length + of.tasks.length > 0 || of.range !== null;
  return (
    <div class="beside">
      <div class="beside-main">
        {words && wordNames && (
          <DiffSummary
            rows={words.rows}
            whole={words.whole}
            compared={wordNames}
            metric={metric.value}
            share={share}
            folded={wordsOf.frames !== of.frames || wordsOf.collapse !== of.collapse}
            onChoose={(row) => {
              if (of.by === 'function') setOption('diff.row', String(words.rows.key[row]), '');
              chosen.value = wordNames.functionOf(words.rows.key[row]);
            }}
          />
        )}
        {isNarrowed && (
          <p class="diff-narrowed">
            Processes, threads, tasks and the time range are those of the new profile; of the base, all is counted.
          </p>
        )}
        <DiffBar {...choices} />
        {choices.mode === 'table' ? (
          <DiffTable
            rows={output.rows}
            whole={output.whole}
            compared={compared}
            by={of.by}
            metric={metric.value}
            share={share}
            of={extent}
            onlySignificant={onlySignificant}
          />
        ) : (
          <DiffFlame selection={of} metric={metric.value} share={share} vanished={vanished} onlySignificant={onlySignificant} />
        )}
      </div>
      <DetailPanel
        recursion={false}
        hint="Click a row or box for its callers and callees in the new profile."
        onSandwich={openSandwich}
      />
    </div>
  );
}

type Choices = ReturnType<typeof useChoices>;

/** What the address says of this view, and keys and ways to change it. */
function useChoices() {
  const mode = option('diff.mode', 'table') === 'flame' ? 'flame' : 'table';
  const amounts = option('diff.amounts', 'absolute') === 'share' ? 'share' : 'absolute';
  const extent = option('diff.of', 'self') === 'total' ? 'total' : 'self';
  const onlySignificant = option('diff.only', 'all') === 'significant';
  const vanished = option('diff.gone', 'show') === 'show';
  const setMode = (next: string) => setOption('diff.mode', next, 'table');
  const setAmounts = (next: string) => setOption('diff.amounts', next, 'absolute');
  const setExtent = (next: string) => setOption('diff.of', next, 'self');
  const toggleSignificant = () => setOption('diff.only', onlySignificant ? 'all' : 'significant', 'all');
  const toggleVanished = () => setOption('diff.gone', vanished ? 'hide' : 'show', 'show');
  useShortcuts('Diff', [
    { keys: ['v'], title: 'Table or flame graph', run: () => setMode(mode === 'table' ? 'flame' : 'table') },
    { keys: ['u'], title: 'Absolute, or in shares', run: () => setAmounts(amounts === 'share' ? 'absolute' : 'share') },
    { keys: ['x'], title: 'Self or total', run: () => setExtent(extent === 'self' ? 'total' : 'self') },
    { keys: ['o'], title: 'Only significant changes', run: toggleSignificant },
  ]);
  return { mode, amounts, share: amounts === 'share', extent, onlySignificant, vanished, setMode, setAmounts, setExtent, toggleSignificant, toggleVanished } as const;
}

function DiffBar({ mode, amounts, extent, onlySignificant, vanished, ...does }: Choices) {
  return (
    <div class="view-bar">
      <Segmented label="Form" choices={MODES} value={mode} onChange={does.setMode} />
      <Segmented label="Amounts" choices={AMOUNTS} value={amounts} onChange={does.setAmounts} />
      {mode === 'table' && <Segmented label="Extent" choices={EXTENTS} value={extent} onChange={does.setExtent} />}
      <button
        type="button"
        class="toggle"
        aria-pressed={onlySignificant}
        title="Only changes whose 95 % interval does not hold 0 (o)"
        onClick={does.toggleSignificant}
      >
        Only significant
      </button>
      {mode === 'flame' && (
        <button
          type="button"
          class="toggle"
          aria-pressed={vanished}
          title="Frames that the new profile does not have keep the width that they had"
          onClick={does.toggleVanished}
        >
          Show what is gone
        </button>
      )}
      <Scale />
    </div>
  );
}

/** What the colours mean. */
function Scale() {
  return (
    <span class="heat-legend view-note" aria-label="Colour: blue is less, red is more than in the base">
      <span aria-hidden="true">less</span>
      {[-1, -0.3, 0, 0.3, 1].map((relative) => (
        <span key={relative} class="heat-step" style={{ background: changeColour(relative, theme.value) }} />
      ))}
      <span aria-hidden="true">more</span>
    </span>
  );
}
