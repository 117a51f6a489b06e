// SPDX-License-Identifier: Apache-2.0
// The containers that every reader and writer of them agrees about: tests/corpus/README.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { containerOf, EncodedSection, numbersSection, stringsSection, textSection } from '../../test/encoder';
import { DataError, Encoding, readContainer, readNumbers, readText, Section, Strings } from './container';

type Values = string | string[] | number[];

interface Case {
  name: string;
  bytes: string;
  refused?: true;
  written?: false;
  sections: { name: string; encoding: keyof typeof Encoding; values: Values }[];
}

const CORPUS = JSON.parse(readFileSync('../tests/corpus/page-container.json', 'utf8')) as Case[];
const NAMES = Object.keys(Encoding) as (keyof typeof Encoding)[];

function valuesOf(section: Section): Values {
  if (section.encoding === Encoding.text) return readText(section);
  if (section.encoding === Encoding.strings) {
    const strings = Strings.read(section);
    return Array.from({ length: strings.length }, (_, i) => strings.get(i));
  }
  const numbers = new Float64Array(section.count);
  readNumbers(section, numbers);
  return [...numbers];
}

function read(bytes: string): Case['sections'] {
  const sections = [...readContainer(Buffer.from(bytes, 'hex')).values()];
  return sections.map((section) => ({ name: section.name, encoding: NAMES[section.encoding], values: valuesOf(section) }));
}

function write({ name, encoding, values }: Case['sections'][number]): EncodedSection {
  if (encoding === 'text') return textSection(name, values as string);
  return encoding === 'strings' ? stringsSection(name, values as string[]) : numbersSection(name, values as number[]);
}

test('each container of the corpus is read, or refused', () => {
  assert.ok(CORPUS.length > 30);
  for (const { name, bytes, refused, sections } of CORPUS) {
    if (refused) assert.throws(() => read(bytes), DataError, name);
    else assert.deepEqual(read(bytes), sections, name);
  }
});

test('the writer of the tests writes the bytes of the corpus', () => {
  const written = CORPUS.filter((one) => !one.refused && one.written !== false);
  assert.ok(written.length > 10);
  for (const { name, bytes, sections } of written) {
    assert.equal(Buffer.from(containerOf(sections.map(write))).toString('hex'), bytes, name);
  }
});
