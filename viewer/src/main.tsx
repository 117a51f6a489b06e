// SPDX-License-Identifier: Apache-2.0
// Entry of the page: opens the data in the worker, shows how far it is, then the views.
import { render } from 'preact';
import { App, offeredViews } from './app';
import { opened, viewIds } from './state/app';
import { listenToKeys } from './state/keys';
import { followReport } from './state/report';
import { followSystemTheme } from './state/theme';
import { followAddress } from './state/url';
import { Client } from './worker/client';
import type { Origin } from './worker/protocol';
import { Opening } from './widgets/opening';

/** The worker's script as text: the build puts it here. */
declare const WORKER_CODE: string;

function start(): void {
  const root = document.getElementById('app')!;
  followSystemTheme();
  const showOpening = (what: string, share: number | null, error: string | null = null) =>
    render(<Opening what={what} share={share} error={error} />, root);
  showOpening('Loading', null);
  const origin = originOf(document);
  const client = new Client(WORKER_CODE);
  client.onProgress = showOpening;
  client.onBroken = (why) => showOpening('', null, why);
  client.ask('open', origin, 'open').then(
    ({ catalog, base }) => {
      document.title = `${catalog.title} – pyrometer`;
      opened.value = { client, catalog, base };
      viewIds.value = offeredViews().map(({ id }) => id);
      followAddress(viewIds.value, catalog);
      listenToKeys();
      render(<App />, root);
      if (catalog.meta.page.partial === true) void followReport();
    },
    (error: unknown) => showOpening('', null, error instanceof Error ? error.message : String(error)),
  );
}

/** Data inside the page, else those of the server that it comes from, which ends when this page does. */
function originOf(page: Document): Origin {
  const take = (id: string) => {
    const element = page.getElementById(id);
    const text = element?.textContent?.trim() ?? null;
    // The text may be a hundred megabytes: the worker's copy is enough.
    element?.remove();
    return text;
  };
  const data = take('data');
  if (data !== null) return { data, base: take('base') };
  const at = (name: string) => ({ url: new URL(name, location.href).href });
  fetch(at('alive').url).catch(() => {});
  const compare = new URLSearchParams(location.search).has('compare');
  return { data: at('data'), base: compare ? at('base') : null };
}

start();
