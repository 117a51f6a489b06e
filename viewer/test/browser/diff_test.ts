// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { demo } from '../demo';
import { oneThread } from '../synthetic';
import { openAddress, openPage, startBrowser } from './page';
import { compareWithExample, exampleText, noRecording } from './recording';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

const MS = 1e6;

/** Samples of 10 ms by stack. */
function run(stacks: Record<string, number>) {
  const builder = oneThread();
  for (const [stack, samples] of Object.entries(stacks)) {
    for (let i = 0; i < samples; ++i) builder.sample({ stack, weight: 10 * MS });
  }
  return builder.finish();
}

const BASE = { '/old/app.py:main:1;/old/app.py:parse:5': 300, '/old/app.py:main:1;/old/app.py:load:9': 200, '/old/app.py:main:1;/old/app.py:legacy:20': 100 };
const NEW = { '/new/app.py:main:1;/new/app.py:parse:5': 600, '/new/app.py:main:1;/new/app.py:load:9': 206, '/new/app.py:main:1;/new/app.py:<b>added</b>:30': 90 };

test('without a base, one line says how to get one', async () => {
  const { page, complaints } = await openPage(browser, demo(), { fragment: '#diff' });
  assert.match((await page.textContent('.no-base'))!, /pyrometer view NEW --base OLD/);
  assert.deepEqual(complaints, []);
});

test('a comparison in words and in rows', async () => {
  const { page, complaints } = await openPage(browser, run(NEW), { fragment: '#diff', base: run(BASE) });
  await page.waitForSelector('.diff-summary button');
  const words = (await page.textContent('.diff-summary'))!;
  assert.match(words, /Slower by 2\.96 s \(Time: 6\.00 s → 8\.96 s, \+49\.3 %\)/);
  assert.match(words, /More in: parse \+3\.00 s \(95 %: \+[\d.]+ s to \+[\d.]+ s\), <b>added<\/b> \+900 ms/);
  assert.match(words, /Less in: legacy −1\.00 s/);
  const row = async (name: string) => (await page.locator('.table-row', { hasText: name }).textContent())!;
  assert.match(await row('parse'), /^parse3\.00 s6\.00 s\+3\.00 s.*\+100 %yes/);
  assert.match(await row('legacy'), /^legacygone1\.00 s·−1\.00 s/);
  assert.match(await row('added'), /^<b>added<\/b>new·900 ms/);
  assert.match(await row('load'), /within chance/);
  await page.keyboard.press('o');
  await page.locator('.table-row', { hasText: 'load' }).waitFor({ state: 'detached' });
  assert.equal(await page.locator('.table-row').count(), 3);
  assert.deepEqual(complaints, []);
});

test('in shares, a longer run alone is no difference', async () => {
  const twice = Object.fromEntries(Object.entries(BASE).map(([stack, samples]) => [stack, samples * 2]));
  const { page } = await openPage(browser, run(twice), { fragment: '#diff?diff.only=significant', base: run(BASE) });
  await page.waitForFunction(() => document.querySelectorAll('.table-row').length === 3);
  await page.keyboard.press('u');
  await page.waitForFunction(() => /No change here is larger than chance/.test(document.querySelector('.beside-main')!.textContent!));
  assert.match(page.url(), /diff\.amounts=share/);
});

test('the flame graph of a comparison has what is gone, unless told otherwise', async () => {
  const { page, complaints } = await openPage(browser, run(NEW), { fragment: '#diff?diff.mode=flame', base: run(BASE) });
  await page.waitForSelector('.flame-canvas canvas');
  const svg = async () => {
    await page.click('text=Export');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as SVG')]);
    return readFileSync((await download.path())!, 'utf8');
  };
  const whole = await svg();
  for (const text of ['parse  +3.00 s', 'legacy  gone', '&lt;b&gt;added']) assert.ok(whole.includes(text), text);
  await page.click('text=Show what is gone');
  let without = await svg();
  for (let tries = 0; tries < 100 && without.includes('legacy'); ++tries) without = await svg();
  assert.ok(!without.includes('legacy') && without.includes('parse'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector('.detail h2')?.textContent === 'main');
  assert.deepEqual(complaints, []);
});

test('by line, and by another metric, it goes on', async () => {
  const { page, complaints } = await openPage(browser, demo(), { fragment: '#diff?by=line', base: demo({ seed: 8 }) });
  await page.waitForSelector('.table-row');
  await page.selectOption('.metric', 'live_at_peak');
  await page.waitForFunction(() => /\d MB/.test(document.querySelector('.diff-summary')?.textContent ?? ''));
  await page.keyboard.press('v');
  await page.waitForSelector('.flame-canvas canvas');
  await page.click('text=Export');
  assert.deepEqual(complaints, []);
});

test('two real runs: the words name what was changed', { skip: noRecording }, async () => {
  const old = exampleText('pipeline.py');
  // Each pair once instead of twice: half the calls of similarity.
  const changed = old.replace('for second in orders:', 'for second in orders[: orders.index(first)]:');
  assert.notEqual(changed, old);
  const address = `file://${compareWithExample(changed, 'pipeline.py')}`;
  const { page, complaints } = await openAddress(browser, address, { fragment: '#diff?metric=cpu' });
  await page.waitForSelector('.diff-summary button');
  const words = (await page.textContent('.diff-summary'))!;
  assert.match(words, /^Faster by /);
  assert.match(words, /Less in: .*similarity.*Each with what it calls in libraries and native code/);
  await page.keyboard.press('y');
  await page.waitForFunction(() => [...document.querySelectorAll('.table-row')].some((row) => /^similarity:\d+/.test(row.textContent!)));
  assert.deepEqual(complaints, []);
});
