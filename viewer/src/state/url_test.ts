// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERYTHING } from '../model/selection';
import { coarse, fragmentOf, State, stateOf } from './url';

const VIEWS = ['flame', 'table'];
const METRICS = ['time', 'live_at_peak'];

test('the start is a short address', () => {
  const state: State = { view: 'flame', selection: EVERYTHING, chosen: -1, options: {} };
  assert.equal(fragmentOf(state), '#flame');
  assert.deepEqual(stateOf('#flame', VIEWS, METRICS), state);
  assert.deepEqual(stateOf('', VIEWS, METRICS), state);
});

test('every state comes back from its address', () => {
  const state: State = {
    view: 'table',
    selection: {
      metric: 'live_at_peak', processes: [1], threads: [0, 3], tasks: [7], range: { begin: 5, end: 2_000_000_000_000 },
      frames: 'python', by: 'line', collapse: true, search: 'a+b? & #"<ü>',
    },
    chosen: 12,
    options: { 'flame.mode': 'inverted', 'table.sort': 'total' },
  };
  assert.deepEqual(stateOf(fragmentOf(state), VIEWS, METRICS), state);
});

test('nonsense is left out', () => {
  const state = stateOf('#nowhere?metric=x&threads=1,-2,z&range=9,3&frames=all&chosen=1e9&collapse=yes', VIEWS, METRICS);
  assert.deepEqual(state, { view: 'flame', selection: { ...EVERYTHING, threads: [1] }, chosen: -1, options: {} });
});

test('zooming, walking through lines and typing are small steps; another view or option is a large one', () => {
  const state: State = { view: 'source', selection: EVERYTHING, chosen: -1, options: { 'source.at': '1_5_-1', 'flame.zoom': '0_9_0' } };
  const walked = { ...state, chosen: 4, selection: { ...EVERYTHING, search: 'x' }, options: { 'source.at': '1_6_4' } };
  assert.equal(coarse(walked), coarse(state));
  assert.notEqual(coarse({ ...state, options: { 'source.charge': 'self' } }), coarse(state));
  assert.notEqual(coarse({ ...state, view: 'flame' }), coarse(state));
});
