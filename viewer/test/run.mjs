// SPDX-License-Identifier: Apache-2.0
// Bundles tests and runs them by node's own runner:
//   node test/run.mjs unit|browser|all [part of a name] [--junit FILE]
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const hasBrowser = [process.env.CHROMIUM, ...BROWSERS].some((path) => path && existsSync(path));

let tests = PLACES[kind].flatMap(filesBelow)
  .filter((name) => /_test\.tsx?$/.test(name) && name.includes(part));
if (tests.length === 0) throw new Error(`no ${kind} tests found`);
const out = join(folder, 'node_modules/.cache/tests', kind);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

// Tests that cannot run are seen as skipped, not as passed.
const others = [];
if (!hasBrowser && tests.some((name) => name.startsWith('test/browser'))) {
  tests = tests.filter((name) => !name.startsWith('test/browser'));
  others.push(join(out, 'no_browser.mjs'));
  const why = JSON.stringify('there is no chromium; CHROMIUM can name one');
  writeFileSync(others[0], `import { test } from 'node:test';\ntest('the page in a browser', { skip: ${why} });\n`);
}
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
const bundles = [...tests.map((name) => join(out, name.replace(/\.tsx?$/, '.mjs'))), ...others];
const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
if (junit) {
  reporters.push(`--test-reporter=${join(folder, 'test/junit.mjs')}`, `--test-reporter-destination=${junit}`);
}
const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...reporters, ...bundles], { stdio: 'inherit' });
process.exit(status ?? 1);
