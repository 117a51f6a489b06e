// SPDX-License-Identifier: Apache-2.0
// What opening and moving a page costs: for the bench, and for the comparison with another viewer.
const FRAMES = 180;
const LONGEST_MS = 30_000;

/** CPU time by process: that depends less on what else the machine does than the time of the clock. */
async function cpuOfPages(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime * 1000]));
}

/** Milliseconds since the navigation until `isShown` (of Page) resolves and that is painted, and CPU time of the page with its workers. */
export async function opens(browser, address, isShown) {
  const session = await browser.newBrowserCDPSession();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const before = await cpuOfPages(session);
  await page.goto(address);
  await isShown(page);
  const ms = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))));
  // The browser also keeps a process ready for a page that may come.
  const spent = [...(await cpuOfPages(session))].map(([id, cpu]) => cpu - (before.get(id) ?? 0));
  return { page, ms, cpu: Math.max(...spent) };
}

/** CPU time of the page's main thread from now on. */
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

/**
 * Frames per second while the wheel zooms in and out and the picture is moved, the longest frame, and CPU time of the
 * page for each. `ctrlZooms`: the wheel zooms with Ctrl only.
 */
export async function moves(page, selector, ctrlZooms = false) {
  const spent = await cpuClock(page);
  const found = await page.evaluate(async ([where, most, longestMs, ctrlKey]) => {
    const { left, top, width } = document.querySelector(where).getBoundingClientRect();
    const target = document.elementFromPoint(left + width / 2, top + 100);
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let longest = 0;
    const start = performance.now();
    let last = start;
    let frames = 0;
    for (let i = 0; i < most && last - start < longestMs; ++i, ++frames) {
      const clientX = left + width * (0.3 + 0.4 * Math.abs(Math.sin(i / 20)));
      const wheel = { clientX, clientY: top + 100, bubbles: true, cancelable: true };
      if (i % 60 < 40) target.dispatchEvent(new WheelEvent('wheel', { ...wheel, ctrlKey, deltaY: i % 120 < 60 ? -60 : 60 }));
      else target.dispatchEvent(new WheelEvent('wheel', { ...wheel, deltaX: 40 }));
      await frame();
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return { perSecond: (frames * 1000) / (last - start), longest, frames };
  }, [selector, FRAMES, LONGEST_MS, ctrlZooms]);
  return { ...found, perFrame: (await spent()) / found.frames };
}
