// SPDX-License-Identifier: Apache-2.0
// The pictures of the guide: node test/browser/pictures.mjs FOLDER PAGE.html#view=NAME...
// tools/page_pictures makes the pages and calls it.
import { chromium } from 'playwright-core';
import { join, resolve } from 'node:path';

const [folder, ...wishes] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
for (const wish of wishes) {
  const [, file, fragment, name] = /^(.*\.html)(#.*)=(\w+)$/.exec(wish);
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(`file://${resolve(file)}${fragment}`);
  await page.waitForSelector('.app');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(folder, `page-${name}.png`) });
  await page.close();
}
await browser.close();
