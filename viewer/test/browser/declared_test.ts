// SPDX-License-Identifier: Apache-2.0
// What only the recording knows how to count is in all views, without a word about it in the viewer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { oneThread } from '../synthetic';
import { openAddress, openPage, startBrowser } from './page';
import { compareTexts, noRecording } from './recording';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

/** Two events of valgrind: instructions, and misses of the first cache. */
const callgrind = (misses: number) => `# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 7
cmd: /bin/t
events: Ir L1m
fl=app.py
fn=main
5 10 2
cfn=work
calls=1 1
5 90 ${misses}
fn=work
2 90 ${misses}
`;

const view = (page: Page, id: string) => page.click(`#tab-${id}`);
/** The flame graph as text. */
async function flameOf(page: Page): Promise<string> {
  await view(page, 'flame');
  await page.waitForSelector('.flame-canvas canvas');
  await page.click('text=Export');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as SVG')]);
  return readFileSync((await download.path())!, 'utf8');
}
const rowOf = async (page: Page, name: string) => (await page.locator('.table-row', { hasText: name }).textContent())!;

test('a profile of nothing else opens with its first metric, and every view has them', { skip: noRecording }, async () => {
  const address = `file://${compareTexts(callgrind(30), callgrind(7))}`;
  const { page, complaints } = await openAddress(browser, address);
  await page.waitForSelector('.verdicts li');
  const selector = page.locator('select.metric');
  assert.deepEqual(await selector.locator('option').allTextContents(), ['Ir', 'L1m']);
  assert.equal(await selector.locator('option:checked').textContent(), 'Ir');
  assert.match((await page.textContent('.verdicts li'))!, /^Most Ir: 90 % at work\(\) app\.py:2/);
  await page.waitForSelector('text=Hottest lines by Ir');

  await view(page, 'source');
  await page.waitForSelector('.code-head .figure');
  assert.deepEqual(await page.locator('.code-head .figure').allTextContents(), ['Ir', 'L1m']);
  assert.equal(await page.textContent('.code-head .heat'), 'Ir');
  const line = page.locator('.code-row', { has: page.locator('.line-number', { hasText: /^2$/ }) });
  assert.deepEqual(await line.locator('.figure').allTextContents(), ['90', '30']);

  await selector.selectOption({ label: 'L1m' });
  await page.waitForFunction(() => document.querySelector('.code-head .heat')?.textContent === 'L1m');
  const flame = await flameOf(page);
  assert.ok(flame.includes('all · 32') && flame.includes('work'), flame);
  assert.match(page.url(), /metric=declared%3AL1m/);

  await view(page, 'table');
  await page.waitForSelector('.table-row');
  assert.match(await rowOf(page, 'work'), /^work3093\.8 %3093\.8 %/);
  assert.match(await rowOf(page, 'work'), /90$/, 'the other one has a column');

  await view(page, 'calls');
  await page.waitForSelector('#view >> text=work');
  await view(page, 'graph');
  await page.waitForSelector('#view canvas');

  await view(page, 'diff');
  await page.waitForSelector('.diff-summary button');
  assert.match((await page.textContent('.diff-summary'))!, /^More by 23 \(L1m: 9 → 32, \+256 %\)More in: work \+23(?! \(95)/);
  assert.match(await rowOf(page, 'work'), /^work730\+23/);

  await page.reload();
  await page.waitForSelector('.diff-summary button');
  assert.equal(await selector.locator('option:checked').textContent(), 'L1m', 'the address knows it');
  assert.deepEqual(complaints, []);
});

test('beside time: names and units are text, whatever is in them', async () => {
  const name = '<img src=x onerror=alert(1)> \u202e" figure-leak';
  const builder = oneThread().sample({ stack: 'a.py:f:1', weight: 5e6 });
  builder.file('a.py', 'f()');
  builder.meta.metrics = [
    { name: 'cpu', title: '', unit: 'cycles', value: 7 },
    { name, title: name, unit: name, value: 1 },
    { name: 'held', title: 'Held', unit: 'bytes', value: 2 },
  ];
  [7_000_000, 1, 2000].forEach((value, metric) =>
    builder.add('amount', { metric, thread: 0, stack: builder.stack('a.py:f:1'), value, count: 3, time: 0 }));
  const { page, complaints } = await openPage(browser, builder.finish(), { fragment: '#source' });
  await page.waitForSelector('.code-row .figure');
  const selector = page.locator('select.metric');
  assert.equal(await selector.locator('option:checked').textContent(), 'Time');
  const shown = name.replace('\u202e', '⟨U+202E⟩');
  assert.deepEqual(await selector.locator('optgroup[label="Of this recording"] option').allTextContents(), ['cpu', shown, 'Held']);
  assert.deepEqual(await page.locator('.code-row .figure-declared').allTextContents(), ['7.00 M', '1', '2.00 kB']);
  await selector.selectOption({ index: await selector.locator('option').count() - 3 });
  assert.ok((await flameOf(page)).includes('all · 7.00 M cycles · 3 samples'));
  assert.equal(await page.locator('#view img').count(), 0);
  assert.deepEqual(complaints, []);
});
