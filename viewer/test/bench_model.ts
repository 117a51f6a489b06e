// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readProfile } from '../src/data/profile';
import { activityTotals } from '../src/model/activity_totals';
import { Atlas } from '../src/model/atlas';
import { invert } from '../src/model/callers';
import { catalogOf } from '../src/model/catalog';
import { chartOf } from '../src/model/chart';
import { leastOf } from '../src/model/detail';
import { Engine } from '../src/model/engine';
import { layoutTree } from '../src/model/layout';
import { lineCalls } from '../src/model/line_calls';
import { fileFigures, lineFigures } from '../src/model/line_figures';
import { lineHistory } from '../src/model/line_history';
import { metricOf } from '../src/model/metrics';
import { rank } from '../src/model/ranking';
import { EVERYTHING, weighingOf } from '../src/model/selection';
import { totalsByKey } from '../src/model/tree';
import { countedActivities } from '../src/model/weigh';
import { big, FULL_SIZE } from './big';

const [samples = FULL_SIZE.samples, stacks = FULL_SIZE.stacks] = process.argv.slice(2).map(Number);

function timed<T>(what: string, run: () => T): T {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  const ms = (value: number) => `${value.toFixed(0).padStart(6)} ms`;
  console.log(`${what.padEnd(34)} ${ms(performance.now() - start)}, CPU ${ms((user + system) / 1000)}`);
  return result;
}

const file = process.env.BIG_FILE;
const bytes = timed('(making the data)', () => {
  if (file && existsSync(file)) return new Uint8Array(readFileSync(file));
  const made = big({ ...FULL_SIZE, samples, stacks });
  if (file) writeFileSync(file, made);
  return made;
});
console.log(`${(bytes.length / 1e6).toFixed(0)} MB`);
const profile = timed('read', () => readProfile(bytes));
const engine = new Engine(profile);
timed('catalog', () => catalogOf(profile));
timed('samples by thread', () => engine.samplesByThread());
timed('weights', () => engine.weights(weighingOf(EVERYTHING)));
timed('fold', () => engine.folding({ frames: 'mixed', by: 'function', collapse: false, recursion: false }));
const tree = timed('tree', () => engine.tree(EVERYTHING));
timed('layout', () => layoutTree(tree));
const first = timed('layout for a first look', () => layoutTree(tree, leastOf(tree.total[0], 0)));
timed('table', () => totalsByKey(tree, engine.keys('function')));
const inverted = timed('invert', () => invert(tree));
timed('layout of it', () => layoutTree(inverted, leastOf(inverted.total[0], 0)));
const half = { begin: 0, end: profile.meta.page.end_ns / 2 };
timed('weights of half of the time', () => engine.weights({ ...EVERYTHING, range: half }));
const counted = countedActivities(profile, EVERYTHING, metricOf('wall'));
const folding = engine.folding({ frames: 'mixed', by: 'function', collapse: false, recursion: false });
for (const what of ['chart', 'chart again']) {
  timed(what, () => chartOf(profile, folding, engine.samplesByThread(), 0, counted, half, 3000));
}
timed('fold by line, collapsed', () => engine.folding({ frames: 'both', by: 'line', collapse: true, recursion: false }));
timed('fold, recursion folded', () => engine.folding({ frames: 'both', by: 'function', collapse: false, recursion: true }));
console.log(`${tree.nodes} nodes, ${first.key.length} boxes at first, ${inverted.nodes} inverted`);

const atlas = new Atlas(profile);
const everything = weighingOf(EVERYTHING);
timed('lines of the source', () => atlas.lines);
timed('activities', () => activityTotals(profile, everything));
timed('hottest lines', () => rank(engine, atlas, everything, 'line', 'own', 8));
timed('hottest functions', () => rank(engine, atlas, everything, 'function', 'own', 8));
timed('hottest lines by waits', () => rank(engine, atlas, { ...everything, metric: 'waits' }, 'line', 'own', 5));
timed('files', () => fileFigures(engine, atlas, everything, 'own'));
timed('figures of a file', () => lineFigures(engine, atlas, everything, 0, 'own'));
timed('figures of a file, total', () => lineFigures(engine, atlas, everything, 0, 'total'));
timed('histories of a file', () => lineHistory(atlas, everything, 0, 'own'));
timed('histories of a file, total', () => lineHistory(atlas, everything, 0, 'total'));
timed('calls of a line', () => lineCalls(atlas, engine.weights(everything), 0, atlas.lines.line[0], 'total'));
