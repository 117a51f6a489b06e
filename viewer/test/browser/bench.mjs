// SPDX-License-Identifier: Apache-2.0
// How fast a large profile opens, and how smoothly it moves: node test/browser/bench.mjs [FILE of page-data]
// Of a recording instead (FILE.pyro), how long `pyrometer view` takes from its start to the first screen.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, folder } from '../bundled.mjs';
import { moves, opens } from './motion.mjs';

const { besideItself, big, startBrowser } = await bundled(
  'bench_browser', "export * from './test/browser/page'; export { big } from './test/big'; export { besideItself } from './test/matched';");
const file = process.argv[2] ?? join(tmpdir(), 'pyrometer-big.data');
if (!existsSync(file)) writeFileSync(file, big());
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
// The first screen: kinds of time, memory, the hottest lines and functions.
const summary = '.cards:has(.time-bar) + .cards .card:has(.places) + .card:has(.places)';
if (file.endsWith('.pyro')) {
  await viewed();
  process.exit();
}

async function viewed() {
  const browser = await startBrowser();
  const start = performance.now();
  const view = spawn(join(folder, '../build/release/bin/pyrometer'), ['view', '--no-browser', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = await once(view.stdout, 'data');
  await opens(browser, String(address).trim(), (open) => open.waitForSelector(summary, { timeout: 120_000 }));
  console.log(`pyrometer view shows the summary after ${seconds(performance.now() - start)}`);
  await browser.close();
  await once(view, 'exit');
}

let base;
const server = createServer((request, response) => {
  const name = new URL(request.url, 'http://localhost').pathname.slice(1);
  if (name === '') createReadStream(join(folder, 'dist/page.html')).pipe(response.setHeader('Content-Type', 'text/html'));
  else if (name === 'base') response.end(base ??= besideItself(readFileSync(file)));
  else if (name === 'data') createReadStream(file, { highWaterMark: 2 ** 20 }).pipe(response.setHeader('Content-Length', statSync(file).size));
  else if (name !== 'alive') response.writeHead(404).end();
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await startBrowser();

for (const [name, fragment, selector, shown] of [
  ['summary', '', null, summary],
  ['left heavy', '#flame', '.flame-canvas', '.flame-canvas canvas'],
  ['chart', '#flame?flame.mode=chart', '.flame-canvas', '.flame-canvas canvas'],
  ['timeline', '#timeline', '.timeline-lanes', '.timeline-lanes[aria-busy=false] canvas'],
  // The profile beside itself: twice as much to read.
  ['diff', '?compare#diff?diff.mode=flame', '.flame-canvas', '.flame-canvas canvas'],
]) {
  const { page, ms, cpu } = await opens(browser, address + fragment, (open) => open.waitForSelector(shown, { timeout: 120_000 }));
  let line = `${name.padEnd(12)} opens in ${seconds(ms)} (${seconds(cpu)} CPU)`;
  if (selector) {
    const { perSecond, longest, perFrame } = await moves(page, selector);
    line += `; ${perSecond.toFixed(0)} frames/s, longest ${longest.toFixed(0)} ms, ${perFrame.toFixed(1)} ms CPU of the page for each`;
  }
  console.log(line);
  await page.context().close();
}
await browser.close();
server.close();
server.closeAllConnections();
