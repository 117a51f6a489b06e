// SPDX-License-Identifier: Apache-2.0
// Entry of the worker: questions in, answers out, one after another.
import { DataError } from '../data/container';
import { NotThereYet, Profile } from '../data/profile';
import { answersTo } from './answers';
import type { Question, Request, Response } from './protocol';

const QUIET_MS = 1000;

const post = (response: Response, transfer: Transferable[] = []) =>
  (self as unknown as Worker).postMessage(response, transfer);

const restLoaders: (() => Promise<void>)[] = [];

const answers = answersTo((progress, share) => post({ progress, share }), (profile, loadRest) => {
  restLoaders.push(loadRest);
  setTimeout(readRest, QUIET_MS, profile, loadRest);
});

let lastQuestion = -Infinity;

/**
 * Columns that no view has asked for so far: the next view finds them read, and damage comes to light. One at a time,
 * and none while somebody waits for an answer.
 */
async function readRest(profile: Profile, loadRest: () => Promise<void>): Promise<void> {
  try {
    const isQuiet = performance.now() - lastQuestion >= QUIET_MS;
    if (isQuiet) await loadRest();
    if (!isQuiet || profile.readOneMore()) setTimeout(readRest, isQuiet ? 0 : QUIET_MS, profile, loadRest);
  } catch (error) {
    post({ broken: textOf(error) });
  }
}

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  const { id, question, input } = data;
  try {
    const output = await answer(question, input);
    post({ id, output }, buffersOf(output));
  } catch (error) {
    post({ id, error: textOf(error) });
  }
  lastQuestion = performance.now();
};

async function answer(question: Question, input: unknown): Promise<unknown> {
  const now = () => (answers[question] as (input: unknown) => unknown)(input);
  try {
    return await now();
  } catch (error) {
    if (!(error instanceof NotThereYet)) throw error;
    await Promise.all(restLoaders.map((load) => load()));
    return now();
  }
}

function textOf(error: unknown): string {
  return error instanceof DataError ? error.message : `something went wrong in the page: ${String(error)}`;
}

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
