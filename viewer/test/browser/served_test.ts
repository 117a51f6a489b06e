// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { demo } from '../demo';
import { containerOf, encode, numbersSection } from '../encoder';
import { startBrowser } from './page';

let browser: Browser;
let server: Server;
let asked: string[];
let open = 0;
/** Send the report, and the columns, that are waited for. */
let sendReport: (() => void) | null = null;
let sendRest: (() => void) | null = null;

before(async () => {
  browser = await startBrowser();
  const data = encode(demo());
  const { meta } = demo();
  const partial = encode({ ...demo(), meta: { page: { ...(meta.page as object), partial: true } } });
  // As `pyrometer view` sends it: sums first. Here they are of one sample each.
  const late = demo();
  const { time, task, ...summable } = late.tables.sample;
  const rest = Object.entries(late.tables.sample).map(([column, values]) => numbersSection(`sample.${column}`, values));
  late.tables = { ...late.tables, sample: {}, sum: summable };
  const first = encode({ ...late, meta: { ...meta, page: { ...(meta.page as object), rest: rest.map(({ name }) => name) } } });
  const verdicts = [{ pieces: [{ kind: 'text', text: 'CPU-bound in Python', headline: true }] }];
  server = createServer((request, response) => {
    const isLate = request.url!.startsWith('/late/');
    const inParts = request.url!.startsWith('/parts/');
    const path = request.url!.replace(/^\/(secret|late|parts)\//, '').replace(/\?.*/, '');
    asked.push(path);
    if (path === '') response.setHeader('Content-Type', 'text/html').end(readFileSync(join(process.cwd(), 'dist/page.html')));
    else if (path === 'data' && isLate) response.end(partial);
    else if (path === 'data' && inParts) response.end(first);
    else if (path === 'rest' && inParts) sendRest = () => response.end(containerOf(rest));
    else if (path === 'report' && isLate) sendReport = () => response.end(JSON.stringify({ ...meta, verdicts }));
    else if (path === 'data' || path === 'base') response.end(data);
    else if (path === 'alive') {
      ++open;
      response.writeHead(200).flushHeaders();
      response.on('close', () => --open);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
after(async () => {
  await browser.close();
  server.close();
});

const address = (query = '', folder = 'secret') => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${folder}/${query}`;

test('a served page asks for its data and holds its server, and nothing else', async () => {
  asked = [];
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(address());
  await page.waitForSelector('.app');
  assert.deepEqual(asked.sort(), ['', 'alive', 'data']);
  assert.equal(open, 1);
  assert.deepEqual(complaints, []);
  await page.close();
  for (let tries = 0; open > 0 && tries < 1000; ++tries) await new Promise((later) => setTimeout(later, 20));
  assert.equal(open, 0);
});

test('a comparison asks for its base', async () => {
  asked = [];
  const page = await browser.newPage();
  await page.goto(address('?compare'));
  await page.waitForSelector('.app');
  assert.deepEqual(asked.sort(), ['', 'alive', 'base', 'data']);
  await page.close();
});

test('what takes long to add up is shown when it comes', async () => {
  asked = [];
  const page = await browser.newPage();
  await page.goto(address('#summary', 'late'));
  await page.waitForSelector('.verdicts [role=status]');
  assert.equal(await page.locator('.verdicts li').count(), 0);
  assert.deepEqual(asked.sort(), ['', 'alive', 'data', 'report']);
  sendReport!();
  await page.waitForSelector('.verdicts li');
  assert.equal(await page.locator('.verdicts [role=status]').count(), 0);
  await page.close();
});

test('what the first screen does not need may come later, and who needs it waits', async () => {
  asked = [];
  const page = await browser.newPage();
  await page.goto(address('#summary', 'parts'));
  await page.waitForSelector('.places');
  for (let tries = 0; !asked.includes('rest') && tries < 1000; ++tries) await page.waitForTimeout(20);
  assert.deepEqual(asked.sort(), ['', 'alive', 'data', 'rest']);
  await page.goto(address('#timeline', 'parts'));
  await page.waitForSelector('.timeline-lanes');
  assert.equal(await page.locator('.timeline-lanes[aria-busy=false] canvas').count(), 0);
  sendRest!();
  await page.waitForSelector('.timeline-lanes[aria-busy=false] canvas');
  await page.close();
});
