// SPDX-License-Identifier: Apache-2.0
// Bundles tests and runs them by node's own runner:
//   node test/run.mjs unit|browser|all [part of a name] [--junit FILE]
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const option = words.indexOf('--junit');
const [, junit] = option < 0 ? [] : words.splice(option, 2);
const [kind = 'unit', part = ''] = words;
const PLACES = { unit: ['src'], browser: ['test/browser'], all: ['src', 'test/browser'] };

function filesBelow(path) {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const name = join(path, entry.name);
    return entry.isDirectory() ? filesBelow(name) : [name];
  });
}

const tests = PLACES[kind].flatMap(filesBelow)
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
const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
if (junit) {
  reporters.push(`--test-reporter=${join(folder, 'test/junit.mjs')}`, `--test-reporter-destination=${junit}`);
}
const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...reporters, ...bundles], { stdio: 'inherit' });
process.exit(status ?? 1);
