// SPDX-License-Identifier: Apache-2.0
// Entry of the worker: questions in, answers out, one after another.
import { DataError } from '../data/container';
import { answersTo } from './answers';
import type { Request, Response } from './protocol';

const post = (response: Response, transfer: Transferable[] = []) =>
  (self as unknown as Worker).postMessage(response, transfer);

const answers = answersTo((progress, share) => post({ progress, share }));

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  const { id, question, input } = data;
  try {
    const output = await (answers[question] as (input: unknown) => unknown)(input);
    post({ id, output }, buffersOf(output));
  } catch (error) {
    const text = error instanceof DataError ? error.message : `something went wrong in the page: ${String(error)}`;
    post({ id, error: text });
  }
};

/**
 * The arrays of an answer move to the page instead of being copied. So an answer must never share
 * arrays with what the worker keeps. Lists of plain values are long and have none.
 */
function buffersOf(output: unknown): Transferable[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown) => {
    if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
    else if (Array.isArray(value)) typeof value[0] === 'object' && value.forEach(visit);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(output);
  return [...found];
}
