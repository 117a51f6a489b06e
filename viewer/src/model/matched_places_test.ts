// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { oneThread } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { catalogOf } from './catalog';
import { matchedFunctions, matchedLines, matchedPlaces, nextPlace } from './matched_places';

const builder = oneThread();
const [a, b, native] = ['a.py', 'b.py', 'lib.so'].map((path) => builder.file(path));
for (const [path, name, line] of [['a.py', 'load', 3], ['a.py', 'save', 9], ['b.py', 'load', 20], ['b.py', 'rest', 1]] as const) builder.function(path, name, line);
builder.sample({ stack: 'a.py:load:4;a.py:save:12;b.py:load:25' });
builder.sample({ stack: 'a.py:load:6;lib.so:load:0' });
const catalog = catalogOf(readProfile(encode(builder.finish())));
const named = (name: string) => Uint8Array.from(catalog.functions.name, (own) => (own === name ? 1 : 0));

test('functions are found by functions and by lines', () => {
  const byLine = Uint8Array.from(catalog.frames.function, (owner) => named('load')[owner]);
  assert.deepEqual([...matchedFunctions(catalog, 'line', byLine)], [...named('load')]);
  assert.deepEqual([...matchedFunctions(catalog, 'function', named('load'))], [...named('load')]);
});

test('lines of a file that were found', () => {
  assert.deepEqual([...matchedLines(catalog, named('load'), a)].sort(), [3, 4, 6]);
  assert.deepEqual([...matchedLines(catalog, named('load'), b)].sort(), [20, 25]);
  assert.deepEqual([...matchedLines(catalog, named('nobody'), a)], []);
  const wholeFile = Uint8Array.from(catalog.functions.file, (file) => (file === a ? 1 : 0));
  assert.deepEqual([...matchedLines(catalog, wholeFile, a)], []);
});

test('from match to match, through all files and around', () => {
  const files = [b, a];
  const places = matchedPlaces(catalog, named('load'), files);
  assert.deepEqual(places, [{ file: b, line: 20 }, { file: a, line: 3 }]);
  assert.deepEqual(nextPlace(places, files, { file: b, line: 1 }, 1), { file: b, line: 20 });
  assert.deepEqual(nextPlace(places, files, { file: b, line: 20 }, 1), { file: a, line: 3 });
  assert.deepEqual(nextPlace(places, files, { file: a, line: 3 }, 1), { file: b, line: 20 });
  assert.deepEqual(nextPlace(places, files, { file: a, line: 7 }, -1), { file: a, line: 3 });
  assert.deepEqual(nextPlace(places, files, { file: b, line: 20 }, -1), { file: a, line: 3 });
  assert.equal(nextPlace([], files, { file: a, line: 1 }, 1), null);
  assert.ok(places.every(({ file }) => file !== native));
});
