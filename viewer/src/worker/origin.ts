// SPDX-License-Identifier: Apache-2.0
// From where the data stand to their bytes.
import { DataError } from '../data/container';

const PROGRESS_EVERY_MS = 100;
const FIRST_ROOM = 2 ** 20;
// What a server claims is no reason to take all memory at once.
const MOST_ROOM = 2 ** 30;

export type Progress = (what: string, share: number | null) => void;

export async function loadBytes(from: string | { url: string }, progress: Progress): Promise<Uint8Array> {
  if (typeof from !== 'string') return fetchBytes(from.url, progress);
  progress('Unpacking', null);
  const compressed = decodeBase64(from);
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('deflate'));
  try {
    return await collect(stream, null, progress, 'Unpacking');
  } catch {
    throw new DataError('the data in this page are damaged');
  }
}

async function fetchBytes(url: string, progress: Progress): Promise<Uint8Array> {
  const response = await fetch(url, { cache: 'no-store' });
  if (!response.ok || !response.body) throw new DataError(`the data cannot be loaded (status ${response.status})`);
  const length = Number(response.headers.get('Content-Length')) || null;
  return collect(response.body, length, progress, 'Loading');
}

/** All bytes of a stream in one piece. Where their number is known, each is moved only once. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  length: number | null,
  progress: Progress,
  what: string,
): Promise<Uint8Array> {
  let whole = new Uint8Array(Math.min(length ?? FIRST_ROOM, MOST_ROOM));
  let size = 0;
  let told = -Infinity;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (size + value.length > whole.length) whole = enlarged(whole, size + value.length);
    whole.set(value, size);
    size += value.length;
    // Pieces come by the thousand.
    if (performance.now() - told < PROGRESS_EVERY_MS) continue;
    told = performance.now();
    progress(what, length ? Math.min(1, size / length) : null);
  }
  return whole.subarray(0, size);
}

function enlarged(bytes: Uint8Array<ArrayBuffer>, least: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(least, 2 * bytes.length));
  larger.set(bytes);
  return larger;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  try {
    if (native) return native.call(Uint8Array, text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    throw new DataError('the data in this page are damaged');
  }
}
