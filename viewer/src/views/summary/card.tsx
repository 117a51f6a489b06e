// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { selection } from '../../state/app';

/** One subject. `ofWholeRun`: its figures do not follow the selection, and it says so as soon as that matters. */
export function Card(props: { title: string; note?: ComponentChildren; ofWholeRun?: boolean; class?: string; children: ComponentChildren }) {
  return (
    <section class={`card ${props.class ?? ''}`}>
      <h2>
        {props.title}
        {props.ofWholeRun && isNarrowed() && <span class="tag">whole run</span>}
        {props.note && <small>{props.note}</small>}
      </h2>
      {props.children}
    </section>
  );
}

/** Whether less than the whole run is selected. */
export function isNarrowed(): boolean {
  const { processes, threads, tasks, range } = selection.value;
  return processes.length + threads.length + tasks.length > 0 || range !== null;
}
