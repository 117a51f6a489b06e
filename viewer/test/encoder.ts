// SPDX-License-Identifier: Apache-2.0
// Writes the data of a page, for tests. The real writer is src/export/page.
import { MAGIC, VERSION } from '../src/data/container';
import { SCHEMA } from '../src/data/schema';

export type Rows = Record<string, number[]>;

export interface Source {
  meta: Record<string, unknown>;
  strings: string[];
  tables: Record<string, Rows>;
}

export class Bytes {
  private bytes = new Uint8Array(1 << 12);
  length = 0;

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  append(values: Uint8Array): void {
    this.reserve(values.length);
    this.bytes.set(values, this.length);
    this.length += values.length;
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  u32(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.byte((value >>> shift) & 255);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

export interface EncodedSection {
  name: string;
  encoding: number;
  count: number;
  content: Uint8Array;
}

export function textSection(name: string, text: string): EncodedSection {
  const content = new TextEncoder().encode(text);
  return { name, encoding: 0, count: content.length, content };
}

export function stringsSection(name: string, strings: string[]): EncodedSection {
  const encoded = strings.map((text) => new TextEncoder().encode(text));
  const bytes = new Bytes();
  for (const text of encoded) bytes.varint(text.length);
  for (const text of encoded) bytes.append(text);
  return { name, encoding: 4, count: strings.length, content: bytes.finish() };
}

/** As the format asks: constant where possible, else the shorter of numbers and deltas. */
export function numbersSection(name: string, values: ArrayLike<number>): EncodedSection {
  const count = values.length;
  let constant = count > 0;
  for (let i = 1; i < count && constant; ++i) constant = values[i] === values[0];
  const bytes = new Bytes();
  if (constant) {
    bytes.varint(values[0]);
    return { name, encoding: 3, count, content: bytes.finish() };
  }
  for (let i = 0; i < count; ++i) bytes.varint(values[i]);
  const deltas = deltasOf(values);
  if (deltas.length < bytes.length) return { name, encoding: 2, count, content: deltas };
  return { name, encoding: 1, count, content: bytes.finish() };
}

export function deltasOf(values: ArrayLike<number>): Uint8Array {
  const bytes = new Bytes();
  let before = 0;
  for (let i = 0; i < values.length; ++i) {
    const difference = values[i] - before;
    before = values[i];
    if (Math.abs(difference) < 2 ** 52) bytes.varint(difference >= 0 ? difference * 2 : -difference * 2 - 1);
    else wideVarint(bytes, difference);
  }
  return bytes.finish();
}

/** A zigzag above 2^53 is no exact double. */
function wideVarint(bytes: Bytes, difference: number): void {
  const wide = BigInt(difference);
  let rest = wide >= 0n ? wide * 2n : -wide * 2n - 1n;
  while (rest >= 128n) {
    bytes.byte(Number(rest % 128n) + 128);
    rest /= 128n;
  }
  bytes.byte(Number(rest));
}

export function containerOf(sections: EncodedSection[]): Uint8Array<ArrayBuffer> {
  const bytes = new Bytes();
  bytes.append(new TextEncoder().encode(MAGIC));
  bytes.u32(VERSION);
  bytes.u32(sections.length);
  for (const { name, encoding, count, content } of sections) {
    const label = new TextEncoder().encode(name);
    bytes.byte(label.length);
    bytes.append(label);
    bytes.byte(encoding);
    bytes.varint(count);
    bytes.varint(content.length);
    bytes.append(content);
  }
  return bytes.finish();
}

export function encode(source: Source): Uint8Array<ArrayBuffer> {
  const sections = [textSection('meta', JSON.stringify(source.meta)), stringsSection('string', source.strings)];
  for (const [table, columns] of Object.entries(SCHEMA)) {
    for (const column of Object.keys(columns)) {
      const values = source.tables[table]?.[column];
      if (values && values.length > 0) sections.push(numbersSection(`${table}.${column}`, values));
    }
  }
  return containerOf(sections);
}
