// SPDX-License-Identifier: Apache-2.0
// What the recording says about itself, in words.
import type { CounterId } from '../../data/schema';
import type { Counter } from '../../model/report';
import { formatCount, formatTime } from '../../text/amount';

const NOTE: CounterId = 'note';

/** "3 threads not sampled", "1.2 s CPU time in other programs". */
export function counterText({ isTime, value, text }: Counter): string {
  return `${isTime ? formatTime(value) : formatCount(value)} ${text}`;
}

/** A note is a sentence by itself, or a figure with its words. */
export function noteText(note: Counter): string {
  return note.id === NOTE ? note.text : counterText(note);
}
