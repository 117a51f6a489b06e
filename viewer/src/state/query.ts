// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { OVERTAKEN } from '../worker/client';
import type { Selection } from '../model/selection';
import type { Question, Questions } from '../worker/protocol';
import { opened } from './app';

export interface Answer<Out> {
  /**
   * The last answer: while a newer one is being made, it stays on the screen, unless its numbers
   * are of another metric or its rows of another kind, and would be read as what they are not.
   */
  output: Out | null;
  pending: boolean;
  error: string | null;
}

/** What the numbers and rows of an answer are of. */
function subjectOf(input: object | null): string {
  if (input === null || !('selection' in input)) return '';
  const { metric, by } = input.selection as Selection;
  return `${metric} ${by}`;
}

/**
 * Asks the worker, again whenever the question changes. null: nothing to ask. The channel is the
 * question's name unless two of its kind are shown at once.
 */
export function useQuery<Q extends Question>(
  question: Q,
  input: Questions[Q]['in'] | null,
  channel: string = question,
): Answer<Questions[Q]['out']> {
  const [answer, setAnswer] = useState<Answer<Questions[Q]['out']>>({ output: null, pending: true, error: null });
  const answered = useRef('');
  const latest = useRef('');
  const subject = subjectOf(input);
  const key = JSON.stringify(input);
  useEffect(() => {
    latest.current = key;
    if (input === null) return setAnswer({ output: null, pending: false, error: null });
    setAnswer((before) => ({ ...before, pending: true }));
    opened.peek()!.client.ask(question, input, channel).then(
      (output) => {
        if (latest.current !== key) return;
        answered.current = subject;
        setAnswer({ output, pending: false, error: null });
      },
      (reason: unknown) => {
        if (reason === OVERTAKEN || latest.current !== key) return;
        setAnswer({ output: null, pending: false, error: reason instanceof Error ? reason.message : String(reason) });
      },
    );
    return () => {
      latest.current = '';
    };
  }, [question, key, channel]);
  return answered.current === subject ? answer : { ...answer, output: null };
}
