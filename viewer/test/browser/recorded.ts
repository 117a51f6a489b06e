// SPDX-License-Identifier: Apache-2.0
// Real profiles: programs of examples/, recorded at the time of the test.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(process.cwd(), '..');
const binary = process.env.PYROMETER ?? join(root, 'build/release/bin/pyrometer');

/** Why nothing can be recorded; false: it can. As node:test wants it. */
export const cannotRecord: string | false = existsSync(binary) ? false : `no ${binary}: PYROMETER names another one`;

export function example(name: string): string {
  return join(root, 'examples', name);
}

/** What the page shows of a run of this program. */
export function record(program: string): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
  const [capture, data] = [join(folder, 'run.pyro'), join(folder, 'run.data')];
  execFileSync(binary, ['run', '--no-report', '-o', capture, program], { stdio: 'pipe' });
  execFileSync(binary, ['export', '-f', 'page-data', '-o', data, capture], { stdio: 'pipe' });
  return readFileSync(data);
}
