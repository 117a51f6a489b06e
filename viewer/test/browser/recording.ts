// SPDX-License-Identifier: Apache-2.0
// Real recordings of the examples, made by the program itself: PYROMETER says which one, else that of the release build.
import { ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const ROOT = join(process.cwd(), '..');
const PROGRAM = process.env.PYROMETER ?? join(ROOT, 'build/release/bin/pyrometer');

/** Why there can be no recording; false: there can. What tests take as `skip`. */
export const noRecording = existsSync(PROGRAM) ? false : `no ${PROGRAM}: build it, or set PYROMETER`;

interface Recording {
  capture: string;
  /** What the page shows of it. */
  data: Uint8Array;
}

const known = new Map<string, Recording>();

/** The page's data of a run of an example, with these options of `pyrometer run`. */
export function recordExample(name: string, ...options: string[]): Uint8Array {
  return record(join(ROOT, 'examples', name), options).data;
}

/** `pyrometer view` of such a run; its first line is the address. */
export function viewExample(name: string, ...options: string[]): ChildProcessByStdio<null, Readable, null> {
  const { capture } = record(join(ROOT, 'examples', name), options);
  return spawn(PROGRAM, ['view', '--no-config', '--no-browser', capture], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The text of an example. */
export function exampleText(name: string): string {
  return readFileSync(join(ROOT, 'examples', name), 'utf8');
}

/** The same of a program given as text. */
export function recordProgram(text: string, name = 'program.py'): Uint8Array {
  const path = join(mkdtempSync(join(tmpdir(), 'program-')), name);
  writeFileSync(path, text);
  return record(path, []).data;
}

/** What the page shows of a file of another profiler. */
export function importText(text: string): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'imported-'));
  const [file, page] = [join(folder, 'profile.out'), join(folder, 'profile.data')];
  writeFileSync(file, text);
  run('export', '--no-config', '-f', 'page-data', '-o', page, file);
  return readFileSync(page);
}

function record(program: string, options: string[]): Recording {
  const key = [program, ...options].join(' ');
  let recording = known.get(key);
  if (!recording) {
    const folder = mkdtempSync(join(tmpdir(), 'recording-'));
    const capture = join(folder, 'run.pyro');
    const page = join(folder, 'run.data');
    run('run', '--no-report', '--no-config', ...options, '-o', capture, program);
    run('export', '--no-config', '-f', 'page-data', '-o', page, capture);
    known.set(key, (recording = { capture, data: readFileSync(page) }));
  }
  return recording;
}

function run(...words: string[]): void {
  const { status, stderr } = spawnSync(PROGRAM, words, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`pyrometer ${words.join(' ')}: ${stderr}`);
}
