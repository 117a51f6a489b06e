// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containerOf, deltasOf, encode, numbersSection, stringsSection, textSection } from '../../test/encoder';
import { oneThread, randomNumbers } from '../../test/synthetic';
import { DataError, readContainer, readNumbers, readText, Section, Strings } from './container';
import { NotThereYet, Profile, readProfile as readLazily } from './profile';

/** With every column, so that all damage comes to light. */
function readProfile(bytes: Uint8Array): Profile {
  const profile = readLazily(bytes);
  while (profile.readOneMore());
  return profile;
}

function sectionOf(encoded: ReturnType<typeof numbersSection>): Section {
  return readContainer(containerOf([encoded])).get(encoded.name)!;
}

function numbersBack(values: number[], out: Float64Array | Uint32Array | Uint8Array = new Float64Array(values.length)) {
  readNumbers(sectionOf(numbersSection('n', values)), out);
  return [...out];
}

test('numbers come back whatever their size', () => {
  const values = [0, 1, 127, 128, 16383, 16384, 2 ** 28 - 1, 2 ** 28, 2 ** 31, 2 ** 32, 2 ** 49, Number.MAX_SAFE_INTEGER];
  assert.deepEqual(numbersBack(values), values);
  assert.deepEqual(numbersBack([...values].reverse()), [...values].reverse());
});

test('deltas come back, also the largest ones down and up', () => {
  const values = [Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER, 1, 5, 4];
  const out = new Float64Array(values.length);
  readNumbers({ name: 'n', encoding: 2, count: values.length, bytes: deltasOf(values) }, out);
  assert.deepEqual([...out], values);
});

test('a constant column is one number', () => {
  const section = sectionOf(numbersSection('n', [7, 7, 7]));
  assert.equal(section.bytes.length, 1);
  assert.deepEqual(numbersBack([7, 7, 7], new Uint8Array(3)), [7, 7, 7]);
});

test('text and strings come back, with any characters', () => {
  const strings = ['', 'main', '名前', '\u202e\0</script>', 'x'.repeat(10_000)];
  const read = Strings.read(sectionOf(stringsSection('string', strings)));
  assert.deepEqual(strings.map((_, i) => read.get(i)), strings);
  assert.equal(readText(sectionOf(textSection('t', 'größer'))), 'größer');
});

test('a value that does not fit its column is an error', () => {
  assert.throws(() => numbersBack([1, 300], new Uint8Array(2)), DataError);
  assert.throws(() => numbersBack([1, 2 ** 32], new Uint32Array(2)), DataError);
  assert.throws(() => numbersBack([300, 300], new Uint8Array(2)), DataError);
  const below = { name: 'n', encoding: 2, count: 1, bytes: Uint8Array.of(1) };
  assert.throws(() => readNumbers(below, new Float64Array(1)), DataError);
});

test('unknown sections are skipped, unknown encodings of known ones are not', () => {
  const source = oneThread().sample({ stack: 'a.py:f:1' }).finish();
  const unknown = { name: 'from.tomorrow', encoding: 99, count: 3, content: Uint8Array.of(1) };
  const meta = textSection('meta', JSON.stringify(source.meta));
  assert.equal(readProfile(containerOf([meta, unknown])).sample.rows, 0);
  const strange = { name: 'sample.time', encoding: 99, count: 1, content: Uint8Array.of(1) };
  assert.throws(() => readProfile(containerOf([meta, strange])), /unknown encoding/);
});

test('a table of constants cannot ask for more memory than the data are worth', () => {
  const meta = textSection('meta', '{"page":{}}');
  const columns = ['process', 'time', 'rss', 'pss', 'python', 'native', 'mapped'];
  const huge = columns.map((name) => ({ name: `level.${name}`, encoding: 3, count: 2 ** 40, content: Uint8Array.of(0) }));
  assert.throws(() => readProfile(containerOf([meta, ...huge])), /too many rows/);
});

test('a column that is missing is 0 in every row, if 0 is something', () => {
  const source = oneThread().sample({ stack: 'a.py:f:1' }).finish();
  delete source.tables.sample.task;
  delete source.tables.sample.activity;
  const { sample } = readProfile(encode(source));
  assert.deepEqual([[...sample.task], [...sample.activity], sample.rows], [[0], [0], 1]);
  delete source.tables.sample.thread;
  delete source.tables.thread;
  assert.throws(() => readProfile(encode(source)), /table thread is missing/);
});

test('indices must point at something', () => {
  const source = oneThread().sample({ stack: 'a.py:f:1' }).finish();
  source.tables.sample.thread[0] = 1;
  assert.throws(() => readProfile(encode(source)), /sample.thread/);
  source.tables.sample.thread[0] = 0;
  source.tables.stack.parent[1] = 1;
  assert.throws(() => readProfile(encode(source)), /before its parent/);
});

test('a column is read when it is asked for, and only then', () => {
  const source = oneThread().sample({ stack: 'a.py:f:1', weight: 7 }).finish();
  source.tables.sample.thread[0] = 1;
  const profile = readLazily(encode(source));
  assert.deepEqual([...profile.sample.weight], [7]);
  assert.equal(profile.sample.weight, profile.sample.weight);
  assert.throws(() => profile.sample.thread, /sample.thread/);
  assert.throws(() => { while (profile.readOneMore()); }, /sample.thread/);
});

/** `source` in two parts, of which the second has the columns of samples that `isLate` picks. */
function inParts(source: ReturnType<ReturnType<typeof oneThread>['finish']>, isLate: (column: string) => boolean) {
  const columns = Object.keys(source.tables.sample).filter(isLate);
  const late = columns.map((column) => numbersSection(`sample.${column}`, source.tables.sample[column]));
  for (const column of columns) delete source.tables.sample[column];
  return { first: encode({ ...source, meta: { page: { rest: late.map(({ name }) => name) } } }), late };
}

test('columns that come later are missed until they are there', () => {
  const source = oneThread().sample({ stack: 'a.py:f:1', weight: 7 }).finish();
  const { first, late } = inParts(source, (column) => column === 'time' || column === 'task');
  const profile = readLazily(first);
  assert.equal(profile.sample.rows, 1);
  assert.throws(() => profile.sample.time, NotThereYet);
  while (profile.readOneMore());
  assert.deepEqual([...profile.sample.weight], [7]);
  assert.throws(() => profile.addRest(containerOf(late.slice(1))), /sample.\w+ is missing/);
  assert.throws(() => profile.addRest(containerOf(late.map(({ name }) => numbersSection(name, [1, 2])))), /differ in length/);
  assert.throws(() => profile.sample.time, NotThereYet);
  profile.addRest(containerOf(late));
  assert.equal(profile.sample.time.length, 1);
  assert.equal(profile.readOneMore(), true);
  assert.equal(profile.readOneMore(), false);
});

test('an empty column may point into an empty table', () => {
  const empty = { name: 'await.task', encoding: 1, count: 0, content: new Uint8Array(0) };
  const profile = readProfile(containerOf([textSection('meta', '{"page":{}}'), empty]));
  assert.equal(profile.await.task.length, 0);
});

test('a table may come later as a whole', () => {
  const source = oneThread().sample({ stack: 'a.py:f:1', weight: 7 }).sample({ stack: 'a.py:f:1', weight: 8 }).finish();
  const { first, late } = inParts(source, () => true);
  const profile = readLazily(first);
  assert.throws(() => profile.sample.rows, NotThereYet);
  assert.throws(() => profile.sample.weight, NotThereYet);
  while (profile.readOneMore());
  profile.addRest(containerOf(late));
  assert.equal(profile.sample.rows, 2);
  assert.deepEqual([...profile.sample.weight], [7, 8]);
});

test('numbers of one byte each are checked as others are', () => {
  const section = (bytes: number[]) => ({ name: 'n', encoding: 1, count: bytes.length, bytes: Uint8Array.from(bytes) });
  const out = new Uint32Array(3);
  readNumbers(section([1, 127, 0]), out);
  assert.deepEqual([...out], [1, 127, 0]);
  assert.throws(() => readNumbers(section([1, 9, 0]), out, 8), /out of bounds/);
  assert.throws(() => readNumbers(section([1, 200, 0]), out), /does not have the 3 elements/);
});

function someProfile() {
  const builder = oneThread();
  const random = randomNumbers(1);
  for (let i = 0; i < 60; ++i) {
    const depth = 1 + Math.floor(random() * 4);
    const stack = Array.from({ length: depth }, () => `f${Math.floor(random() * 3)}.py:g${Math.floor(random() * 5)}:${Math.floor(random() * 9)}`);
    builder.sample({ stack: stack.join(';'), activity: Math.floor(random() * 10), weight: 1 + Math.floor(random() * 1e6) });
  }
  return encode(builder.finish());
}

test('data that are cut anywhere are an error', () => {
  const bytes = someProfile();
  for (let length = 0; length < bytes.length; ++length) {
    assert.throws(() => readProfile(bytes.subarray(0, length)), DataError, `cut at ${length}`);
  }
  assert.throws(() => readProfile(new Uint8Array([...bytes, 0])), /after the last section/);
});

test('damaged bytes are an error or another profile, never anything else', () => {
  const bytes = someProfile();
  const random = randomNumbers(2);
  let refused = 0;
  for (let round = 0; round < 3000; ++round) {
    const damaged = bytes.slice();
    for (let flips = 1 + Math.floor(random() * 4); flips > 0; --flips) {
      damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
    }
    try {
      const profile = readProfile(damaged);
      assert.ok(profile.stack.parent.every((parent, i) => i === 0 || parent < i));
    } catch (error) {
      assert.ok(error instanceof DataError, String(error));
      ++refused;
    }
  }
  assert.ok(refused > 1000);
});
