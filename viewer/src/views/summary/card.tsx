// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { isNarrowed } from '../../state/app';

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
