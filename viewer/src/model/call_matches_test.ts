// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { oneThread } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { matchesInside, ownersBehind, runsWithMatch } from './call_matches';
import { callRows } from './call_rows';
import { Engine } from './engine';
import { EVERYTHING } from './selection';
import { libraryRuns } from './visible_calls';

const SITE = '/x/site-packages';
const builder = oneThread()
  .sample({ stack: `a.py:main:1;${SITE}/p/a.py:enter:1;${SITE}/q/b.py:inner:2;${SITE}/r/c.py:deep:3`, weight: 10 })
  .sample({ stack: `a.py:main:1;${SITE}/p/a.py:enter:1;${SITE}/q/b.py:inner:2`, weight: 2 })
  .sample({ stack: 'a.py:other:9', weight: 1 });
const profile = readProfile(encode(builder.finish()));
const rows = callRows(new Engine(profile).tree(EVERYTHING), [], 0);
const nameOf = (key: number) => profile.string.get(profile.function.name[key]);
const pathOf = (key: number) => profile.string.get(profile.file.path[profile.function.file[key]]);
const named = (name: string) => (key: number) => nameOf(key) === name;
const names = [...rows.key].map(nameOf);
const runs = libraryRuns(rows, (key) => !pathOf(key).startsWith(SITE));

test('a match is inside of all its callers, and not of itself', () => {
  assert.deepEqual(names, ['main', 'enter', 'inner', 'deep', 'other']);
  const inside = (name: string) => names.filter((_, row) => matchesInside(rows, named(name))(row));
  assert.deepEqual(inside('deep'), ['main', 'enter', 'inner']);
  assert.deepEqual([inside('main'), inside('other'), inside('nobody')], [[], [], []]);
});

test('a hidden match is behind the call that entered the library', () => {
  assert.deepEqual([...runsWithMatch(rows, runs, named('deep'))], [names.indexOf('enter')]);
  assert.deepEqual([...runsWithMatch(rows, runs, named('enter'))], []);
});

test('what is hidden is named by where it belongs, heaviest first', () => {
  const owners = ownersBehind(rows, runs, names.indexOf('enter'), (key) => pathOf(key).split('/')[3]);
  assert.deepEqual(owners, ['r', 'q']);
});
