// SPDX-License-Identifier: Apache-2.0
// TypeScript of the viewer for scripts that node runs as they are.
import { build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const folder = fileURLToPath(new URL('..', import.meta.url));

/** What `contents`, a module as if it stood in the viewer's folder, exports. */
export async function bundled(name, contents) {
  const outfile = join(folder, 'node_modules/.cache', `${name}.mjs`);
  await build({
    stdin: { contents, resolveDir: folder },
    bundle: true, outfile, format: 'esm', platform: 'node', external: ['playwright-core'], logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}
