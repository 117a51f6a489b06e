// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { oneThread } from '../synthetic';
import { openAddress, openPage, OpenOptions, startBrowser, writePage } from './page';
import { noRecording, recordExample } from './recording';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

const openData = (data: Uint8Array, options: OpenOptions) => openAddress(browser, `file://${writePage(data)}`, options);

/** A file of many lines, of which three are hot. */
function longFile(lines: number) {
  const builder = oneThread();
  const text = Array.from({ length: lines }, (_, i) => (i % 10 === 0 ? `def f${i}(x):` : `    return ${i}  # \t${'y'.repeat(i % 90)}`));
  text[11] = '    s = """open';
  text[12] = '    def not_code """';
  text[13] = `    ${'long '.repeat(2000)}`;
  builder.file('big.py', text.join('\n'));
  builder.sample({ stack: `big.py:f:5;x/site-packages/l.py:g:2;lib.so:inner:0`, weight: 50, activity: 1 });
  builder.sample({ stack: `big.py:f:${lines - 5}`, weight: 30 });
  builder.sample({ stack: `big.py:f:1000`, weight: 20 });
  builder.sample({ stack: `nosource.py:h:7`, weight: 10 });
  return builder.finish();
}

const cursorLine = async (page: Page) => Number(await page.textContent('.code-row[aria-selected="true"] .line-number'));
const waitForLine = (page: Page, line: number) =>
  page.waitForFunction((wanted) => document.querySelector('.code-row[aria-selected="true"] .line-number')?.textContent === String(wanted), line);

test('50 000 lines: only those on the screen exist; n and p go from hot line to hot line', async () => {
  const { page, complaints } = await openPage(browser, longFile(50_000), { fragment: '#source' });
  await waitForLine(page, 5);
  assert.ok((await page.locator('.code-row').count()) < 80);
  await page.keyboard.press('n');
  await waitForLine(page, 1000);
  await page.keyboard.press('n');
  await waitForLine(page, 49_995);
  assert.ok(await page.isVisible('.code-row[aria-selected="true"]'));
  await page.keyboard.press('n');
  await waitForLine(page, 5);
  await page.keyboard.press('p');
  await waitForLine(page, 49_995);
  await page.keyboard.press('ArrowUp');
  await waitForLine(page, 49_994);
  await page.keyboard.press('End');
  await waitForLine(page, 50_000);
  assert.deepEqual(complaints, []);
});

test('what libraries do is charged to the line that called them, unless asked otherwise', async () => {
  const { page } = await openPage(browser, longFile(2000), { fragment: '#source' });
  await waitForLine(page, 5);
  const heat = () => page.textContent('.code-row[aria-selected="true"] .heat');
  assert.equal(await heat(), '45.5 %');
  const panel = (await page.textContent('.source .detail'))!;
  assert.match(panel, /Calls.*g l\.py.*Native functions.*inner lib\.so/s);
  await page.click('text=Self');
  await page.waitForFunction(() => document.querySelector('.code-row[aria-selected="true"] .heat')?.textContent === '');
  await page.click('button:text-is("Total")');
  await page.waitForFunction(() => document.querySelector('.code-row[aria-selected="true"] .heat')?.textContent === '45.5 %');
});

test('calls lead on: callers and callees can be clicked', async () => {
  const { page } = await openPage(browser, longFile(2000), { fragment: '#source?source.charge=self' });
  await page.click('.library-head');
  await page.click('.file-row:has-text("l.py")');
  await waitForLine(page, 2);
  await page.click('.source .detail li button >> nth=0');
  await waitForLine(page, 5);
  assert.match((await page.textContent('.file-title'))!, /big\.py/);
});

test('the lines are saved as CSV', async () => {
  const { page } = await openPage(browser, longFile(2000), { fragment: '#source' });
  await waitForLine(page, 5);
  await page.click('text=Export');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as CSV')]);
  assert.equal(download.suggestedFilename(), 'pyrometer-lines.csv');
  const text = readFileSync((await download.path())!, 'utf8');
  assert.match(text, /^Line,Time,Python,Native,Code\r\n5,50,0,50,/);
});

test('files and panel make room for the code', async () => {
  const { page } = await openPage(browser, longFile(2000), { fragment: '#source' });
  await waitForLine(page, 5);
  await page.keyboard.press('e');
  await page.waitForSelector('.file-list', { state: 'hidden' });
  assert.ok((await page.locator('.code-pane').boundingBox())!.width > 1400);
  assert.match(page.url(), /source\.panels=hide/);
});

test('colours: keywords, and strings over lines', async () => {
  const { page } = await openPage(browser, longFile(2000), { fragment: '#source' });
  await waitForLine(page, 5);
  assert.equal(await page.textContent('#line-10 .token-keyword'), 'def');
  assert.equal(await page.textContent('#line-12 .token-string'), '    def not_code """');
  assert.match((await page.textContent('#line-13'))!, /\(\d+ characters\)/);
});

test('find in the file marks and walks', async () => {
  const { page } = await openPage(browser, longFile(2000), { fragment: '#source' });
  await waitForLine(page, 5);
  await page.keyboard.press('f');
  await page.keyboard.type('RETURN 77 ');
  await page.waitForFunction(() => document.querySelector('.find output')!.textContent === '1 line');
  await page.keyboard.press('Enter');
  await waitForLine(page, 78);
  // A mark has a piece for each token.
  assert.equal((await page.locator('.code-row mark').allTextContents()).join(''), 'return 77 ');
});

test('the table of lines sorts by every column, and leads back to the code', async () => {
  const { page } = await openPage(browser, longFile(2000), { fragment: '#source' });
  await waitForLine(page, 5);
  await page.keyboard.press('t');
  await page.waitForSelector('.table-row');
  const firstLine = () => page.textContent('.table-row >> nth=0 >> div >> nth=0');
  assert.equal(await firstLine(), '5');
  await page.click('.table-head button:has-text("Python")');
  assert.equal(await firstLine(), '1995');
  await page.dblclick('.table-row >> nth=0');
  await waitForLine(page, 1995);
  assert.match(page.url(), /source\.sort=python/);
});

test('a file without text shows its lines; an address restores the line', async () => {
  const { page } = await openPage(browser, longFile(2000), { fragment: '#source' });
  await page.click('.file-row:has-text("nosource.py")');
  await waitForLine(page, 7);
  assert.match((await page.textContent('.code-row'))!, /text not recorded/);
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await waitForLine(page, 7);
});

test('source that attacks appears as text', async () => {
  const builder = oneThread();
  const evil = ['<script>alert(1)</script>', '"""<img src=x onerror=alert(1)>', '\u202e safe \0', '</script><!--"""'];
  builder.file('<b>evil</b>.py', evil.join('\n'));
  const owner = builder.function('<b>evil</b>.py', 'f');
  builder.tables.file.kind[0] = 0;
  const frame = builder.add('frame', { function: owner, line: 3 });
  const stack = builder.add('stack', { parent: 0, frame, flags: 0 });
  builder.page.end_ns = 10;
  builder.add('sample', { time: 10, thread: 0, stack, activity: 0, weight: 10, count: 1, task: 0 });
  const { page, complaints } = await openPage(browser, builder.finish(), { fragment: '#source' });
  await waitForLine(page, 3);
  const text = (await page.textContent('.source'))!;
  for (const shown of [evil[0], evil[1], '⟨U+202E⟩ safe ␀', evil[3]]) assert.ok(text.includes(shown), shown);
  assert.equal(await page.locator('img, .source b').count(), 0);
  assert.deepEqual(complaints, []);
});

test('a recorded pipeline: figures beside the code, keys, minimap', { skip: noRecording }, async () => {
  const { page, complaints } = await openData(recordExample('pipeline.py', '--mem-interval', '65536'), { fragment: '#source' });
  await page.waitForSelector('.code-row[aria-selected="true"]');
  assert.match((await page.textContent('.code-row[aria-selected="true"]'))!, /zip\(left, right\)|a == b/);
  await page.waitForSelector('.code-row .sparkline.memory');
  assert.ok((await page.locator('.sparkline').count()) > 2);
  assert.match((await page.textContent('.code-head'))!, /Python.*Native.*Alloc.*Activity.*Memory/s);
  assert.match((await page.textContent('.source .detail'))!, /Called by.*near_duplicates.*Native functions/s);
  const before = await cursorLine(page);
  await page.keyboard.press('n');
  await page.waitForFunction((line) => document.querySelector('.code-row[aria-selected="true"] .line-number')?.textContent !== String(line), before);
  await page.click('.minimap', { position: { x: 5, y: 5 } });
  await page.selectOption('.metric', 'allocated');
  await page.waitForFunction(() => document.querySelector('.code-head .heat')?.textContent === 'Allocated');
  assert.deepEqual(complaints, []);
});

test('a search marks files and lines, and its keys go from function to function', async () => {
  const builder = oneThread();
  builder.file('a.py', Array.from({ length: 30 }, (_, i) => `x = ${i}`).join('\n'));
  builder.file('lib/site-packages/l.py', 'def load(): pass');
  for (const [path, name, line] of [['a.py', 'load', 3], ['a.py', '<b>load</b>', 20], ['a.py', 'other', 9], ['lib/site-packages/l.py', 'load', 1]] as const) builder.function(path, name, line);
  builder.sample({ stack: 'a.py:load:4;lib/site-packages/l.py:load:1', weight: 50 }).sample({ stack: 'a.py:<b>load</b>:22', weight: 20 }).sample({ stack: 'a.py:other:10', weight: 90 });
  const { page, complaints } = await openPage(browser, builder.finish(), { fragment: '#source?search=load' });
  await waitForLine(page, 10);
  await page.waitForSelector('.line-number mark');
  assert.deepEqual(await page.locator('.line-number mark').allTextContents(), ['3', '4', '20', '22']);
  assert.match((await page.textContent('.file-row[aria-current]'))!, /^a\.py2 found/);
  assert.match((await page.textContent('.library-head'))!, /1 found$/);
  assert.equal(await page.locator('b').count(), 0);
  await page.keyboard.press('.');
  await waitForLine(page, 20);
  await page.keyboard.press('.');
  await page.waitForFunction(() => document.querySelector('.file-title')!.textContent === 'lib/site-packages/l.py');
  await waitForLine(page, 1);
  await page.keyboard.press('.');
  await waitForLine(page, 3);
  await page.keyboard.press(',');
  await page.waitForFunction(() => document.querySelector('.file-title')!.textContent === 'lib/site-packages/l.py');
  assert.deepEqual(complaints, []);
});

test('the panel says how far the figure of a line can be trusted', async () => {
  const builder = oneThread();
  for (let i = 0; i < 100; ++i) builder.sample({ stack: i % 4 ? 'a.py:f:3' : 'a.py:g:7', weight: 10e6 });
  const { page, complaints } = await openPage(browser, builder.finish(), { fragment: '#source' });
  await waitForLine(page, 3);
  await page.waitForSelector('.line-interval');
  // Wilson's interval of 75 of 100.
  assert.equal(await page.textContent('.line-interval'), '95 %657 ms to 825 ms');
  assert.deepEqual(complaints, []);
});
