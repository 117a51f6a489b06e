// SPDX-License-Identifier: Apache-2.0
// The rows of the timeline from top to bottom, and which of them are on the screen.
import type { Catalog } from '../../model/catalog';
import type { Levels, Spans } from '../../model/timeline';

export type Row = { id: string; top: number; height: number } & (
  | { kind: 'process'; process: number; isOpen: boolean }
  | { kind: 'memory'; process: number }
  | { kind: 'thread'; thread: number }
  | { kind: 'regions' | 'blocks'; thread: number; spans: number[]; levels: Uint8Array; depth: number }
  | { kind: 'tasks'; process: number; count: number; isOpen: boolean }
  | { kind: 'task'; task: number }
);

export const HEIGHTS = { process: 26, memory: 64, thread: 30, span: 18, tasks: 24, task: 20 } as const;

const TASKS_SHOWN_AT_FIRST = 12;
const MOST_LEVELS = 4;

export interface Facts {
  regions: Spans;
  blocks: Spans;
  levels: Levels;
}

type Content = Row extends infer One ? (One extends Row ? Omit<One, 'top'> : never) : never;

/** `toggled`: ids of what the user has opened or closed, against what it is at first. */
export function rowsOf(catalog: Catalog, facts: Facts, toggled: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  let top = 0;
  const add = (row: Content) => {
    rows.push({ ...row, top } as Row);
    top += row.height;
  };
  const regions = spansByThread(facts.regions);
  const blocks = spansByThread(facts.blocks);
  const withLevels = new Set(facts.levels.process);
  const threadsOf = listsBy(catalog.threads.map(({ process }) => process));
  const tasksOf = listsBy(catalog.tasks.map(({ process }) => process));
  const several = catalog.processes.length > 1;

  catalog.processes.forEach((_, process) => {
    const id = `p${process}`;
    const isOpen = !toggled.has(id);
    if (several) add({ id, kind: 'process', height: HEIGHTS.process, process, isOpen });
    if (!isOpen) return;
    if (withLevels.has(process)) add({ id: `m${process}`, kind: 'memory', height: HEIGHTS.memory, process });
    const threads = (threadsOf.get(process) ?? []).sort((a, b) => Number(catalog.threads[b].main) - Number(catalog.threads[a].main));
    for (const thread of threads) {
      add({ id: `t${thread}`, kind: 'thread', height: HEIGHTS.thread, thread });
      for (const [kind, all, mine] of [['regions', facts.regions, regions], ['blocks', facts.blocks, blocks]] as const) {
        const spans = mine.get(thread);
        if (!spans) continue;
        const { levels, depth } = levelsOfSpans(all, spans);
        add({ id: `${kind}${thread}`, kind, height: depth * HEIGHTS.span + 2, thread, spans, levels, depth });
      }
    }
    const tasks = tasksOf.get(process) ?? [];
    if (tasks.length === 0) return;
    const tasksId = `k${process}`;
    const tasksOpen = tasks.length <= TASKS_SHOWN_AT_FIRST !== toggled.has(tasksId);
    add({ id: tasksId, kind: 'tasks', height: HEIGHTS.tasks, process, count: tasks.length, isOpen: tasksOpen });
    if (tasksOpen) for (const task of tasks) add({ id: `task${task}`, kind: 'task', height: HEIGHTS.task, task });
  });
  return rows;
}

/** Rows that are at least partly between two heights. */
export function visibleRows(rows: readonly Row[], from: number, to: number): Row[] {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle].top + rows[middle].height > from) high = middle;
    else low = middle + 1;
  }
  let end = low;
  while (end < rows.length && rows[end].top < to) ++end;
  return rows.slice(low, end);
}

export function heightOf(rows: readonly Row[]): number {
  const last = rows[rows.length - 1];
  return last ? last.top + last.height : 0;
}

function listsBy(keys: number[]): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  keys.forEach((key, i) => {
    const list = lists.get(key);
    if (list) list.push(i);
    else lists.set(key, [i]);
  });
  return lists;
}

/** In order of their beginning; the longer one first, so that it is the outer one. */
function spansByThread(spans: Spans): Map<number, number[]> {
  const lists = listsBy([...spans.thread]);
  for (const list of lists.values()) {
    list.sort((a, b) => spans.begin[a] - spans.begin[b] || spans.length[b] - spans.length[a]);
  }
  return lists;
}

/** A level for each span, so that no two of a level overlap; from a certain depth on they do. */
export function levelsOfSpans(spans: Spans, order: number[]): { levels: Uint8Array; depth: number } {
  const levels = new Uint8Array(order.length);
  const free: number[] = [];
  order.forEach((span, i) => {
    let level = free.findIndex((time) => time <= spans.begin[span]);
    if (level < 0) level = Math.min(free.length, MOST_LEVELS - 1);
    free[level] = Math.max(free[level] ?? 0, spans.begin[span] + spans.length[span]);
    levels[i] = level;
  });
  return { levels, depth: Math.max(1, free.length) };
}
