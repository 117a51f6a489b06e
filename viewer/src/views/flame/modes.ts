// SPDX-License-Identifier: Apache-2.0

export const MODES = [
  { value: 'left', title: 'Left heavy', hint: 'equal stacks together, heaviest to the left (l)' },
  { value: 'chart', title: 'Chart', hint: 'one thread in order of time (t)' },
  { value: 'inverted', title: 'Inverted', hint: 'who had the time, and who called them (i)' },
  { value: 'sandwich', title: 'Sandwich', hint: 'callers and callees of one function (b)' },
] as const;

export type Mode = (typeof MODES)[number]['value'];
