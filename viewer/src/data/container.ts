// SPDX-License-Identifier: Apache-2.0
// The bytes of a page's data: named sections (docs/format/page-data.md).
// Everything here is untrusted input: no length is believed before it fits the bytes that are there.

export const MAGIC = 'PYROPAGE';
export const VERSION = 1;

export const Encoding = { text: 0, numbers: 1, deltas: 2, constant: 3, strings: 4 } as const;

/** Data that are not what the format says. The message is for the user. */
export class DataError extends Error {}

export interface Section {
  name: string;
  encoding: number;
  count: number;
  bytes: Uint8Array;
}

export type NumberArray = Uint8Array | Uint32Array | Float64Array;

const LARGEST = Number.MAX_SAFE_INTEGER;
const LOW_SIZE = 2 ** 28;

/** Reads from front to back; every step checks that the bytes are there. */
class Cursor {
  at = 0;

  constructor(readonly bytes: Uint8Array) {}

  byte(): number {
    if (this.at >= this.bytes.length) throw new DataError('the data end too early');
    return this.bytes[this.at++];
  }

  u32(): number {
    const value = this.byte() + this.byte() * 2 ** 8 + this.byte() * 2 ** 16;
    return value + this.byte() * 2 ** 24;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let length = 0; length < 8; ++length) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (value > LARGEST) break;
        return value;
      }
      scale *= 128;
    }
    throw new DataError('a number in the data is too large');
  }

  take(length: number): Uint8Array {
    if (length > this.bytes.length - this.at) throw new DataError('the data end too early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

export function readContainer(bytes: Uint8Array): Map<string, Section> {
  const cursor = new Cursor(bytes);
  const decoder = new TextDecoder();
  if (bytes.length < MAGIC.length || decoder.decode(cursor.take(MAGIC.length)) !== MAGIC) {
    throw new DataError('these are not the data of a pyrometer page');
  }
  const version = cursor.u32();
  if (version !== VERSION) {
    throw new DataError(`the data have version ${version}, this page reads version ${VERSION}`);
  }
  const sections = new Map<string, Section>();
  const count = cursor.u32();
  for (let number = 0; number < count; ++number) {
    const name = decoder.decode(cursor.take(cursor.byte()));
    const encoding = cursor.byte();
    const elements = cursor.varint();
    const content = cursor.take(cursor.varint());
    if (sections.has(name)) throw new DataError(`section ${name} is there twice`);
    sections.set(name, { name, encoding, count: elements, bytes: content });
  }
  if (cursor.at !== bytes.length) throw new DataError('there are bytes after the last section');
  return sections;
}

export function readText(section: Section): string {
  if (section.encoding !== Encoding.text) throw wrongEncoding(section);
  if (section.count !== section.bytes.length) throw wrongCount(section);
  return new TextDecoder().decode(section.bytes);
}

/** Fills `out`, which has `section.count` elements. A value above `most`, or that does not fit, is an error. */
export function readNumbers(section: Section, out: NumberArray, most = LARGEST): void {
  const { numbers, deltas, largest } = READERS.get(out.constructor)!;
  const limit = Math.min(most, largest);
  switch (section.encoding) {
    case Encoding.numbers:
      return section.count === section.bytes.length ? readBytes(section, out, limit) : numbers(section, out, limit);
    case Encoding.deltas:
      return deltas(section, out, limit);
    case Encoding.constant: {
      const cursor = new Cursor(section.bytes);
      const value = cursor.varint();
      if (cursor.at !== section.bytes.length) throw wrongCount(section);
      if (out.length > 0 && value > limit) throw wrongValue(section);
      out.fill(value);
      return;
    }
    default:
      throw wrongEncoding(section);
  }
}

/** Whether each element has bytes of its own, so that the count cannot be larger than the data. */
export function hasBytesPerElement(section: Section): boolean {
  return section.encoding !== Encoding.constant;
}

/** As many numbers as bytes: each is one byte, if they are numbers at all. */
function readBytes(section: Section, out: NumberArray, most: number): void {
  const { bytes } = section;
  if (bytes.length !== out.length) throw wrongCount(section);
  let largest = 0;
  for (let i = 0; i < bytes.length; ++i) if (bytes[i] > largest) largest = bytes[i];
  if (largest >= 128) throw wrongCount(section);
  // An empty column may point into an empty table.
  if (bytes.length > 0 && largest > most) throw wrongValue(section);
  out.set(bytes);
}

type VarintReader = (section: Section, out: NumberArray, most: number) => void;

/**
 * One reader for each type of array: the engine compiles a loop for the types that it has seen in it,
 * and a loop that has seen three of them is slower.
 */
const READERS = new Map<Function, { numbers: VarintReader; deltas: VarintReader; largest: number }>([
  [Uint8Array, { numbers: makeVarintReader(false), deltas: makeVarintReader(true), largest: 2 ** 8 - 1 }],
  [Uint32Array, { numbers: makeVarintReader(false), deltas: makeVarintReader(true), largest: 2 ** 32 - 1 }],
  [Float64Array, { numbers: makeVarintReader(false), deltas: makeVarintReader(true), largest: LARGEST }],
]);

function makeVarintReader(deltas: boolean): VarintReader {
  return (section, out, most) => {
    const { bytes, count } = section;
    if (count > bytes.length || count !== out.length) throw wrongCount(section);
    let at = 0;
    let value = 0;
    for (let i = 0; i < count; ++i) {
      // Behind the end, bytes are undefined: each number then ends at once, and the sum of lengths is wrong.
      let low = bytes[at++];
      // A zigzag of 54 bits is no exact double, so the part above 28 bits is kept apart.
      let high = 0;
      if (low >= 128) {
        let byte = bytes[at++];
        low = (low & 127) | ((byte & 127) << 7);
        if (byte >= 128) {
          byte = bytes[at++];
          low |= (byte & 127) << 14;
          if (byte >= 128) {
            byte = bytes[at++];
            low |= (byte & 127) << 21;
            for (let scale = 1; byte >= 128; scale *= 128) {
              if (scale > 2 ** 21) throw wrongValue(section);
              byte = bytes[at++];
              high += (byte & 127) * scale;
            }
          }
        }
      }
      if (deltas) {
        // Nearly all steps are small: those are whole numbers of 32 bits, without a branch for their sign.
        const step = (low >>> 1) ^ -(low & 1);
        if (high === 0) value += step;
        else value += (low & 1) !== 0 ? step - high * (LOW_SIZE / 2) : step + high * (LOW_SIZE / 2);
      } else {
        value = high === 0 ? low : low + high * LOW_SIZE;
      }
      if (!(value >= 0 && value <= most)) throw wrongValue(section);
      out[i] = value;
    }
    if (at !== bytes.length) throw wrongCount(section);
  };
}

/** Texts that are decoded when they are asked for: most of them (sources) never are. */
export class Strings {
  private readonly starts: Uint32Array;
  private readonly decoder = new TextDecoder();

  private constructor(private readonly bytes: Uint8Array, readonly length: number) {
    this.starts = new Uint32Array(length + 1);
  }

  static readonly empty = new Strings(new Uint8Array(0), 0);

  static read(section: Section): Strings {
    if (section.encoding !== Encoding.strings) throw wrongEncoding(section);
    if (section.count > section.bytes.length) throw wrongCount(section);
    // A copy: texts are kept as long as the page is open, and must not keep all other data with them.
    const strings = new Strings(section.bytes.slice(), section.count);
    const cursor = new Cursor(section.bytes);
    let sum = 0;
    for (let i = 0; i < section.count; ++i) {
      strings.starts[i] = sum;
      sum += cursor.varint();
      if (sum > section.bytes.length) throw wrongCount(section);
    }
    strings.starts[section.count] = sum;
    if (cursor.at + sum !== section.bytes.length) throw wrongCount(section);
    for (let i = 0; i <= section.count; ++i) strings.starts[i] += cursor.at;
    return strings;
  }

  get(index: number): string {
    return this.decoder.decode(this.bytes.subarray(this.starts[index], this.starts[index + 1]));
  }
}

function wrongEncoding(section: Section): DataError {
  return new DataError(`section ${section.name} has the unknown encoding ${section.encoding}`);
}

function wrongCount(section: Section): DataError {
  return new DataError(`section ${section.name} does not have the ${section.count} elements that it claims`);
}

function wrongValue(section: Section): DataError {
  return new DataError(`section ${section.name} has a value out of bounds`);
}
