// SPDX-License-Identifier: Apache-2.0
// Rows of one height of which only those on the screen exist: which these are, and how keys and jumps move them.

/** Rows on the screen and some more to both sides, so that scrolling has them ready. */
export function rowsToMake(scroll: number, height: number, rowHeight: number, count: number, more: number): { first: number; last: number } {
  return {
    first: Math.max(0, Math.floor(scroll / rowHeight) - more),
    last: Math.min(count, Math.ceil((scroll + height) / rowHeight) + more),
  };
}

/** Moved as little as needed to see a row in `room` pixels. */
export function scrolledTo(row: number, scroll: number, room: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scroll) return top;
  return top + rowHeight > scroll + room ? top + rowHeight - room : scroll;
}

/** The same for a step; what jumps from far away comes into the upper third, with room to read on. */
export function scrolledNear(row: number, scroll: number, room: number, rowHeight: number): number {
  const top = row * rowHeight;
  const isStep = top > scroll - 2 * rowHeight && top < scroll + room + rowHeight;
  const isSeen = top >= scroll && top <= scroll + room - rowHeight;
  return isStep || isSeen ? scrolledTo(row, scroll, room, rowHeight) : Math.max(0, top - room / 3);
}

/** The row that a key leads to from another one (-1: from before the first); undefined: no such key. */
export function rowOfKey(key: string, from: number, count: number, height: number, rowHeight: number): number | undefined {
  const screenful = Math.max(1, Math.floor(height / rowHeight) - 2);
  const targets: Record<string, number> = {
    ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + screenful, PageUp: from - screenful, Home: 0, End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}
