// SPDX-License-Identifier: Apache-2.0
// From where the data stand to their bytes.
import { DataError } from '../data/container';

const PROGRESS_EVERY_MS = 100;

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

/** All bytes of a stream in one piece. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  length: number | null,
  progress: Progress,
  what: string,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let told = -Infinity;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
    // Pieces come by the thousand.
    if (performance.now() - told < PROGRESS_EVERY_MS) continue;
    told = performance.now();
    progress(what, length ? Math.min(1, size / length) : null);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
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
