// SPDX-License-Identifier: Apache-2.0
// Screenshots of the page, to look at: [DATA=file] node test/browser/shoot.mjs FOLDER [fragment...]
// DATA: what `pyrometer export -f page-data` wrote; without it an invented profile.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundled } from '../bundled.mjs';

const [out = 'shots', ...fragments] = process.argv.slice(2);
const { demo, openAddress, openPage, startBrowser, writePage } = await bundled(
  'shoot', "export * from './test/browser/page'; export { demo } from './test/demo';");
mkdirSync(out, { recursive: true });
const browser = await startBrowser();
const looks = [{ name: 'light' }, { name: 'dark', dark: true }, { name: 'phone', width: 390, height: 844 }];
for (const fragment of fragments.length ? fragments : ['#flame']) {
  for (const look of looks) {
    const { page, complaints } = process.env.DATA
      ? await openAddress(browser, `file://${writePage(readFileSync(process.env.DATA))}`, { fragment, ...look })
      : await openPage(browser, demo(), { fragment, ...look });
    await page.waitForTimeout(400);
    const name = `${fragment.replace(/[^\w]+/g, '_').slice(0, 60)}-${look.name}.png`;
    await page.screenshot({ path: join(out, name) });
    console.log(name, ...complaints);
    await page.context().close();
  }
}
await browser.close();
