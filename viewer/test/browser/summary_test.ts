// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { demo } from '../demo';
import { oneThread } from '../synthetic';
import { encode } from '../encoder';
import { openAddress, openPage, OpenOptions, startBrowser, writePage } from './page';
import { noRecording, recordExample } from './recording';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

const openData = (data: Uint8Array, options: OpenOptions) => openAddress(browser, `file://${writePage(data)}`, options);
/** As src/export writes them: tests/corpus/verdicts.json. */
const pieces = [
  { kind: 'text', text: 'CPU-bound in native', headline: true }, { kind: 'text', text: ': ' }, { kind: 'amount', text: '80 %' },
  { kind: 'text', text: ' of ' }, { kind: 'amount', text: '10.0 s' }, { kind: 'text', text: ' CPU time; hottest line: ' },
  { kind: 'amount', text: '20 %' }, { kind: 'text', text: ' at ' }, { kind: 'place', path: '/srv/app/orders.py', function: 'load_frame', line: 40 },
];
const place = { path: '/srv/app/orders.py', function: 'load_frame', line: 40, seconds: 2, bytes: 1 << 20 };

function withReport(members: Record<string, unknown>) {
  const source = demo();
  return { ...source, meta: { ...source.meta, ...members } };
}

test('the first screen has verdict, time, memory and the hottest places', async () => {
  const { page, complaints } = await openPage(browser, withReport({
    verdicts: [{ pieces }],
  }));
  await page.waitForSelector('.places li');
  assert.match((await page.textContent('.verdicts'))!, /CPU-bound in native: 80 % of 10.0 s CPU time; hottest line: 20 % at load_frame\(\) orders\.py:40/);
  assert.match((await page.textContent('.time-card'))!, /Python[\d. ms]+s[\d.]+ %/);
  await page.waitForSelector('.memory-card canvas');
  assert.ok(await page.locator('.card h2', { hasText: 'Hottest lines' }).isVisible());
  assert.deepEqual(complaints, []);
});

test('a place leads to its line in the source', async () => {
  const { page } = await openPage(browser, withReport({
    verdicts: [{ pieces }],
  }), { fragment: '#summary' });
  await page.click('.verdicts .place');
  await page.waitForSelector('.code-row[aria-selected="true"]');
  assert.match((await page.textContent('.code-row[aria-selected="true"]'))!, /^40/);
  await page.goBack();
  await page.waitForSelector('.places li');
  const name = await page.textContent('.places li .what .faint');
  await page.click('.places li button');
  await page.waitForSelector('.source .detail h2');
  assert.ok(name!.includes((await page.textContent('.source .detail h2'))!), name!);
});

test('figures follow the selection, and those of the whole run say so', async () => {
  const leak = { place, probability: 0.999, bytes_per_second: 1e6, low: 5e5, high: 2e6, live: { bytes: 16e6 }, survival_percent: 97, types: [], stack: [place, place] };
  const { page, complaints } = await openPage(browser, withReport({ growth: [leak] }), { fragment: '#summary' });
  await page.waitForSelector('.places li');
  const whole = await page.textContent('.time-card h2');
  assert.equal(await page.locator('.leaks .tag').count(), 0);
  assert.match((await page.textContent('.leaks'))!, /1\.00 MB\/s \(500 kB to 2\.00 MB\/s, 99\.9 % sure\).*16\.0 MB live at the end, 97 %/);
  await page.goto(`${page.url()}?range=1000000000,2000000000`);
  await page.waitForFunction((before) => document.querySelector('.time-card h2')!.textContent !== before, whole);
  assert.equal(await page.textContent('.leaks .tag'), 'whole run');
  await page.click('.leaks summary');
  assert.equal(await page.locator('.leaks .stack li').count(), 2);
  assert.deepEqual(complaints, []);
});

test('what was not recorded is there, and loud when it is much', async () => {
  const few = withReport({ losses: [{ id: 'native_stacks_cut', pid: 1, class: 'lost_detail', value: 3, unit: 'count', text: 'native stacks cut short' }] });
  const quiet = await openPage(browser, few, { fragment: '#summary' });
  assert.match((await quiet.page.textContent('.run-facts'))!, /Not recorded: 3 native stacks cut short/);
  assert.equal(await quiet.page.locator('.loud').count(), 0);
  const many = withReport({ losses: [{ id: 'records_dropped', pid: 1, class: 'lost_samples', value: 90_000, unit: 'count', text: 'records dropped' }], load: { orderly_end: false } });
  const loud = await openPage(browser, many, { fragment: '#summary' });
  assert.match((await loud.page.textContent('.loud'))!, /did not end in an orderly way.*90.000 records dropped/s);
});

test('texts of a report that attack appear as text', async () => {
  const evil = '<img src=x onerror=alert(1)>\u202e';
  const bad = { path: evil, function: evil, line: 1, seconds: 1, bytes: 1 };
  const source = withReport({
    run: { pyrometer_version: evil, operating_system: evil },
    verdicts: [{ pieces: [
      { kind: 'text', text: evil, headline: true }, { kind: 'name', text: evil, headline: true }, { kind: 'amount', text: evil },
      { kind: 'place', path: evil, function: evil, line: 1 }, { kind: evil, text: evil },
    ] }],
    growth: [{ place: bad, probability: 1, bytes_per_second: 1, low: 1, high: 1, live: { bytes: 1 }, survival_percent: 1, types: [{ name: evil, live: { bytes: 1 } }], stack: [bad] }],
    gil_waits: [{ pid: 1, waiter: { tid: 1, name: evil }, holder: { tid: 2, name: evil }, seconds: 1, samples: 1 }],
    losses: [{ id: evil, pid: 1, class: evil, value: 1, unit: evil, text: evil }],
    processes: [{ pid: 1, interpreter: evil, clock: evil }],
  });
  source.strings = source.strings.map((text) => (text.startsWith('request ') ? evil : text));
  const { page, complaints } = await openPage(browser, source, { fragment: '#summary' });
  await page.waitForSelector('.places li');
  await page.waitForSelector('.card h2:has-text("Regions")');
  assert.equal(await page.locator('img').count(), 0);
  const text = (await page.textContent('.summary'))!;
  assert.ok(text.includes('<img src=x onerror=alert(1)>⟨U+202E⟩') && !text.includes('\u202e'));
  assert.deepEqual(complaints, []);
});

test('without memory one line says how to record it', async () => {
  const source = demo();
  source.meta = { ...source.meta, page: { ...(source.meta.page as object), memory: false } };
  const { page } = await openPage(browser, source, { fragment: '#summary' });
  assert.match((await page.textContent('.memory-card'))!, /Not recorded: leave out --cpu-only/);
});

test('a recorded pipeline: its quadratic loop is the first thing to see', { skip: noRecording }, async () => {
  const { page, complaints } = await openData(recordExample('pipeline.py'), {});
  await page.waitForSelector('.places li');
  assert.match((await page.textContent('.places li'))!, /zip\(left, right\)|a == b/);
  assert.match((await page.textContent('.places li'))!, /similarity\(\)/);
  await page.waitForSelector('.memory-card:has-text("peak in use")');
  assert.deepEqual(complaints, []);
});

test('recorded processes and tasks are listed', { skip: noRecording }, async () => {
  const pool = await openData(recordExample('pool.py'), {});
  await pool.page.waitForSelector('.card h2:has-text("processes")');
  await pool.page.click('.small-table .link');
  await pool.page.waitForFunction(() => location.hash.includes('processes='));
  const clients = await openData(recordExample('clients.py'), {});
  await clients.page.waitForSelector('.card h2:has-text("Tasks wait at")');
  assert.deepEqual([...pool.complaints, ...clients.complaints], []);
});

test('it fits a phone without sideways scrolling', async () => {
  const { page } = await openData(encode(demo()), { width: 390, height: 844, fragment: '#summary' });
  await page.waitForSelector('.places li');
  const [inner, outer] = await page.evaluate(() => [document.querySelector('.summary')!.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(inner <= outer, `${inner} > ${outer}`);
});

test('figures of the hottest places have their 95 % intervals', async () => {
  const builder = oneThread();
  for (let i = 0; i < 100; ++i) builder.sample({ stack: i % 4 ? 'a.py:f:3' : 'a.py:g:7', weight: 10e6 });
  const { page, complaints } = await openPage(browser, builder.finish());
  await page.waitForFunction(() => document.querySelectorAll('.whisker').length === 4);
  const titles = await page.locator('.places button').evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).title));
  assert.deepEqual(titles.slice(0, 2), [
    '750 ms · 75.0 % · 75 samples\n95 %: 657 ms to 825 ms',
    '250 ms · 25.0 % · 25 samples\n95 %: 175 ms to 343 ms',
  ]);
  assert.deepEqual(complaints, []);
});
