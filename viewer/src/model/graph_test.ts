// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../test/encoder';
import { demo } from '../../test/demo';
import { oneThread } from '../../test/synthetic';
import { readProfile } from '../data/profile';
import { Engine } from './engine';
import { CallGraph, GraphLimits, graphOf, MOST_NODES, through } from './graph';
import { EVERYTHING } from './selection';
import { totalsByKey } from './tree';

const ALL: GraphLimits = { nodeShare: 0, edgeShare: 0 };

function engineOf(stacks: Record<string, number>): Engine {
  const builder = oneThread();
  for (const [stack, weight] of Object.entries(stacks)) {
    builder.sample({ stack: stack.split(' ').map((name) => `a.py:${name}:1`).join(';'), weight });
  }
  return new Engine(readProfile(encode(builder.finish())));
}

const nameOf = ({ profile }: Engine, key: number) => profile.string.get(profile.function.name[key]);
const nodesOf = (engine: Engine, { nodes }: CallGraph) => nodes.map(({ key, total, self }) => `${nameOf(engine, key)} ${total} ${self}`);
const edgesOf = (engine: Engine, { nodes, edges }: CallGraph) =>
  edges.map(({ from, to, total }) => `${nameOf(engine, nodes[from].key)}>${nameOf(engine, nodes[to].key)} ${total}`).sort();

test('each function once, each call once', () => {
  const engine = engineOf({ 'm a x': 4, 'm b x': 3, 'm b': 2 });
  const graph = graphOf(engine.tree(EVERYTHING), engine.keys('function'), ALL);
  assert.deepEqual(nodesOf(engine, graph), ['m 9 0', 'x 7 7', 'b 5 2', 'a 4 0']);
  assert.deepEqual(edgesOf(engine, graph), ['a>x 4', 'b>x 3', 'm>a 4', 'm>b 5']);
});

test('recursion is a loop, and nothing is counted twice', () => {
  const engine = engineOf({ 'm f f f g': 5, 'm f g f': 2 });
  const graph = graphOf(engine.tree(EVERYTHING), engine.keys('function'), ALL);
  assert.deepEqual(nodesOf(engine, graph), ['m 7 0', 'f 7 2', 'g 7 5']);
  assert.deepEqual(edgesOf(engine, graph), ['f>f 5', 'f>g 7', 'g>f 2', 'm>f 7']);
});

test('thresholds hide and count', () => {
  const engine = engineOf({ 'm a': 90, 'm b': 9, 'm c': 1 });
  const graph = graphOf(engine.tree(EVERYTHING), engine.keys('function'), { nodeShare: 0.05, edgeShare: 0.5 });
  assert.deepEqual(nodesOf(engine, graph), ['m 100 0', 'a 90 90', 'b 9 9']);
  assert.deepEqual(edgesOf(engine, graph), ['m>a 90']);
  assert.deepEqual([graph.hiddenNodes, graph.hiddenEdges, graph.nodeShare], [1, 1, 0.09]);
});

test('unless asked otherwise, there are as many functions as can be read', () => {
  const engine = engineOf(Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`m f${i}`, 100 + i])));
  const graph = graphOf(engine.tree(EVERYTHING), engine.keys('function'), { nodeShare: null, edgeShare: 0 });
  assert.equal(graph.nodes.length, MOST_NODES);
  assert.equal(nameOf(engine, graph.nodes[1].key), 'f89');
});

test('through one function: only its callers and what it calls, with what they have of it', () => {
  const engine = engineOf({ 'm a x k': 4, 'm b x': 3, 'm b': 2, 'm c': 8 });
  const x = totalsByKey(engine.tree(EVERYTHING), engine.keys('function')).key.find((key) => nameOf(engine, key) === 'x')!;
  const graph = graphOf(through(engine.tree(EVERYTHING), x), engine.keys('function'), ALL);
  assert.deepEqual(nodesOf(engine, graph), ['m 7 0', 'x 7 3', 'a 4 0', 'k 4 4', 'b 3 0']);
});

test('totals and selfs are those of the table', () => {
  const engine = new Engine(readProfile(encode(demo())));
  const tree = engine.tree(EVERYTHING);
  const rows = totalsByKey(tree, engine.keys('function'));
  const { nodes, edges } = graphOf(tree, engine.keys('function'), ALL);
  assert.equal(nodes.reduce((sum, { self }) => sum + self, 0), tree.total[0]);
  assert.ok(nodes.length > 10 && edges.length > 10);
  for (const node of nodes) {
    const at = rows.key.indexOf(node.key);
    assert.deepEqual([node.total, node.self], [rows.total[at], rows.self[at]]);
  }
  for (const { to, total } of edges) assert.ok(total <= nodes[to].total);
});
