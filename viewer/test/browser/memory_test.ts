// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { demo } from '../demo';
import { openAddress, openPage, startBrowser, writePage } from './page';
import { noRecording, recordExample } from './recording';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

test('amounts by key and by click; parts, sizes and types', async () => {
  const { page, complaints } = await openPage(browser, demo(), { fragment: '#memory' });
  await page.waitForSelector('.memory .flame-canvas canvas');
  await page.waitForSelector('.memory-levels canvas');
  const sum = () => page.textContent('.memory-sum strong');
  await page.waitForSelector('.memory-sum');
  const atPeak = await sum();
  assert.equal(await page.locator('h3:has-text("Types")').count(), 0);
  await page.click('button:has-text("Live at exit")');
  await page.waitForFunction((before) => document.querySelector('.memory-sum strong')?.textContent !== before, atPeak);
  assert.match((await page.textContent('.memory-panel'))!, /By kind.*Python.*Types of what is left.*dict.*By thread.*MainThread/s);
  await page.keyboard.press('x');
  await page.waitForFunction(() => location.hash.includes('memory.amount=temporary'));
  await page.keyboard.press('i');
  await page.waitForFunction(() => location.hash.includes('memory.order=inverted'));
  assert.deepEqual(complaints, []);
});

test('allocated obeys the time range, what is live at one moment says that it does not', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#memory?memory.amount=allocated' });
  await page.waitForSelector('.memory-sum');
  const whole = await page.textContent('.memory-sum strong');
  await page.goto(`${page.url()}&range=1000000000,3000000000`);
  await page.waitForFunction((before) => document.querySelector('.memory-sum strong')?.textContent !== before, whole);
  assert.equal(await page.locator('.memory-sum .tag').count(), 0);
  await page.click('button:has-text("Live at peak")');
  await page.waitForSelector('.memory-sum .tag');
});

test('a box that is clicked leads to its source', async () => {
  const { page, complaints } = await openPage(browser, demo(), { fragment: '#memory' });
  await page.waitForSelector('.memory .flame-canvas canvas');
  await page.click('.memory .flame-canvas', { position: { x: 60, y: 30 } });
  await page.waitForSelector('.memory-panel h3:has-text("Chosen")');
  await page.click('.memory-panel .place');
  await page.waitForSelector('.code-row');
  assert.deepEqual(complaints, []);
});

test('without memory one line says how to record it', { skip: noRecording }, async () => {
  const data = recordExample('pipeline.py', '--cpu-only');
  const { page, complaints } = await openAddress(browser, `file://${writePage(data)}`, { fragment: '#memory' });
  assert.match((await page.textContent('#view'))!, /not recorded in this run.*--cpu-only/);
  assert.deepEqual(complaints, []);
});

test('recorded memory: levels with a peak, and all four amounts', { skip: noRecording }, async () => {
  const data = recordExample('clients.py');
  const { page, complaints } = await openAddress(browser, `file://${writePage(data)}`, { fragment: '#memory' });
  await page.waitForSelector('.memory-levels canvas');
  assert.match((await page.getAttribute('.memory-levels canvas', 'aria-label'))!, /peak [\d.]+ MB at/);
  for (const title of ['Allocated', 'Live at exit', 'Temporary']) {
    await page.click(`.memory button:has-text("${title}")`);
    await page.waitForSelector(`.memory button[aria-pressed="true"]:has-text("${title}")`);
    await page.waitForSelector('.memory .flame-canvas canvas');
  }
  await page.hover('.memory-levels canvas', { position: { x: 300, y: 80 } });
  await page.waitForSelector('.tooltip:has-text("resident")');
  assert.deepEqual(complaints, []);
});
