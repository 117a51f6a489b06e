// SPDX-License-Identifier: Apache-2.0
// What the steps of the model cost at full size: node test/bench.mjs [samples stacks]
import { build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const entry = join(folder, 'node_modules/.cache/bench.mjs');
await build({
  entryPoints: [join(folder, 'test/bench_model.ts')],
  bundle: true, outfile: entry, format: 'esm', platform: 'node', logLevel: 'warning',
});
await import(pathToFileURL(entry).href);
