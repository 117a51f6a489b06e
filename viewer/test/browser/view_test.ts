// SPDX-License-Identifier: Apache-2.0
// `pyrometer view`, from its start to the end of the page.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { readProfile } from '../../src/data/profile';
import { startBrowser } from './page';
import { noRecording, recordExample, viewExample } from './recording';

let browser: Browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser.close());

test('every column of a recording can be read, also of one without tasks', { skip: noRecording }, () => {
  const profile = readProfile(recordExample('pipeline.py'));
  while (profile.readOneMore());
  assert.equal(profile.task.rows, 0);
  assert.ok(profile.sample.rows > 0);
});

/** What has not come by then does not come. */
const soon = () => ({ signal: AbortSignal.timeout(30_000) });

/** The page of `pyrometer view`, when its first screen is there, and a way to close both. */
async function open(...run: [example: string, ...options: string[]]) {
  const view = viewExample(...run);
  const address = String((await once(view.stdout, 'data', soon()))[0]).trim();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  const rest = page.waitForResponse((response) => response.url().endsWith('/rest'));
  await page.goto(address);
  await page.waitForSelector('.app .places');
  const close = async () => {
    assert.deepEqual(complaints, []);
    const ended = once(view, 'exit', soon());
    await page.close();
    assert.deepEqual(await ended, [0, null]);
  };
  return { page, address, rest, close };
}

test('what is served is shown in every view, and stays when all of it has been read', { skip: noRecording }, async () => {
  const { page, address, rest, close } = await open('pipeline.py');
  // Asked for when nothing else is; then all columns are read, one after another.
  await rest;
  await page.waitForTimeout(1000);
  for (const [fragment, shown] of [
    ['summary', '.places'],
    ['source', '.source-main [role=grid]'],
    ['flame', '.flame-canvas canvas'],
    ['timeline', '.timeline-lanes[aria-busy=false] canvas'],
    ['calls', '[role=treeitem]'],
    ['graph', '.graph-canvas canvas'],
    ['memory', '.flame-canvas canvas'],
    ['table', '[role=row] [role=gridcell]'],
  ]) {
    await page.goto(`${address}#${fragment}`);
    await page.waitForSelector(shown, { timeout: 10_000 });
    assert.equal(await page.locator('[role=alert]').count(), 0, fragment);
  }
  await close();
});

test('a recording without any sample of time is shown', { skip: noRecording }, async () => {
  const { page, rest, close } = await open('pipeline.py', '--memory-only');
  await rest;
  assert.match((await page.textContent('.summary'))!, /Most memory at peak/);
  await close();
});
