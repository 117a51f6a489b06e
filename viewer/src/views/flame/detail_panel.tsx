// SPDX-License-Identifier: Apache-2.0
import type { Neighbour } from '../../model/callers';
import { catalog, chosen, metric, selection, view, viewIds } from '../../state/app';
import { useQuery } from '../../state/query';
import { shortPath } from '../../state/names';
import { formatAmount, formatFull, formatShare } from '../../text/amount';

/** The chosen function: what it has, who calls it, what it calls. */
export function DetailPanel(props: {
  recursion: boolean;
  onSandwich: () => void;
  /** What to do to see anything here. */
  hint?: string;
}) {
  const key = chosen.value;
  const names = catalog();
  const known = key >= 0 && key < names.functions.name.length;
  const of = { ...selection.value, by: 'function' as const };
  const { output } = useQuery('neighbours', known ? { selection: of, key, recursion: props.recursion } : null);
  const { unit } = metric.value;
  if (!known) {
    return (
      <aside class="detail" aria-label="Chosen function">
        <p class="note">
          {props.hint ?? 'Click a box for its callers and callees. Double click zooms to it.'} <kbd>?</kbd> lists all keys.
        </p>
      </aside>
    );
  }
  const file = names.functions.file[key];
  const line = names.functions.line[key];
  const list = (title: string, rows: Neighbour[], empty: string) => (
    <section>
      <h3>{title}</h3>
      {rows.length === 0 && <p class="note">{empty}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.key}>
            <button type="button" onClick={() => { chosen.value = row.key; }}>
              <bdi>{names.functions.name[row.key]}</bdi>
            </button>
            <span class="amount">{formatAmount(row.total, unit)}</span>
            <span class="amount faint">{formatShare(row.total, output!.total)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
  return (
    <aside class="detail" aria-label="Chosen function" aria-live="polite">
      <h2><bdi>{names.functions.name[key]}</bdi></h2>
      <p class="faint path" title={names.files.path[file]}>
        <bdi>{shortPath(names.files.path[file])}{line > 0 ? `:${line}` : ''}</bdi>
      </p>
      {output && (
        <>
          <dl class="figures">
            <dt>Total</dt>
            <dd>{formatFull(output.total, unit, output.whole.total, output.totalSamples)}</dd>
            <dt>Self</dt>
            <dd>{formatFull(output.self, unit, output.whole.total, output.selfSamples)}</dd>
          </dl>
          <div class="actions">
            <button type="button" onClick={props.onSandwich}>Sandwich</button>
            {viewIds.value.includes('source') && names.files.hasSource[file] === 1 && (
              <button type="button" onClick={() => { view.value = 'source'; }}>Source</button>
            )}
          </div>
          {list('Called by', output.callers, 'nobody: it is the outermost frame')}
          {list('Calls', output.callees, 'nothing')}
        </>
      )}
    </aside>
  );
}
