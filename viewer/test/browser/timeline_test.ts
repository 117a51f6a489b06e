// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { demo } from '../demo';
import { ProfileBuilder } from '../synthetic';
import { openPage, startBrowser } from './page';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

const GUTTER = 208;

async function lanes(page: Page) {
  await page.waitForSelector('.timeline-lanes canvas');
  const { x, y, width, height } = (await page.locator('.timeline-lanes').boundingBox())!;
  return { left: x + GUTTER, top: y, width: width - GUTTER, height };
}

async function middleOf(page: Page, label: string) {
  const { y, height } = (await page.locator(`.lane-label:has-text("${label}")`).first().boundingBox())!;
  return y + height / 2;
}

const rangeOf = (page: Page) =>
  (/range=(\d+),(\d+)/.exec(decodeURIComponent(new URL(page.url()).hash)) ?? []).slice(1).map(Number);

test('rows for processes, threads, tasks, regions and memory', async () => {
  const { page, complaints } = await openPage(browser, demo(), { fragment: '#timeline' });
  await lanes(page);
  const text = (await page.textContent('.timeline-rows'))!;
  for (const label of ['4711', 'Memory', 'MainThread', 'regions', 'loop held by', 'pool_5', '8 tasks', 'request-8', '4733']) {
    assert.ok(text.includes(label), label);
  }
  assert.match((await page.textContent('.legend'))!, /Python.*GIL wait.*Garbage collection/);
  assert.deepEqual(complaints, []);
});

test('a drag selects a range for every view, and a chip clears it', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#timeline' });
  const { left, top, width } = await lanes(page);
  await page.mouse.move(left + width * 0.25, top + 200);
  await page.mouse.down();
  await page.mouse.move(left + width * 0.5, top + 210, { steps: 6 });
  await page.mouse.up();
  await page.waitForSelector('.chip');
  const [begin, end] = rangeOf(page);
  assert.ok(Math.abs(begin - 5e9) < 1e8 && Math.abs(end - 10e9) < 1e8, `${begin} ${end}`);
  // An edge can be moved afterwards.
  await page.mouse.move(left + width * 0.5, top + 300);
  await page.mouse.down();
  await page.mouse.move(left + width * 0.75, top + 300, { steps: 6 });
  await page.mouse.up();
  await page.waitForFunction(() => /range=\d+%2C15\d{9}/.test(location.hash));
  await page.click('#tab-table');
  await page.waitForSelector('.table-row');
  await page.click('[aria-label="Clear the time range"]');
  await page.waitForSelector('.chip', { state: 'detached' });
  assert.deepEqual(rangeOf(page), []);
});

test('keys zoom, move, select what is shown, and clear', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#timeline' });
  await lanes(page);
  await page.keyboard.press('w');
  await page.waitForFunction(() => location.hash.includes('timeline.zoom=3000000000_17000000000_0'));
  await page.keyboard.press('x');
  await page.waitForFunction(() => location.hash.includes('range=3000000000%2C17000000000'));
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => location.hash.includes('range=0%2C14000000000'));
  await page.keyboard.press('z');
  await page.waitForFunction(() => location.hash.includes('timeline.zoom=0_14000000000_0'));
  await page.keyboard.press('Escape');
  await page.waitForSelector('.chip', { state: 'detached' });
  await page.keyboard.press('0');
  await page.waitForFunction(() => !location.hash.includes('zoom'));
});

test('what a thread did at a moment, and what memory it had', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#timeline' });
  const { left, width } = await lanes(page);
  await page.mouse.move(left + width * 0.02, await middleOf(page, 'MainThread'));
  await page.waitForFunction(() => /<module>/.test(document.querySelector('.tooltip')?.textContent ?? ''));
  await page.mouse.move(left + width * 0.5, await middleOf(page, 'Memory'));
  await page.waitForFunction(() => /resident.*in use.*Python/.test(document.querySelector('.tooltip')?.textContent ?? ''));
  await page.mouse.move(left + width * 0.25, await middleOf(page, 'regions'));
  await page.waitForFunction(() => /request .*region/.test(document.querySelector('.tooltip')?.textContent ?? ''));
});

test('a task tells who has made it', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#timeline' });
  const { left, width } = await lanes(page);
  await page.mouse.move(left + width * 0.5, await middleOf(page, 'request-3'));
  await page.waitForFunction(() => /request-3Server\.handle.*made by Server\.serve:112/.test(document.querySelector('.tooltip')?.textContent ?? ''));
});

test('labels select threads and fold processes', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#timeline' });
  await lanes(page);
  await page.click('.lane-label.thread button:has-text("pool_2")');
  await page.waitForFunction(() => location.hash.includes('threads=3'));
  await page.click('.lane-label.thread button:has-text("pool_2")');
  await page.waitForFunction(() => !location.hash.includes('threads'));
  await page.click('.lane-label.process button:has-text("4711")');
  await page.waitForFunction(() => !document.querySelector('.timeline-rows')!.textContent!.includes('pool_2'));
  assert.ok((await page.textContent('.timeline-rows'))!.includes('4733'));
});

test('a thousand threads scroll, and only those on the screen exist', async () => {
  const builder = new ProfileBuilder();
  builder.process(1);
  for (let i = 0; i < 1000; ++i) builder.thread(0, `t${i}`, i === 0);
  for (let i = 0; i < 1000; ++i) builder.sample({ stack: '/a.py:f:1', thread: i, weight: 1e9 });
  const { page, complaints } = await openPage(browser, builder.finish(), { fragment: '#timeline' });
  await lanes(page);
  assert.ok((await page.locator('.lane-label').count()) < 60);
  await page.evaluate(() => { document.querySelector('.timeline-lanes')!.scrollTop = 30 * 900; });
  await page.waitForSelector('.lane-label:has-text("t905")');
  await page.waitForFunction(() => /timeline\.zoom=0_1000000000_27000/.test(location.hash));
  assert.deepEqual(complaints, []);
});
