// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { oneThread } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { Engine } from './engine';
import { findMatches, patternOf } from './search';
import { EVERYTHING } from './selection';

test('capitals matter once there are any; what is no expression is text', () => {
  assert.ok(patternOf('main').test('MAIN') && !patternOf('Main').test('main'));
  assert.ok(patternOf('\\W').test('+') && patternOf('\\W').flags.includes('i'));
  assert.ok(patternOf('f(').test('call f(x)'));
  assert.ok(!patternOf('a.c').test('ac') && patternOf('a.c').test('abc'));
});

test('a stack with two matches counts once', () => {
  const builder = oneThread()
    .sample({ stack: 'a.py:walk:1;a.py:walk2:1', weight: 5, count: 2 })
    .sample({ stack: 'a.py:walk:1', weight: 3 })
    .sample({ stack: 'a.py:other:1', weight: 90 });
  const engine = new Engine(readProfile(encode(builder.finish())));
  const { profile } = engine;
  const nameOf = (key: number) => profile.string.get(profile.function.name[key]);
  const found = findMatches(engine.tree(EVERYTHING), engine.keys('function'), nameOf, 'walk');
  assert.deepEqual([found.keys, found.total, found.samples], [2, 8, 3]);
});
