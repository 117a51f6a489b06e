// SPDX-License-Identifier: Apache-2.0
// The pictures of the guide: node test/browser/pictures.mjs FOLDER PAGE.html#view=NAME...
// tools/page_pictures makes the pages and calls it.
import { join, resolve } from 'node:path';
import { bundled } from '../bundled.mjs';

const { openAddress, startBrowser } = await bundled('pictures', "export * from './test/browser/page';");
const [out, ...wishes] = process.argv.slice(2);
const browser = await startBrowser();
for (const wish of wishes) {
  const [, file, fragment, name] = /^(.*\.html)(#.*)=(\w+)$/.exec(wish);
  const { page, complaints } = await openAddress(browser, `file://${resolve(file)}`, { fragment, width: 1280, height: 800 });
  await page.waitForTimeout(1500);
  if (complaints.length > 0) throw new Error(`${name}: ${complaints.join('; ')}`);
  await page.screenshot({ path: join(out, `page-${name}.png`) });
  await page.context().close();
}
await browser.close();
