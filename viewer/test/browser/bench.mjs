// SPDX-License-Identifier: Apache-2.0
// How fast a large profile opens, and how smoothly it moves: node test/browser/bench.mjs [FILE of page-data]
import { createReadStream, existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, folder } from '../bundled.mjs';

const { big, startBrowser } = await bundled(
  'bench_browser', "export * from './test/browser/page'; export { big } from './test/big';");
const file = process.argv[2] ?? join(tmpdir(), 'pyrometer-big.data');
if (!existsSync(file)) writeFileSync(file, big());

const server = createServer((request, response) => {
  const name = new URL(request.url, 'http://localhost').pathname.slice(1);
  if (name === '') createReadStream(join(folder, 'dist/page.html')).pipe(response.setHeader('Content-Type', 'text/html'));
  else if (name === 'data' || name === 'base') createReadStream(file, { highWaterMark: 2 ** 20 }).pipe(response.setHeader('Content-Length', statSync(file).size));
  else if (name !== 'alive') response.writeHead(404).end();
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await startBrowser();

const system = await browser.newBrowserCDPSession();

/** CPU time by process: that depends less on what else the machine does than the time of the clock. */
async function cpuOfPages() {
  const { processInfo } = await system.send('SystemInfo.getProcessInfo');
  return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime * 1000]));
}

/** Milliseconds since the navigation until the picture is there. */
async function opens(fragment, selector) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const before = await cpuOfPages();
  await page.goto(address + fragment);
  await page.waitForSelector(selector, { timeout: 120_000 });
  const ms = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))));
  // The browser also keeps a process ready for a page that may come.
  const spent = [...(await cpuOfPages())].map(([id, cpu]) => cpu - (before.get(id) ?? 0));
  return { page, ms, cpu: Math.max(...spent) };
}

const FRAMES = 180;

/** CPU time of the page's main thread from now on: that does not depend on what else the machine does. */
async function cpuClock(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const now = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const start = await now();
  return async () => (await now()) - start;
}

/** Frames per second while the wheel zooms in and out and the picture is dragged, and the longest frame. */
function moves(page, selector) {
  return page.evaluate(async ([where, frames]) => {
    const target = document.querySelector(where);
    const { left, top, width } = target.getBoundingClientRect();
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let longest = 0;
    const start = performance.now();
    let last = start;
    for (let i = 0; i < frames; ++i) {
      const clientX = left + width * (0.3 + 0.4 * Math.abs(Math.sin(i / 20)));
      const wheel = { clientX, clientY: top + 100, bubbles: true, cancelable: true };
      if (i % 60 < 40) target.dispatchEvent(new WheelEvent('wheel', { ...wheel, deltaY: i % 120 < 60 ? -60 : 60 }));
      else target.dispatchEvent(new WheelEvent('wheel', { ...wheel, deltaX: 40 }));
      await frame();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return { perSecond: (frames * 1000) / (last - start), longest };
  }, [selector, FRAMES]);
}

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
for (const [name, fragment, selector, shown] of [
  // The first screen: kinds of time, memory, the hottest lines and functions.
  ['summary', '', null, '.cards:has(.time-bar) + .cards .card:has(.places) + .card:has(.places)'],
  ['left heavy', '#flame', '.flame-canvas', '.flame-canvas canvas'],
  ['chart', '#flame?flame.mode=chart', '.flame-canvas', '.flame-canvas canvas'],
  ['timeline', '#timeline', '.timeline-lanes', '.timeline-lanes[aria-busy=false] canvas'],
  // The profile beside itself: twice as much to read.
  ['diff', '?compare#diff?diff.mode=flame', '.flame-canvas', '.flame-canvas canvas'],
]) {
  const { page, ms, cpu } = await opens(fragment, shown);
  let line = `${name.padEnd(12)} opens in ${seconds(ms)} (${seconds(cpu)} CPU)`;
  if (selector) {
    const spent = await cpuClock(page);
    const { perSecond, longest } = await moves(page, selector);
    const perFrame = (await spent()) / FRAMES;
    line += `; ${perSecond.toFixed(0)} frames/s, longest ${longest.toFixed(0)} ms, ${perFrame.toFixed(1)} ms CPU of the page for each`;
  }
  console.log(line);
  await page.context().close();
}
await browser.close();
server.close();
server.closeAllConnections();
