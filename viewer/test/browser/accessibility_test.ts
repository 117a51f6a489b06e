// SPDX-License-Identifier: Apache-2.0
// Every view for who listens to the page, goes by keys, or sees no colours.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { demo } from '../demo';
import { openPage, startBrowser } from './page';

let browser: Browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.close());

/** Each view, and what stands there when it is complete. */
const VIEWS: [fragment: string, shown: string][] = [
  ['#summary', '.places'],
  ['#source?search=zlib', '.code-row'],
  ['#source?source.mode=table', '.table-row'],
  ['#flame', '.flame-canvas canvas'],
  ['#flame?flame.mode=chart', '.flame-canvas canvas'],
  ['#flame?flame.mode=sandwich&chosen=1', '.flame-canvas canvas'],
  ['#timeline', '.timeline-lanes canvas'],
  ['#calls', '[role=treegrid], [role=tree]'],
  ['#graph', '.graph-canvas canvas, .graph canvas'],
  ['#memory', '.memory canvas'],
  ['#table?search=zlib', '.table-row'],
  ['#diff', '.table-row'],
  ['#diff?diff.mode=flame', '.flame-canvas canvas'],
];
const open = async (fragment: string, shown: string, dark = false) => {
  const opened = await openPage(browser, demo(), { fragment, dark, base: demo() });
  await opened.page.waitForSelector(shown);
  await opened.page.waitForTimeout(150);
  return opened;
};

const ROLES_TO_NAME = new Set([
  'button', 'link', 'checkbox', 'radio', 'textbox', 'searchbox', 'combobox', 'listbox', 'slider', 'tab', 'tabpanel', 'tablist', 'menuitem',
  'grid', 'treegrid', 'tree', 'table', 'img', 'image', 'dialog', 'navigation', 'region', 'toolbar', 'radiogroup', 'group', 'columnheader',
]);

interface AxNode {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
  backendDOMNodeId?: number;
}

/** What the browser tells a screen reader. */
async function axNodes(page: Page): Promise<AxNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: AxNode[] };
  return nodes.filter(({ ignored }) => !ignored);
}

for (const [fragment, shown] of VIEWS) {
  test(`${fragment}: everything that can be used has a name`, async () => {
    const { page, complaints } = await open(fragment, shown);
    const nodes = await axNodes(page);
    const isFocusable = (node: AxNode) => node.properties?.some(({ name, value }) => name === 'focusable' && value.value === true) ?? false;
    const nameless = nodes.filter((node) => {
      const role = node.role?.value ?? '';
      const isNamed = (node.name?.value ?? '').trim() !== '';
      return !isNamed && (ROLES_TO_NAME.has(role) || (isFocusable(node) && role !== 'RootWebArea'));
    });
    assert.deepEqual(nameless.map((node) => `${node.role?.value} ${JSON.stringify(node.properties)}`), []);
    // What can be focused is something: a role says what keys do there.
    assert.deepEqual(nodes.filter((node) => isFocusable(node) && ['generic', 'none', ''].includes(node.role?.value ?? '')).length, 0);
    const twice = await page.evaluate(() => {
      const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
      return ids.filter((id, i) => ids.indexOf(id) !== i);
    });
    assert.deepEqual(twice, []);
    assert.deepEqual(complaints, []);
  });
}

test('Tab goes through each view in the order of the page, and shows where it is', async () => {
  for (const [fragment, shown] of VIEWS) {
    const { page } = await open(fragment, shown);
    const seen: { top: number; at: number; hasOutline: boolean; name: string; isInside: boolean }[] = [];
    for (let step = 0; step < 30; ++step) {
      await page.keyboard.press('Tab');
      const now = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement | null;
        if (!element || element === document.body) return null;
        const { top, left, bottom, right } = element.getBoundingClientRect();
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return {
          top, at: [...document.querySelectorAll('*')].indexOf(element),
          hasOutline: (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none',
          name: `${element.tagName} ${element.className} ${element.textContent!.slice(0, 30)}`,
          isInside: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
        };
      });
      if (!now) break;
      seen.push(now);
    }
    assert.ok(seen.length >= 8, `${fragment}: only ${seen.length} stops`);
    for (const { hasOutline, isInside, name } of seen) assert.ok(hasOutline && isInside, `${fragment}: ${name} outline ${hasOutline} inside ${isInside}`);
    const order = seen.map(({ at }) => at);
    assert.deepEqual(order, [...order].sort((a, b) => a - b), fragment);
    assert.equal(await page.locator('[tabindex]:not([tabindex="0"]):not([tabindex="-1"])').count(), 0);
    await page.context().close();
  }
});

/** Texts whose contrast with what is behind them is below what WCAG 2.2 (AA) asks for. */
function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Colour = [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const parse = (text: string): Colour => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = (top: Colour, bottom: Colour): Colour => {
      const mix = (i: number) => top[i] * top[3] + bottom[i] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const backgroundOf = (element: Element): Colour => {
      const layers: Colour[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) {
        const layer = parse(getComputedStyle(at).backgroundColor);
        layers.push(layer);
        if (layer[3] === 1) break;
      }
      return layers.reduceRight<Colour>((below, layer) => over(layer, below), [255, 255, 255, 1]);
    };
    const light = ([red, green, blue]: Colour) => {
      const [r, g, b] = [red, green, blue].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const faint = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement!;
      const text = walker.currentNode.textContent!.trim();
      if (text === '' || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || ['SCRIPT', 'STYLE', 'OPTION', 'OPTGROUP'].includes(element.tagName)) continue;
      if (element.closest(':disabled, [aria-disabled=true]')) continue;
      const style = getComputedStyle(element);
      const behind = backgroundOf(element);
      const [one, other] = [light(over(parse(style.color), behind)), light(behind)];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (contrast < (isLarge ? 3 : 4.5) - 0.005) faint.add(`${element.tagName}.${element.className} "${text.slice(0, 20)}" ${contrast.toFixed(2)}`);
    }
    return [...faint];
  });
}

for (const dark of [false, true]) {
  test(`${dark ? 'dark' : 'light'}: all texts stand out from what is behind them`, async () => {
    for (const [fragment, shown] of VIEWS) {
      const { page } = await open(fragment, shown, dark);
      assert.deepEqual(await faintTexts(page), [], fragment);
      await page.keyboard.press('?');
      await page.waitForSelector('dialog[open]');
      assert.deepEqual(await faintTexts(page), [], `${fragment}, help`);
      await page.context().close();
    }
  });
}

test('who listens can close what has opened, and is back where it was', async () => {
  const { page } = await open('#flame', '.flame-canvas canvas');
  await page.focus('[aria-label="Keyboard shortcuts"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open]');
  assert.ok(await page.evaluate(() => document.querySelector('dialog[open]')!.contains(document.activeElement)));
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement!.getAttribute('aria-label')), 'Keyboard shortcuts');
});
