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

/** The page, in one file, of a program given as text, compared with a run of an example. */
export function compareWithExample(text: string, name: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'program-')), name);
  writeFileSync(path, text);
  return comparePage(record(path, []).capture, record(join(ROOT, 'examples', name), []).capture);
}

/** The same of two files of another profiler, given as text. */
export function compareTexts(text: string, base: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'imported-'));
  const [now, then] = [text, base].map((content, i) => {
    const file = join(folder, `profile${i}.out`);
    writeFileSync(file, content);
    return file;
  });
  return comparePage(now, then);
}

function comparePage(now: string, base: string): string {
  const page = join(mkdtempSync(join(tmpdir(), 'compared-')), 'page.html');
  run('export', '--no-config', '-f', 'html', '--base', base, '-o', page, now);
  return page;
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
