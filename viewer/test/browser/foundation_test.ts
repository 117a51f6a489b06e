// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { demo } from '../demo';
import { oneThread, ProfileBuilder } from '../synthetic';
import { openAddress, openPage, startBrowser, writePage } from './page';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

test('the page opens without requests, complaints or violations of its policy', async () => {
  const { page, complaints } = await openPage(browser, demo(), { fragment: '#flame' });
  assert.equal(await page.textContent('h1 bdi'), 'python -m app.main --port 8080');
  await page.waitForSelector('.flame-canvas canvas');
  assert.deepEqual(complaints, []);
});

test('the policy stops what does not belong to the page', async () => {
  const { page, complaints } = await openPage(browser, demo());
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.intruded = true';
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => 'intruded' in window), false);
  assert.match(complaints.join(), /Content Security Policy/);
});

test('views by tab, by key, and by back and forward', async () => {
  const { page, complaints } = await openPage(browser, demo());
  await page.click('#tab-table');
  await page.waitForSelector('.table-row');
  assert.match(page.url(), /#table$/);
  await page.selectOption('.metric', 'cpu');
  assert.match(page.url(), /#table\?metric=cpu$/);
  const metricIs = (id: string) =>
    page.waitForFunction((wanted) => document.querySelector<HTMLSelectElement>('.metric')!.value === wanted, id);
  await page.goBack();
  await metricIs('time');
  await page.goForward();
  await metricIs('cpu');
  await page.keyboard.press('?');
  await page.waitForSelector('.help[open]');
  assert.match((await page.textContent('.help'))!, /Zoom|Next metric/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.help', { state: 'detached' });
  assert.deepEqual(complaints, []);
});

test('an address restores the view exactly', async () => {
  const fragment = '#table?metric=cpu&threads=1%2C2&by=line&search=insert&table.order=up&table.sort=name';
  const { page } = await openPage(browser, demo(), { fragment });
  await page.waitForSelector('.table-row');
  assert.equal(await page.inputValue('.metric'), 'cpu');
  assert.equal(await page.inputValue('.search input'), 'insert');
  await page.waitForFunction(() => document.querySelectorAll('.table-row').length === 1);
  assert.match((await page.textContent('.table-row'))!, /Table\.insert:79/);
  assert.equal(new URL(page.url()).hash, fragment);
});

test('a search says what all matches have together', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#table' });
  await page.waitForSelector('.table-row');
  await page.waitForSelector('.table-row');
  await page.keyboard.press('/');
  await page.waitForSelector('.search input:focus');
  await page.keyboard.type('zlib|insert');
  await page.waitForFunction(() => /^2 found · [\d.]+ s · [\d.]+ %$/.test(document.querySelector('.search-result')!.textContent!));
  assert.equal(await page.locator('.table-row').count(), 2);
});

test('a table is sorted by its headers, walked by keys and saved as CSV', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#table' });
  await page.waitForSelector('.table-row');
  await page.click('text=Total >> nth=0');
  await page.focus('.table');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.getAttribute('.table-row >> nth=1', 'aria-selected'), 'true');
  await page.click('text=Export');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as CSV')]);
  assert.equal(download.suggestedFilename(), 'pyrometer-table.csv');
});

test('names that attack appear as text and run nothing', async () => {
  const builder = new ProfileBuilder();
  const names = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '\u202eevil', 'nul\0byte', 'x'.repeat(10_240), '</script><!--'];
  builder.thread(builder.process(1, names[1]), names[0], true);
  builder.thread(0, names[2]);
  builder.page.title = names[0];
  for (const name of names) {
    const owner = builder.function(`/tmp/${name}.py`, name);
    const frame = builder.add('frame', { function: owner, line: 1, native_file: 0, native_line: 0 });
    const stack = builder.add('stack', { parent: 0, frame, flags: 0 });
    builder.page.end_ns += 10;
    builder.add('sample', { time: builder.page.end_ns, thread: 0, stack, activity: 0, weight: 10, count: 1, task: 0 });
  }
  const { page, complaints } = await openPage(browser, builder.finish(), { fragment: '#table' });
  await page.waitForSelector('.table-row');
  const text = (await page.textContent('.table'))!;
  for (const shown of [names[0], names[1], '⟨U+202E⟩evil', 'nul␀byte', '(10240 characters)']) assert.ok(text.includes(shown), shown);
  assert.equal(await page.locator('img').count(), 0);
  await page.click('#tab-flame');
  await page.waitForSelector('.flame-canvas canvas');
  assert.deepEqual(complaints, []);
});

test('damaged data are a message', async () => {
  const { page } = await openAddress(browser, `file://${writePage(Uint8Array.of(1, 2, 3))}`);
  assert.match((await page.textContent('.error'))!, /cannot be shown: these are not the data/);
});

test('damage in what no view has asked for is a message, too', async () => {
  const source = oneThread().sample({ stack: 'a.py:f:1', weight: 5e6 }).finish();
  source.tables.sample.task = [7];
  const { page } = await openPage(browser, source);
  await page.waitForSelector('.opening .error');
  assert.match((await page.textContent('.error'))!, /cannot be shown: section sample\.task has a value out of bounds/);
});
