// SPDX-License-Identifier: Apache-2.0
// The state of the page in its address, so that back, forward, reload and a sent link restore it.
import { batch, effect } from '@preact/signals';
import type { Catalog } from '../model/catalog';
import { EVERYTHING, Selection } from '../model/selection';
import { chosen, metrics, options, selection, view } from './app';

export interface State {
  view: string;
  selection: Selection;
  chosen: number;
  options: Record<string, string>;
}

/** "#flame?metric=cpu&threads=1,2&flame.mode=inverted": only what differs from the start. */
export function fragmentOf(state: State): string {
  const parameters = new URLSearchParams();
  const { metric, processes, threads, tasks, range, frames, by, collapse, search } = state.selection;
  if (metric !== EVERYTHING.metric) parameters.set('metric', metric);
  if (processes.length > 0) parameters.set('processes', processes.join(','));
  if (threads.length > 0) parameters.set('threads', threads.join(','));
  if (tasks.length > 0) parameters.set('tasks', tasks.join(','));
  if (range) parameters.set('range', `${range.begin},${range.end}`);
  if (frames !== EVERYTHING.frames) parameters.set('frames', frames);
  if (by !== EVERYTHING.by) parameters.set('by', by);
  if (collapse) parameters.set('collapse', '1');
  if (search) parameters.set('search', search);
  if (state.chosen >= 0) parameters.set('chosen', String(state.chosen));
  for (const [name, value] of Object.entries(state.options).sort()) parameters.set(name, value);
  const query = parameters.toString();
  return `#${state.view}${query ? `?${query}` : ''}`;
}

/** What it can make of a fragment: an address may be old, cut or invented. `metrics`: those that there are, the usual one first. */
export function stateOf(fragment: string, views: readonly string[], metrics: readonly string[]): State {
  const [name = '', query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const oneOf = <T extends string>(key: string, allowed: readonly T[], otherwise: T): T =>
    allowed.find((value) => value === parameters.get(key)) ?? otherwise;
  const indices = (key: string) =>
    (parameters.get(key) ?? '').split(',').filter((text) => /^\d{1,9}$/.test(text)).map(Number);
  const range = /^(\d{1,15}),(\d{1,15})$/.exec(parameters.get('range') ?? '');
  const chosenText = parameters.get('chosen') ?? '';
  const ofViews = [...parameters].filter(([key]) => key.includes('.'));
  return {
    view: views.includes(name) ? name : (views[0] ?? ''),
    selection: {
      metric: oneOf('metric', metrics, metrics[0] ?? EVERYTHING.metric),
      processes: indices('processes'),
      threads: indices('threads'),
      tasks: indices('tasks'),
      range: range && Number(range[1]) < Number(range[2]) ? { begin: Number(range[1]), end: Number(range[2]) } : null,
      frames: oneOf('frames', ['mixed', 'python', 'native', 'both'], EVERYTHING.frames),
      by: oneOf('by', ['function', 'line'], EVERYTHING.by),
      collapse: parameters.get('collapse') === '1',
      search: parameters.get('search') ?? '',
    },
    chosen: /^\d{1,9}$/.test(chosenText) ? Number(chosenText) : -1,
    options: Object.fromEntries(ofViews),
  };
}

// Steps that follow each other this fast are one step back, if they are of a kind that comes in
// many: the wheel, a drag, typing, keys that walk through rows.
const ONE_STEP_MS = 700;

/** The state without what changes in many small steps. */
export function coarse(state: State): string {
  const settled = Object.entries(state.options).filter(([name]) => !/\.(zoom|at)$/.test(name));
  return fragmentOf({
    ...state,
    chosen: -1,
    selection: { ...state.selection, range: null, search: '' },
    options: Object.fromEntries(settled),
  });
}

/** An address may come from another profile: what this one does not have is not selected. */
export function existing(state: State, { processes, threads, tasks, functions }: Catalog): State {
  const below = (indices: number[], count: number) => indices.filter((index) => index < count);
  return {
    ...state,
    chosen: state.chosen < functions.name.length ? state.chosen : -1,
    selection: {
      ...state.selection,
      processes: below(state.selection.processes, processes.length),
      threads: below(state.selection.threads, threads.length),
      tasks: below(state.selection.tasks, tasks.length),
    },
  };
}

/** Ties the state to the address, both ways, from now on. */
export function followAddress(views: readonly string[], catalog: Catalog): void {
  // The state that the address stands for, and the address as the browser spells it.
  let written = '';
  let spelled: string | null = null;
  let coarseBefore = '';
  let lastChange = -Infinity;
  const restore = () => {
    if (location.hash === spelled) return;
    spelled = location.hash;
    const state = existing(stateOf(location.hash, views, metrics.peek().map(({ name }) => name)), catalog);
    // Set first, so that restoring is not taken for a change by the user.
    written = fragmentOf(state);
    coarseBefore = coarse(state);
    batch(() => {
      view.value = state.view;
      selection.value = state.selection;
      chosen.value = state.chosen;
      options.value = state.options;
    });
  };
  restore();
  window.addEventListener('popstate', restore);
  window.addEventListener('hashchange', restore);
  effect(() => {
    const state = { view: view.value, selection: selection.value, chosen: chosen.value, options: options.value };
    const fragment = fragmentOf(state);
    if (fragment === written) return;
    const now = performance.now();
    write(fragment, now - lastChange < ONE_STEP_MS && coarse(state) === coarseBefore);
    coarseBefore = coarse(state);
    lastChange = now;
    written = fragment;
    spelled = location.hash;
  });
}

function write(fragment: string, replace: boolean): void {
  try {
    if (replace) history.replaceState(null, '', fragment);
    else history.pushState(null, '', fragment);
  } catch {
    // Some frames forbid it; the page works without.
  }
}
