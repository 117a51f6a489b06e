// SPDX-License-Identifier: Apache-2.0
// The built page with data inside, in a real browser.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { Browser, chromium, Page } from 'playwright-core';
import { encode, Source } from '../encoder';
import { matchedBase } from '../matched';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function startBrowser(more: string[] = []): Promise<Browser> {
  const failures: string[] = [];
  for (const executablePath of process.env.CHROMIUM ? [process.env.CHROMIUM] : PLACES) {
    try {
      return await chromium.launch({ executablePath, args: ['--no-sandbox', ...more] });
    } catch (error) {
      failures.push(String(error).split('\n')[0]);
    }
  }
  throw new Error(`no browser: ${failures.join('; ')}`);
}

/** The one-file form, as `pyrometer export -f html` makes it. */
export function writePage(data: Uint8Array, base?: Uint8Array): string {
  const template = readFileSync(join(process.cwd(), 'dist/page.html'), 'utf8');
  const element = (id: string, bytes: Uint8Array) =>
    `<script type="application/octet-stream" id="${id}">${deflateSync(bytes).toString('base64')}</script>`;
  const elements = element('data', data) + (base ? element('base', base) : '');
  const path = join(mkdtempSync(join(tmpdir(), 'page-')), 'page.html');
  writeFileSync(path, template.replace('<!--DATA-->', () => elements));
  return path;
}

export interface OpenPage {
  page: Page;
  /** Everything that must not happen: errors, violations of the policy, requests beside the page. */
  complaints: string[];
  address: string;
}

export interface OpenOptions {
  fragment?: string;
  dark?: boolean;
  width?: number;
  height?: number;
  base?: Source;
}

export async function openPage(browser: Browser, source: Source, options: OpenOptions = {}): Promise<OpenPage> {
  const address = `file://${writePage(encode(source), options.base && encode(matchedBase(options.base, source)))}`;
  return openAddress(browser, address, options);
}

export async function openAddress(browser: Browser, address: string, options: OpenOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith('blob:') && !url.startsWith('data:')) complaints.push(`request: ${url}`);
  });
  await page.goto(address + (options.fragment ?? ''));
  await page.waitForSelector('.app, .opening .error');
  return { page, complaints, address };
}
