// SPDX-License-Identifier: Apache-2.0
// Which layer each box of a graph is in.
import type { Link } from './layers';

/** Links that close a cycle, seen in a walk from box to box: those without callers first, then as they stand. */
export function backLinks(count: number, links: Link[]): boolean[] {
  const out: number[][] = Array.from({ length: count }, () => []);
  const callers = new Uint32Array(count);
  links.forEach(({ from, to }, i) => {
    if (from === to) return;
    out[from].push(i);
    ++callers[to];
  });
  for (const list of out) list.sort((a, b) => links[b].weight - links[a].weight || a - b);
  const back = links.map(() => false);
  const OPEN = 1;
  const DONE = 2;
  const state = new Uint8Array(count);
  const next = new Uint32Array(count);
  const starts = Array.from({ length: count }, (_, i) => i).sort((a, b) => Math.min(1, callers[a]) - Math.min(1, callers[b]) || a - b);
  for (const start of starts) {
    if (state[start] !== 0) continue;
    const path = [start];
    state[start] = OPEN;
    while (path.length > 0) {
      const at = path[path.length - 1];
      if (next[at] === out[at].length) {
        state[at] = DONE;
        path.pop();
        continue;
      }
      const link = out[at][next[at]++];
      const to = links[link].to;
      if (state[to] === OPEN) back[link] = true;
      else if (state[to] === 0) {
        state[to] = OPEN;
        path.push(to);
      }
    }
  }
  return back;
}

/** Below the lowest caller; a box without callers right above its highest callee. */
export function ranks(count: number, down: Link[]): number[] {
  const rank = new Array<number>(count).fill(0);
  const out: number[][] = Array.from({ length: count }, () => []);
  const waiting = new Uint32Array(count);
  const hasCaller = new Uint8Array(count);
  for (const { from, to } of down) {
    if (from === to) continue;
    out[from].push(to);
    ++waiting[to];
    hasCaller[to] = 1;
  }
  const ready: number[] = [];
  for (let i = 0; i < count; ++i) if (waiting[i] === 0) ready.push(i);
  for (let i = 0; i < ready.length; ++i) {
    for (const to of out[ready[i]]) {
      rank[to] = Math.max(rank[to], rank[ready[i]] + 1);
      if (--waiting[to] === 0) ready.push(to);
    }
  }
  for (let i = 0; i < count; ++i) {
    if (hasCaller[i] === 0 && out[i].length > 0) rank[i] = Math.min(...out[i].map((to) => rank[to])) - 1;
  }
  return rank;
}
