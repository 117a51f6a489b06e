// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Layout } from '../model/layout';
import { LIGHT } from './colour';
import { frameOf, movedTo, overviewCells, Strip } from './overview';
import { cellOf } from './painter';

// 20 rows of 19 pixels, of which 10 are on the screen, in a strip of 40 pixels.
const STRIP: Strip = { width: 100, height: 40, rows: 20, extent: { begin: 1000, end: 2000 }, seen: 190 };

test('the frame is where the picture is', () => {
  assert.deepEqual(frameOf(STRIP, { begin: 1000, end: 2000, scroll: 0 }), { left: 0, top: 0, width: 100, height: 20 });
  assert.deepEqual(frameOf(STRIP, { begin: 1500, end: 1600, scroll: 95 }), { left: 50, top: 10, width: 10, height: 20 });
  const deep = frameOf(STRIP, { begin: 1500, end: 1600, scroll: 1e6 });
  assert.ok(deep.top < STRIP.height && deep.top + deep.height <= STRIP.height);
});

test('a frame that is moved takes the picture with it, but not out of its bounds', () => {
  const viewport = { begin: 1500, end: 1600, scroll: 0 };
  assert.deepEqual(movedTo(STRIP, viewport, 20, 10), { begin: 1200, end: 1300, scroll: 95 });
  assert.deepEqual(movedTo(STRIP, viewport, -50, -5), { begin: 1000, end: 1100, scroll: 0 });
  assert.deepEqual(movedTo(STRIP, viewport, 500, 500), { begin: 1900, end: 2000, scroll: 190 });
  const there = frameOf(STRIP, movedTo(STRIP, viewport, 33, 7));
  assert.deepEqual([Math.round(there.left), Math.round(there.top)], [33, 7]);
});

test('a strip has the box in the middle of each column', () => {
  // Row 0: all; row 1: [0, 4) [4, 4.2) [6, 10).
  const layout: Layout = {
    rows: Uint32Array.of(0, 1, 4), begin: Float64Array.of(0, 0, 4, 6), end: Float64Array.of(10, 4, 4.2, 10),
    key: Int32Array.of(-1, 0, 1, 2), parent: Int32Array.of(-1, 0, 0, 0), self: new Float64Array(4), samples: new Float64Array(4),
  };
  const colours = ['#000001', '#000002', '#000003'];
  const style = { theme: LIGHT, colourOf: (key: number) => colours[key], isMatch: null, firstRow: 0, dimmed: '#0000ff' };
  const strip: Strip = { width: 5, height: 40, rows: 2, extent: { begin: 0, end: 10 }, seen: 100 };
  const [a, , c] = colours.map(cellOf);
  const all = cellOf(LIGHT.line);
  assert.deepEqual([...overviewCells(layout, strip, style)], [all, all, all, all, all, a, a, 0, c, c]);
  const found = overviewCells(layout, { ...strip, rows: 1 }, { ...style, firstRow: 1, isMatch: (key) => key === 2 });
  assert.deepEqual([...found], [cellOf('#0000ff'), cellOf('#0000ff'), 0, cellOf(LIGHT.match), cellOf(LIGHT.match)]);
});
