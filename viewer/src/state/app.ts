// SPDX-License-Identifier: Apache-2.0
// The state of the page. Everything that a view depends on is a signal here.
import { computed, signal } from '@preact/signals';
import type { Catalog } from '../model/catalog';
import { Metric, Metrics, metricsOfProfile } from '../model/metrics';
import { EVERYTHING, Selection } from '../model/selection';
import type { Client } from '../worker/client';

/** Set once, before anything is shown. */
export interface Opened {
  client: Client;
  catalog: Catalog;
  base: Catalog | null;
}

export const opened = signal<Opened | null>(null);

export const selection = signal<Selection>(EVERYTHING);
export const view = signal('');
/** All that there are. */
export const viewIds = signal<readonly string[]>([]);
/** Options of views, by "view.option": what the address has to remember of them. */
export const options = signal<Record<string, string>>({});
/** The function that was last chosen in any view; -1: none. */
export const chosen = signal(-1);

/** What can be counted in this profile. */
export const metricTable = computed<Metrics>(() => metricsOfProfile(opened.value?.catalog.meta.metrics));
export const metric = computed<Metric>(() => metricTable.value.of(selection.value.metric));

export function select(change: Partial<Selection>): void {
  selection.value = { ...selection.peek(), ...change };
}

/** Whether less than the whole run is selected. */
export function isNarrowed(): boolean {
  const { processes, threads, tasks, range } = selection.value;
  return processes.length + threads.length + tasks.length > 0 || range !== null;
}

export function option(name: string, otherwise: string): string {
  return options.value[name] ?? otherwise;
}

export function setOption(name: string, value: string, otherwise: string): void {
  const { [name]: _, ...others } = options.peek();
  options.value = value === otherwise ? others : { ...others, [name]: value };
}

export function catalog(): Catalog {
  return opened.value!.catalog;
}

/** Metrics of which this profile has anything; the first is selected if none is asked for. */
export const metrics = computed<Metric[]>(() => {
  const of = opened.value?.catalog;
  if (!of) return [];
  const { all, declared } = metricTable.value;
  if (declared.length > 0 && !of.hasTime && !of.hasMemory && !of.hasAwaits) return [...declared];
  return all.filter(({ group, source }) => (group === 'Memory' ? of.hasMemory : source !== 'await' || of.hasAwaits));
});
