// SPDX-License-Identifier: Apache-2.0
// Makes dist/page.html: one file with its script, its worker, its style, and hashes of them in its policy.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const LIMIT_BYTES = 400 * 1024;
const folder = fileURLToPath(new URL('.', import.meta.url));

async function bundle(entry, define = {}) {
  const result = await build({
    entryPoints: [folder + entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    charset: 'ascii',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"', ...define },
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

/** Inside an element of HTML: a script or style must not contain what ends it. */
function inline(text) {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error('the bundle contains what would end its element');
  return text;
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const worker = await bundle('src/worker/main.ts');
const script = inline(await bundle('src/main.tsx', { WORKER_CODE: JSON.stringify(worker) }));
const style = inline(await bundle('src/style/page.css'));
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  'worker-src blob:',
  'img-src data: blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

// Functions as replacements: the texts may contain "$&".
const template = await readFile(folder + 'src/page.html', 'utf8');
const page = template
  .replace('{{POLICY}}', () => policy)
  .replace('{{STYLE}}', () => style)
  .replace('{{SCRIPT}}', () => script);
if (page.split('<!--DATA-->').length !== 2) throw new Error('the page must have one place for the data');
if (page.length > LIMIT_BYTES) throw new Error(`the page has ${page.length} bytes, more than ${LIMIT_BYTES}`);
await mkdir(folder + 'dist', { recursive: true });
await writeFile(folder + 'dist/page.html', page);
console.log(`dist/page.html: ${page.length} bytes`);
