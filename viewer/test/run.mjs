// SPDX-License-Identifier: Apache-2.0
// Bundles tests and runs them by node's own runner: node test/run.mjs unit|browser [part of a name]
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const [kind = 'unit', part = ''] = process.argv.slice(2);

function filesBelow(path) {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const name = join(path, entry.name);
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

const tests = filesBelow(kind === 'unit' ? 'src' : 'test/browser')
  .filter((name) => /_test\.tsx?$/.test(name) && name.includes(part));
if (tests.length === 0) throw new Error(`no ${kind} tests found`);
const out = join(folder, 'node_modules/.cache/tests', kind);
rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => join(folder, name)),
  bundle: true,
  outdir: out,
  outbase: folder,
  format: 'esm',
  platform: 'node',
  target: 'node18',
  sourcemap: 'inline',
  outExtension: { '.js': '.mjs' },
  external: ['playwright-core'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
});
const bundles = tests.map((name) => join(out, name.replace(/\.tsx?$/, '.mjs')));
const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...bundles], { stdio: 'inherit' });
process.exit(status ?? 1);
