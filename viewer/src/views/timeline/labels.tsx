// SPDX-License-Identifier: Apache-2.0
import type { Catalog } from '../../model/catalog';
import { RULER_HEIGHT } from '../../render/ruler';
import { catalog, select, selection } from '../../state/app';
import { shownCount } from '../../text/amount';
import type { Row } from './rows';

/** Names of the rows on the screen. Threads and tasks are buttons that select them. */
export function Labels(props: { rows: readonly Row[]; gutter: number; onToggle: (id: string) => void }) {
  return (
    <>
      {props.rows.map((row) => (
        <div
          key={row.id}
          class={`lane-label ${row.kind}`}
          style={{ top: `${RULER_HEIGHT + row.top}px`, height: `${row.height}px`, width: `${props.gutter}px` }}
        >
          <Label row={row} onToggle={props.onToggle} />
        </div>
      ))}
    </>
  );
}

function Label({ row, onToggle }: { row: Row; onToggle: (id: string) => void }) {
  const names = catalog();
  const of = selection.value;
  switch (row.kind) {
    case 'process': {
      const { pid, name, rank } = names.processes[row.process];
      return (
        <button type="button" aria-expanded={row.isOpen} title={name} onClick={() => onToggle(row.id)}>
          <span class={`fold ${row.isOpen ? 'open' : ''}`} aria-hidden="true" />
          <strong>{rank >= 0 ? `rank ${rank} · ${pid}` : pid}</strong> <bdi>{name}</bdi>
        </button>
      );
    }
    case 'tasks':
      return (
        <button type="button" aria-expanded={row.isOpen} onClick={() => onToggle(row.id)}>
          <span class={`fold ${row.isOpen ? 'open' : ''}`} aria-hidden="true" />
          {shownCount(row.count, 'task')}
        </button>
      );
    case 'thread':
      return (
        <button
          type="button"
          aria-pressed={of.threads.includes(row.thread)}
          title="Select this thread only"
          onClick={() => select({ threads: only(of.threads, row.thread) })}
        >
          <bdi>{threadName(names, row.thread)}</bdi>
        </button>
      );
    case 'task':
      return (
        <button
          type="button"
          aria-pressed={of.tasks.includes(row.task)}
          title="Select this task only"
          onClick={() => select({ tasks: only(of.tasks, row.task) })}
        >
          <bdi>{names.tasks[row.task].name}</bdi>
        </button>
      );
    case 'memory':
      return (
        <span class="faint" title="The line is resident memory; below it what Python, native code and mappings have in use">
          Memory
        </span>
      );
    default:
      return <span class="faint">{row.kind === 'regions' ? 'regions' : 'loop held by'}</span>;
  }
}

function threadName({ threads }: Catalog, thread: number): string {
  const { name, tid, main } = threads[thread];
  return name || (main ? 'main' : `thread ${tid}`);
}

/** A second click on what is selected alone selects everything again. */
function only(selected: number[], index: number): number[] {
  return selected.length === 1 && selected[0] === index ? [] : [index];
}
