// SPDX-License-Identifier: Apache-2.0
// How fast a large profile opens, and how smoothly it moves: node test/browser/bench.mjs [FILE of page-data]
import { createReadStream, existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, folder } from '../bundled.mjs';

const { big, openAddress, startBrowser } = await bundled(
  'bench_browser', "export * from './test/browser/page'; export { big } from './test/big';");
const file = process.argv[2] ?? join(tmpdir(), 'pyrometer-big.data');
if (!existsSync(file)) writeFileSync(file, big());

const server = createServer((request, response) => {
  const name = new URL(request.url, 'http://localhost').pathname.slice(1);
  if (name === '') createReadStream(join(folder, 'dist/page.html')).pipe(response.setHeader('Content-Type', 'text/html'));
  else if (name === 'data') createReadStream(file).pipe(response.setHeader('Content-Length', statSync(file).size));
  else if (name !== 'alive') response.writeHead(404).end();
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await startBrowser();

/** Milliseconds since the navigation until the picture is there. */
async function opens(fragment, selector) {
  const { page } = await openAddress(browser, address, { fragment });
  await page.waitForSelector(selector, { timeout: 120_000 });
  const ms = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))));
  return { page, ms };
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

for (const [name, fragment, selector] of [
  ['left heavy', '#flame', '.flame-canvas'],
  ['chart', '#flame?flame.mode=chart', '.flame-canvas'],
  ['timeline', '#timeline', '.timeline-lanes'],
]) {
  const { page, ms } = await opens(fragment, `${selector} canvas`);
  const cpu = await cpuClock(page);
  const { perSecond, longest } = await moves(page, selector);
  const perFrame = (await cpu()) / FRAMES;
  console.log(`${name.padEnd(12)} opens in ${(ms / 1000).toFixed(2)} s, ${perSecond.toFixed(0)} frames/s, longest ${longest.toFixed(0)} ms, ${perFrame.toFixed(1)} ms CPU of the page for each`);
  await page.context().close();
}
await browser.close();
server.close();
server.closeAllConnections();
