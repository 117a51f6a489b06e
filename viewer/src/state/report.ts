// SPDX-License-Identifier: Apache-2.0
// The report takes longer to add up than the columns that views are made of: of a large profile
// the server sends it later.
import { signal } from '@preact/signals';
import type { Meta } from '../data/meta';
import { opened } from './app';

/** Why there will be none; null: it is there, or on its way. */
export const reportError = signal<string | null>(null);

export async function followReport(): Promise<void> {
  try {
    const response = await fetch(new URL('report', location.href).href, { cache: 'no-store' });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const meta = (await response.json()) as Meta;
    const now = opened.peek();
    if (now) opened.value = { ...now, catalog: { ...now.catalog, meta } };
  } catch (error) {
    reportError.value = `The verdict cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
  }
}
