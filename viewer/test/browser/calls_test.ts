// SPDX-License-Identifier: Apache-2.0
// Table, call tree and call graph.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { demo } from '../demo';
import { ProfileBuilder } from '../synthetic';
import { openAddress, openPage, startBrowser, writePage } from './page';
import { noRecording, recordExample } from './recording';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

const chosenName = (page: Page) => page.textContent('.detail h2');
const saved = async (page: Page, title: string) => {
  await page.click('text=Export');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`text=${title}`)]);
  return { name: download.suggestedFilename(), text: readFileSync((await download.path())!, 'utf8') };
};
const rowTexts = (page: Page) => page.locator('.table-row').allTextContents();

test('table: every column sorts, a row shows its callers, the tooltip its interval', async () => {
  const { page, complaints } = await openPage(browser, demo(), { fragment: '#table' });
  await page.waitForSelector('.table-row');
  const titles = (await page.locator('.table-head button').allTextContents()).map((text) => text.replace(/ [▾▴]/, ''));
  for (const title of ['Function', 'Self', 'Total', 'File', 'Samples', 'Python', 'Native', 'Kernel', 'Wait', 'Alloc', 'At peak', 'At exit', 'Copied']) {
    assert.ok(titles.includes(title), title);
  }
  for (let i = 0; i < titles.length; ++i) {
    await page.locator('.table-head button').nth(i).click();
    assert.match((await page.locator('[role=columnheader]').nth(i).getAttribute('aria-sort'))!, /ending$/, titles[i]);
  }
  await page.click('.table-head >> text=Total >> nth=0');
  await page.waitForFunction(() => document.querySelector('.table-row')!.textContent!.startsWith('Thread._bootstrap'));
  await page.click('.table-row >> nth=1');
  await page.waitForFunction(() => document.querySelector('.detail h2')?.textContent === '_worker');
  await page.waitForFunction(() => /Thread\._bootstrap/.test(document.querySelector('.detail')!.textContent!));
  await page.hover('.table-row >> nth=2');
  assert.match((await page.textContent('.tooltip'))!, /95 %: [\d.]+ m?s to [\d.]+ m?s/);
  assert.deepEqual(complaints, []);
});

test('table: what is searched for is what is saved', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#table?search=orders' });
  await page.waitForFunction(() => /^\d of \d+ functions/.test(document.querySelector('.view-note')?.textContent ?? ''));
  const { name, text } = await saved(page, 'Save as CSV');
  const lines = text.trim().split('\r\n');
  assert.equal(name, 'pyrometer-table.csv');
  assert.equal(lines.length - 1, (await rowTexts(page)).length);
  assert.match(lines[0], /^Function,Self,Self %,Total,Total %,File,Samples,Python,Native,Kernel,Wait,Alloc/);
  for (const line of lines.slice(1)) assert.match(line, /orders/);
  await page.fill('.search input', 'zlib');
  await page.waitForFunction(() => document.querySelectorAll('.table-row').length === 1);
});

test('table: kinds are of self or total, by button and by key', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#table?table.sort=name&table.order=up&search=^main' });
  const row = async () => (await page.textContent('.table-row'))!;
  await page.waitForFunction(() => document.querySelectorAll('.table-row').length === 1);
  const before = await row();
  await page.keyboard.press('x');
  await page.waitForFunction((old) => document.querySelector('.table-row')!.textContent !== old, before);
  assert.match(page.url(), /table\.of=total/);
});

test('table: enter opens the code of a row', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#table?search=quicksort' });
  await page.waitForFunction(() => document.querySelectorAll('.table-row').length === 1);
  await page.dblclick('.table-row');
  // Native code has no source: its callers and callees are the next best.
  await page.waitForFunction(() => location.hash.startsWith('#flame') && location.hash.includes('sandwich'));
});

const call = (page: Page, name: string) => page.locator('.call-row', { has: page.locator(`.call-label:text-is("${name}")`) });

test('call tree: the hot path is open, keys walk, open and close', async () => {
  const { page, complaints } = await openPage(browser, demo(), { fragment: '#calls' });
  await page.waitForSelector('.call-row');
  assert.equal(await call(page, 'zlib_compress').count(), 1, 'the hottest call is in sight');
  assert.equal(await call(page, 'Node.cost').count(), 0, 'a cold one is not');
  await page.focus('[role=tree]');
  await page.keyboard.press('Home');
  assert.equal(await page.getAttribute('#call-0', 'aria-selected'), 'true');
  assert.equal(await page.getAttribute('#call-0', 'aria-expanded'), 'true');
  const rows = await page.locator('.call-rows .call-row').count();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.getAttribute('#call-0', 'aria-expanded'), 'false');
  assert.ok((await page.locator('.call-rows .call-row').count()) < rows);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('*');
  await page.waitForFunction(() => /Node\.cost/.test(document.querySelector('.call-rows')!.textContent!));
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getAttribute('#call-2', 'aria-selected'), 'true');
  assert.equal(await page.getAttribute('#call-2', 'aria-level'), '2');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.getAttribute('#call-1', 'aria-selected'), 'true');
  assert.equal(await chosenName(page), '<module>');
  assert.deepEqual(complaints, []);
});

test('call tree: frames of libraries are counted and named until they are asked for', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#calls' });
  await call(page, 'load_frame').locator('.twisty').click();
  await call(page, 'read_csv').locator('.twisty').click();
  const note = page.locator('.call-row', { hasText: 'frames of' });
  assert.match((await note.textContent())!, /^3 frames of pandas.* hidden/);
  assert.equal(await call(page, 'get_handle').count(), 0);
  await note.locator('.twisty').click();
  await call(page, 'get_handle').waitFor();
  await page.keyboard.press('h');
  await note.waitFor({ state: 'detached' });
});

test('call tree: what was opened, the order and the threshold are in the address', async () => {
  const first = await openPage(browser, demo(), { fragment: '#calls' });
  await call(first.page, 'total_price').locator('.twisty').click();
  await call(first.page, 'Money.__add__').waitFor();
  const hash = new URL(first.page.url()).hash;
  const again = await openPage(browser, demo(), { fragment: hash });
  await call(again.page, 'Money.__add__').waitFor();
  await again.page.keyboard.press('i');
  await again.page.waitForFunction(() => document.querySelector('.call-label')?.textContent === 'zlib_compress');
  await again.page.fill('.slider input', '9');
  await again.page.waitForFunction(() => document.querySelectorAll('.call-rows .call-label').length < 12);
  assert.match(again.page.url(), /calls\.least=0\.1/);
  assert.match((await again.page.textContent('.call-rows'))!, /smaller calls/);
});

test('call tree: a search opens the way to what it finds', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#calls?search=Node.cost' });
  await page.waitForSelector('.call-row.found');
  assert.equal(await page.textContent('.call-row.found .call-label'), 'Node.cost');
  await page.fill('.search input', 'CParserWrapper');
  await page.waitForFunction(() => document.querySelector('.call-row.found .call-label')?.textContent === 'CParserWrapper.read');
});

test('call graph: a click chooses, arrows go along calls, a double click narrows', async () => {
  const { page, complaints } = await openPage(browser, demo(), { fragment: '#graph' });
  await page.waitForSelector('.graph-canvas canvas');
  await page.waitForFunction(() => /^\d+ of 37 functions/.test(document.querySelector('.view-note')?.textContent ?? ''));
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector('.detail h2')?.textContent === 'Thread._bootstrap');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.querySelector('.detail h2')?.textContent === '_worker');
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => document.querySelector('.detail h2')?.textContent === 'Thread._bootstrap');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.view-note')?.textContent === '6 of 6 functions');
  assert.equal(await page.textContent('.chip-name'), 'Thread._bootstrap');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.chip-name'));
  const { x, y, width } = (await page.locator('.graph-canvas').boundingBox())!;
  await page.keyboard.press('0');
  const point = async (): Promise<[number, number]> => {
    for (let dx = 20; dx < width; dx += 40) {
      for (let dy = 10; dy < 300; dy += 20) {
        await page.mouse.move(x + dx, y + dy);
        if (await page.locator('.tooltip').count()) return [x + dx, y + dy];
      }
    }
    throw new Error('no box under any point');
  };
  const at = await point();
  const name = (await page.textContent('.tooltip strong'))!;
  await page.mouse.click(...at);
  await page.waitForFunction((wanted) => document.querySelector('.detail h2')?.textContent === wanted, name);
  await page.mouse.dblclick(...at);
  await page.waitForFunction((wanted) => document.querySelector('.chip-name')?.textContent === wanted, name);
  assert.deepEqual(complaints, []);
});

test('call graph: wheel, keys and two fingers zoom, and the address remembers it', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#graph' });
  await page.waitForSelector('.graph-canvas canvas');
  const scale = async (is: (scale: number) => boolean) => {
    const read = () => Number(/graph\.zoom=-?\d+_-?\d+_(\d+)/.exec(page.url())?.[1] ?? 0);
    for (let tries = 0; tries < 300 && !is(read()); ++tries) await page.waitForTimeout(20);
    assert.ok(is(read()), page.url());
    return read();
  };
  await page.keyboard.press('+');
  const first = await scale((now) => now > 850);
  const { x, y, width, height } = (await page.locator('.graph-canvas').boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel(0, 200);
  const second = await scale((now) => now > 0 && now < first);
  await page.evaluate(async ([left, top]) => {
    const target = document.querySelector('.graph-canvas')!;
    target.setPointerCapture = () => {};
    const touch = (type: string, pointerId: number, at: number) =>
      target.dispatchEvent(new PointerEvent(type, { pointerId, pointerType: 'touch', bubbles: true, clientX: left + at, clientY: top + 90 }));
    touch('pointerdown', 1, 300);
    touch('pointerdown', 2, 400);
    for (let i = 1; i <= 10; ++i) {
      touch('pointermove', 2, 400 + i * 10);
      await new Promise((done) => requestAnimationFrame(done));
    }
    touch('pointerup', 1, 300);
    touch('pointerup', 2, 500);
  }, [x, y]);
  // From 100 pixels apart to 200.
  await scale((now) => Math.abs(now / second - 2) < 0.02);
  const again = await openPage(browser, demo(), { fragment: new URL(page.url()).hash });
  await again.page.waitForSelector('.graph-canvas canvas');
  assert.equal(new URL(again.page.url()).hash, new URL(page.url()).hash);
});

test('call graph: thresholds by slider, all of it as SVG', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#graph' });
  const note = () => page.textContent('.view-note');
  await page.waitForFunction(() => /^36 of 37/.test(document.querySelector('.view-note')?.textContent ?? ''));
  await page.fill('.slider input >> nth=0', '0');
  await page.waitForFunction(() => /^37 of 37/.test(document.querySelector('.view-note')?.textContent ?? ''));
  await page.fill('.slider input >> nth=0', '9');
  await page.waitForFunction(() => /^1?\d of 37/.test(document.querySelector('.view-note')?.textContent ?? ''));
  await page.click('text=Auto');
  await page.waitForFunction(() => /^36 of 37/.test(document.querySelector('.view-note')?.textContent ?? ''));
  const { name, text } = await saved(page, 'Save as SVG');
  assert.equal(name, 'pyrometer-graph.svg');
  for (const part of ['Thread._bootstrap', 'quicksort_&lt;double&gt;', '61.0 % (self 0.0 %)']) assert.ok(text.includes(part), part);
  assert.match((await note())!, /36 of 37/);
});

const HOSTILE = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '\u202eevil', 'nul\0byte', 'x'.repeat(10_240), '</script><!--'];

/** Names that attack, calling each other in turn. */
function hostile(weight = 10): ProfileBuilder {
  const builder = new ProfileBuilder();
  builder.thread(builder.process(1, HOSTILE[1]), HOSTILE[0], true);
  builder.page.title = HOSTILE[0];
  let parent = 0;
  HOSTILE.forEach((name, i) => {
    const owner = builder.function(`/tmp/${name}.py`, name);
    parent = builder.add('stack', { parent, frame: builder.add('frame', { function: owner, line: 1 }), flags: 0 });
    builder.page.end_ns += weight;
    builder.add('sample', { time: builder.page.end_ns, thread: 0, stack: parent, activity: i % 3, weight, count: 1, task: 0 });
  });
  return builder;
}

test('names that attack are text in the tree, the graph and its SVG', async () => {
  const { page, complaints } = await openPage(browser, hostile().finish(), { fragment: '#calls' });
  await page.waitForSelector('.call-row');
  const text = (await page.textContent('.call-rows'))!;
  for (const shown of [HOSTILE[0], HOSTILE[1], '⟨U+202E⟩evil', 'nul␀byte', '(10240 characters)']) assert.ok(text.includes(shown), shown);
  await page.click('#tab-graph');
  await page.waitForSelector('.graph-canvas canvas');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('.detail h2');
  const { text: svg } = await saved(page, 'Save as SVG');
  assert.ok(!/<script|<img/i.test(svg));
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(complaints, []);
});

test('a real run: the function that has the time is found in all three', { skip: noRecording }, async () => {
  const address = `file://${writePage(recordExample('pipeline.py'))}`;
  const { page, complaints } = await openAddress(browser, address, { fragment: '#table?frames=python&metric=cpu' });
  await page.waitForFunction(() => document.querySelector('.table-row')?.textContent?.startsWith('similarity'));
  await page.click('#tab-calls');
  await call(page, 'similarity').first().waitFor();
  assert.equal(await call(page, 'near_duplicates').count(), 1);
  await page.click('#tab-graph');
  await page.waitForSelector('.graph-canvas canvas');
  const { text } = await saved(page, 'Save as SVG');
  for (const name of ['near_duplicates', 'similarity']) assert.ok(text.includes(`>${name}<`), name);
  assert.deepEqual(complaints, []);
});
