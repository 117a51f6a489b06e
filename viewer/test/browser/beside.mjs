// SPDX-License-Identifier: Apache-2.0
// The page beside speedscope, with the same samples in the same browser, one after the other:
//   node test/browser/beside.mjs ROUNDS SPEEDSCOPE_FOLDER TITLE PAGE_DATA SPEEDSCOPE_JSON [TITLE PAGE_DATA SPEEDSCOPE_JSON]...
// Prints a table. bench/viewer/compare makes the files and calls it.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { bundled, folder } from '../bundled.mjs';
import { moves, opens } from './motion.mjs';

const { startBrowser } = await bundled('beside', "export * from './test/browser/page';");
const [rounds, speedscope, ...files] = process.argv.slice(2);
const LONGEST_MS = 240_000;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };

let served = { data: '', json: '' };
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const send = (path) => {
    response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
    createReadStream(path, { highWaterMark: 2 ** 20 }).on('error', () => response.destroy()).pipe(response.setHeader('Content-Length', statSync(path).size));
  };
  if (pathname === '/ours/') return send(join(folder, 'dist/page.html'));
  if (pathname === '/ours/data') return send(served.data);
  if (pathname === '/profile.json') return send(served.json);
  if (pathname.startsWith('/speedscope/')) return send(join(speedscope, normalize(pathname).slice('/speedscope/'.length)));
  if (pathname !== '/ours/alive') response.writeHead(404).end();
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const origin = `http://127.0.0.1:${server.address().port}`;

const VIEWERS = [
  {
    name: 'pyrometer',
    address: `${origin}/ours/#flame?flame.mode=chart`,
    isShown: (page) => page.waitForSelector('.flame-canvas canvas', { timeout: 0 }),
    selector: '.flame-canvas',
    ctrlZooms: false,
  },
  {
    name: 'speedscope',
    address: `${origin}/speedscope/index.html#profileURL=${encodeURIComponent(`${origin}/profile.json`)}`,
    // The names of its orders stand there once a profile does; what it cannot open, it says.
    isShown: (page) => page.waitForFunction(() => {
      const text = document.body.innerText;
      const trouble = text.split('\n').find((line) => /wrong|fail|error/i.test(line));
      if (trouble) throw new Error(trouble.trim());
      return text.includes('Left Heavy');
    }, undefined, { timeout: 0, polling: 100 }),
    selector: 'body',
    ctrlZooms: true,
  },
];

function tooLate() {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(`not within ${LONGEST_MS / 1000} s`)), LONGEST_MS).unref());
}

/** A page that is busy for minutes does not let its browser close. */
async function endPages(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  for (const { id, type } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
console.log('| profile | viewer | file, MB | opens, s | CPU to open, s | frames/s | longest frame, ms | CPU for a frame, ms |');
console.log('|---|---|---|---|---|---|---|---|');
for (let at = 0; at + 2 < files.length; at += 3) {
  const [title, data, json] = files.slice(at, at + 3);
  served = { data, json };
  const found = new Map(VIEWERS.map(({ name }) => [name, []]));
  const troubles = new Map();
  for (let round = 0; round < Number(rounds); ++round) {
    for (const { name, address, isShown, selector, ctrlZooms } of VIEWERS) {
      if (troubles.has(name)) continue;
      // A browser of its own: what the other one has left behind costs nothing here. WebGL is done in software for both.
      const browser = await startBrowser(['--enable-unsafe-swiftshader']);
      try {
        const look = async () => {
          const { page, ms, cpu } = await opens(browser, address, isShown);
          found.get(name).push({ ms, cpu, ...(await moves(page, selector, ctrlZooms)) });
        };
        await Promise.race([look(), tooLate()]);
      } catch (error) {
        troubles.set(name, String(error.message ?? error).split('\n')[0].replace(/^.*?Error: /, '').slice(0, 90));
        await endPages(browser);
      }
      await browser.close();
    }
  }
  for (const { name } of VIEWERS) {
    const size = (statSync(name === 'pyrometer' ? data : json).size / 1e6).toFixed(0);
    const of = (key, scale = 1, digits = 0) => (median(found.get(name).map((one) => one[key])) / scale).toFixed(digits);
    const cells = troubles.has(name)
      ? [`does not open it: ${troubles.get(name)}`, '', '', '', '']
      : [of('ms', 1000, 2), of('cpu', 1000, 2), of('perSecond'), of('longest'), of('perFrame', 1, 1)];
    console.log(`| ${[title, name, size, ...cells].join(' | ')} |`);
  }
}
server.close();
server.closeAllConnections();
