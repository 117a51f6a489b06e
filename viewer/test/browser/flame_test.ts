// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { demo } from '../demo';
import { oneThread } from '../synthetic';
import { openPage, startBrowser } from './page';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

/** main has all; left of it work (75 %), right rest (25 %). */
const simple = () =>
  oneThread()
    .sample({ stack: '/a.py:main:1;/a.py:work:5', weight: 750e6, count: 75 })
    .sample({ stack: '/a.py:main:2;/a.py:rest:9', weight: 250e6, count: 25 })
    .finish();

const ROW = 19;
const FLAME = { fragment: '#flame' };

async function canvasBox(page: Page) {
  await page.waitForSelector('.flame-canvas canvas');
  return (await page.locator('.flame-canvas').boundingBox())!;
}

/** A point in a row, at a share of the width. */
async function at(page: Page, row: number, share: number) {
  const { x, y, width } = await canvasBox(page);
  return [x + width * share, y + ROW * (row + 0.5)] as const;
}

const chosenName = (page: Page) => page.textContent('.detail h2');
const hash = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

test('a box tells what it is, and a click chooses it', async () => {
  const { page, complaints } = await openPage(browser, simple(), FLAME);
  await page.mouse.move(...(await at(page, 2, 0.4)));
  await page.waitForSelector('.tooltip');
  assert.equal(
    await page.textContent('.tooltip'),
    'work/a.py:1total 750 ms · 75.0 % · 75 samplesself 750 ms · 75.0 %',
  );
  await page.mouse.click(...(await at(page, 2, 0.9)));
  await page.waitForFunction(() => document.querySelector('.detail h2')?.textContent === 'rest');
  await page.waitForFunction(() => /250 ms · 25\.0 % · 25 samples/.test(document.querySelector('.figures')?.textContent ?? ''));
  assert.match((await page.textContent('.detail'))!, /Called bymain250 ms100 %/);
  assert.deepEqual(complaints, []);
});

test('double click zooms, the breadcrumb leads back, and the address remembers', async () => {
  const { page, address } = await openPage(browser, simple(), FLAME);
  await page.mouse.dblclick(...(await at(page, 2, 0.4)));
  await page.waitForSelector('.breadcrumb');
  assert.equal(await page.textContent('.breadcrumb'), 'allmainwork');
  await page.waitForFunction(() => location.hash.includes('flame.zoom=0_750000000_0'));
  await page.goto('about:blank');
  await page.goto(`${address}#flame?flame.zoom=0_750000000_0`);
  await page.mouse.move(...(await at(page, 2, 0.99)));
  await page.waitForFunction(() => document.querySelector('.tooltip')?.textContent?.startsWith('work'));
  await page.keyboard.press('0');
  await page.waitForFunction(() => !location.hash.includes('zoom'));
  await page.mouse.move(...(await at(page, 2, 0.98)));
  await page.waitForFunction(() => document.querySelector('.tooltip')?.textContent?.startsWith('rest'));
});

test('the wheel zooms where the pointer is, a drag moves', async () => {
  const { page } = await openPage(browser, simple(), FLAME);
  await page.mouse.move(...(await at(page, 2, 0.75)));
  for (let i = 0; i < 8; ++i) await page.mouse.wheel(0, -120);
  // The address is written while a slow browser still has notches to come.
  await page.waitForFunction(() => {
    const [, begin, end] = /flame.zoom=(\d+)_(\d+)/.exec(location.hash)?.map(Number) ?? [];
    return end - begin < 1e9 * Math.exp(-0.002 * 120 * 7.5);
  });
  const zoom = /zoom=(\d+)_(\d+)/.exec(hash(page))!.slice(1).map(Number);
  assert.ok(zoom[0] > 0 && zoom[0] < 750e6 && zoom[1] > 750e6 && zoom[1] < 1e9, String(zoom));
  const [x, y] = await at(page, 2, 0.5);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 200, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((before) => Number(/zoom=(\d+)/.exec(location.hash)?.[1]) < before, zoom[0]);
});

test('keys go from call to call', async () => {
  const { page } = await openPage(browser, simple(), FLAME);
  await canvasBox(page);
  for (const [key, name] of [['ArrowDown', null], ['ArrowDown', 'main'], ['ArrowDown', 'work'], ['ArrowRight', 'rest'], ['ArrowUp', 'main']] as const) {
    await page.keyboard.press(key);
    if (name) await page.waitForFunction((wanted) => document.querySelector('.detail h2')?.textContent === wanted, name);
  }
  await page.keyboard.press('Escape');
  await page.waitForSelector('.detail h2', { state: 'detached' });
});

test('four orders, by key', async () => {
  const { page, complaints } = await openPage(browser, simple(), FLAME);
  await canvasBox(page);
  await page.keyboard.press('i');
  await page.waitForFunction(() => location.hash.includes('flame.mode=inverted'));
  await page.mouse.click(...(await at(page, 1, 0.3)));
  await page.waitForFunction(() => document.querySelector('.detail h2')?.textContent === 'work');
  assert.equal(await chosenName(page), 'work');
  await page.keyboard.press('b');
  await page.waitForFunction(() => document.querySelectorAll('.sandwich .flame-canvas').length === 2);
  await page.keyboard.press('t');
  await page.waitForSelector('[aria-label="Thread of the chart"]');
  // The ruler is above the rows, and there is no row for everything.
  const { x, y, width } = await canvasBox(page);
  await page.mouse.move(x + width * 0.9, y + 22 + ROW * 1.5);
  await page.waitForFunction(() => /^rest.*250 ms from 750 ms · 25 samples$/.test(document.querySelector('.tooltip')?.textContent ?? ''));
  assert.deepEqual(complaints, []);
});

test('a drag with Shift in the chart selects a range for all views', async () => {
  const { page } = await openPage(browser, simple(), { fragment: '#flame?flame.mode=chart' });
  const { x, y, width } = await canvasBox(page);
  await page.keyboard.down('Shift');
  await page.mouse.move(x + width * 0.5, y + 60);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.75, y + 60, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.waitForSelector('.chip');
  const [begin, end] = /range=(\d+),(\d+)/.exec(hash(page))!.slice(1).map(Number);
  assert.ok(Math.abs(begin - 500e6) < 3e6 && Math.abs(end - 750e6) < 3e6, `${begin} ${end}`);
});

test('what is searched for is found on the picture', async () => {
  const { page } = await openPage(browser, simple(), { fragment: '#flame?search=work' });
  await canvasBox(page);
  await page.waitForFunction(() => document.querySelector('.search-result')?.textContent === '1 found · 750 ms · 75.0 %');
  const isPainted = async (row: number, share: number, colour: number[]) => {
    const [x, y] = await at(page, row, share);
    const origin = await canvasBox(page);
    await page.waitForFunction(([left, top, wanted]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.flame-canvas canvas')!;
      return String([...canvas.getContext('2d')!.getImageData(left, top, 1, 1).data]) === wanted;
    }, [x - origin.x, y - origin.y, String([...colour, 255])] as const);
  };
  await isPainted(2, 0.5, [0xf6, 0xd3, 0x3c]);
  await isPainted(2, 0.9, [0xe8, 0xea, 0xee]);
});

test('the picture is saved as SVG, with all names as text', async () => {
  const builder = oneThread().sample({ stack: '/a.py:<b>&"\':1', weight: 10 });
  const { page } = await openPage(browser, builder.finish(), FLAME);
  await canvasBox(page);
  await page.click('text=Export');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as SVG')]);
  const svg = readFileSync((await download.path())!, 'utf8');
  assert.ok(svg.includes('>&lt;b&gt;&amp;&quot;&#39;</text>'), svg);
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.click('text=Export').then(() => page.click('text=Save as PNG')),
  ]);
  assert.deepEqual([...readFileSync((await picture.path())!).subarray(1, 4)], [...Buffer.from('PNG')]);
});

test('a metric without anything says so', async () => {
  const { page } = await openPage(browser, demo(), { fragment: '#flame?metric=child_wait' });
  await page.waitForSelector('text=Nothing of this metric');
});

test('two fingers zoom', async () => {
  const { page } = await openPage(browser, simple(), { fragment: '#flame' });
  const { x, y, width } = await canvasBox(page);
  await page.evaluate(async ([left, top, wide]) => {
    const target = document.querySelector('.flame-canvas')!;
    target.setPointerCapture = () => {};
    const touch = (type: string, pointerId: number, at: number) =>
      target.dispatchEvent(new PointerEvent(type, {
        pointerId, pointerType: 'touch', bubbles: true, clientX: left + wide * at, clientY: top + 50,
      }));
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    touch('pointerdown', 1, 0.4);
    touch('pointerdown', 2, 0.6);
    for (let i = 1; i <= 10; ++i) {
      touch('pointermove', 1, 0.4 - i * 0.02);
      await frame();
      touch('pointermove', 2, 0.6 + i * 0.02);
      await frame();
    }
    touch('pointerup', 1, 0.2);
    touch('pointerup', 2, 0.8);
  }, [x, y, width]);
  await page.waitForFunction(() => location.hash.includes('flame.zoom='));
  const [begin, end] = /zoom=(\d+)_(\d+)/.exec(hash(page))!.slice(1).map(Number);
  // From 20 % of the width to 60 %: a third of everything is left, around the middle.
  assert.ok(Math.abs(begin - 333e6) < 20e6 && Math.abs(end - 667e6) < 20e6, `${begin} ${end}`);
});

test('the halves of a sandwich are saved apart', async () => {
  const { page } = await openPage(browser, simple(), { fragment: '#flame?chosen=1&flame.mode=sandwich' });
  await page.waitForFunction(() => document.querySelectorAll('.sandwich canvas').length === 2);
  await page.click('text=Export');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save callers as SVG')]);
  assert.match(readFileSync((await download.path())!, 'utf8'), />main<\/text>/);
});

test('the strip above has everything; its frame moves the picture, and is moved by it', async () => {
  const { page, complaints } = await openPage(browser, simple(), { fragment: '#flame?flame.zoom=0_250000000_0' });
  await canvasBox(page);
  const strip = (await page.locator('.flame-overview').boundingBox())!;
  assert.ok(strip.height >= 30 && strip.height <= 60);
  // The frame has the first quarter: taken in its middle and dragged to the right end.
  await page.mouse.move(strip.x + strip.width / 8, strip.y + 4);
  await page.mouse.down();
  await page.mouse.move(strip.x + strip.width / 2, strip.y + 4, { steps: 3 });
  await page.mouse.move(strip.x + strip.width - 2, strip.y + 4, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => location.hash.includes('flame.zoom=750000000_1000000000_0'));
  await page.mouse.click(...(await at(page, 2, 0.5)));
  await page.waitForFunction(() => document.querySelector('.detail h2')?.textContent === 'rest');
  // A click beside the frame brings its middle there.
  await page.mouse.click(strip.x + strip.width / 2, strip.y + 4);
  await page.waitForFunction(() => location.hash.includes('flame.zoom=375000000_625000000_0'));
  assert.deepEqual(complaints, []);
});

test('the chart has a strip of all its time', async () => {
  const { page, complaints } = await openPage(browser, simple(), { fragment: '#flame?flame.mode=chart&flame.zoom=0_250000000_0' });
  await canvasBox(page);
  const strip = (await page.locator('.flame-overview').boundingBox())!;
  await page.mouse.click(strip.x + strip.width - 2, strip.y + 4);
  await page.waitForFunction(() => location.hash.includes('flame.zoom=750000000_1000000000_0'));
  assert.deepEqual(complaints, []);
});
