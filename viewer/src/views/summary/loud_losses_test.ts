// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CounterClass } from '../../data/schema';
import { countersOf } from '../../model/report';
import { counterText, noteText } from './counter_text';
import { loudLosses } from './loud_losses';

const counter = (id: string, of: CounterClass, value: number, text: string, unit = 'count') => ({ id, pid: 1, class: of, value, unit, text });
const loss = (of: CounterClass, value: number, text: string) => countersOf([counter('any_id', of, value, text)]);
const isLoud = (of: CounterClass, value: number, text = 'words', costs: ReturnType<typeof countersOf> = []) =>
  loudLosses(loss(of, value, text), costs, 1000).length > 0;

test('no words of a loss make its alert, and none take it away', () => {
  for (const text of ['', 'records dropped, ring full', 'x', 'threads not sampled', 'memory samples not followed', '\u202e<b>']) {
    assert.ok(isLoud('lost_samples', 90, text));
    assert.ok(isLoud('lost_threads', 1, text));
    assert.ok(isLoud('lost_memory_samples', 90, text));
    assert.ok(!isLoud('lost_detail', 1e9, text));
  }
});

test('samples are loud when they are many, threads when there is one', () => {
  assert.ok(!isLoud('lost_samples', 50));
  assert.ok(isLoud('lost_samples', 60));
  assert.ok(!isLoud('lost_samples', 0));
  assert.ok(!isLoud('lost_threads', 0));
});

test('samples of memory are measured by those that there are, whatever these are called', () => {
  const taken = countersOf([counter('memory_samples', 'cost', 1e6, 'any words'), counter('samples', 'cost', 1, 'memory samples')]);
  assert.ok(!isLoud('lost_memory_samples', 90, 'words', taken));
  assert.ok(isLoud('lost_memory_samples', 90_000, 'words', taken));
});

test('a class that the page does not know is not loud', () => {
  assert.ok(!isLoud('lost_coffee' as CounterClass, 1e9));
});

test('counters and notes in words', () => {
  const [count] = countersOf([counter('x', 'lost_threads', 3, 'threads not sampled')]);
  assert.equal(counterText(count), '3 threads not sampled');
  const [excess] = countersOf([counter('cpu_excess', 'note', 2e9, 'too much', 'nanoseconds')]);
  assert.equal(noteText(excess), '2.00 s too much');
  const [note] = countersOf([counter('note', 'note', 1, 'no stacks')]);
  assert.equal(noteText(note), 'no stacks');
});
