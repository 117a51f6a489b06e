// SPDX-License-Identifier: Apache-2.0
import { DataError } from '../data/container';
import { Profile, readProfile } from '../data/profile';
import { activityTotals } from '../model/activity_totals';
import { Atlas } from '../model/atlas';
import { Cache } from '../model/cache';
import { callRows } from '../model/call_rows';
import { calleesOf, callersOf, invert, neighboursOf } from '../model/callers';
import { catalogOf, Catalog } from '../model/catalog';
import { chartOf } from '../model/chart';
import { leastOf } from '../model/detail';
import { diffBoxes, diffRows, DiffTree, diffTree, Whole, wholeOf } from '../model/diff';
import { Engine } from '../model/engine';
import { graphOf, through } from '../model/graph';
import { boxFor, roomFor } from '../model/graph_box';
import { placeLayers } from '../model/layers';
import { layoutTree } from '../model/layout';
import { lineCalls } from '../model/line_calls';
import { fileFigures, lineFigures } from '../model/line_figures';
import { lineHistory } from '../model/line_history';
import { memoryLevels } from '../model/memory_levels';
import { memoryParts } from '../model/memory_parts';
import { Matching, matchKeys } from '../model/match';
import { sumBlocks, sumRegions } from '../model/span_sums';
import { placeIntervals } from '../model/place_intervals';
import { processTotals } from '../model/process_totals';
import { rank } from '../model/ranking';
import { findMatches } from '../model/search';
import { shapeOf, weighingOf, Selection } from '../model/selection';
import { blocksOf, channelTotals, levelsOf, momentOf, regionsOf } from '../model/timeline';
import type { Tracks } from '../model/tracks';
import { tableRows } from '../model/table';
import { totalsByKey } from '../model/tree';
import { countedActivities } from '../model/weigh';
import { loadBytes, Progress } from './origin';
import type { Question, Questions, SelectionTotals, Which } from './protocol';

type Answers = { [Q in Question]: (input: Questions[Q]['in']) => Questions[Q]['out'] | Promise<Questions[Q]['out']> };

/**
 * The worker's side of every question. `onOpened` is called for each profile; `loadRest` gets what of it is still to come,
 * which answers may need (NotThereYet).
 */
export function answersTo(progress: Progress, onOpened: (profile: Profile, loadRest: () => Promise<void>) => void): Answers {
  const engines: { data?: Engine; base?: Engine } = {};
  // By function: what a search looks at.
  let searched: string[] = [];
  let names: string[] = [];
  const matchings = new Cache<Matching>(2);
  const diffTrees = new Cache<{ tree: DiffTree; whole: Whole }>(1);

  const engine = (which: Which = 'data'): Engine => {
    const found = engines[which];
    if (!found) throw new DataError('there is no profile to compare with');
    return found;
  };
  let places: Atlas | null = null;
  const atlas = (): Atlas => (places ??= new Atlas(engine().profile));
  const whole = (selection: Selection, which?: Which): SelectionTotals => {
    const { total, totalSamples } = engine(which).weights(weighingOf(selection));
    return { total, samples: totalSamples };
  };
  const matching = (by: Selection['by']) =>
    matchings.get(by, () => matchKeys(engine('data').profile, engine('base').profile, by));
  const open = async (which: Which, from: Questions['open']['in']['data']): Promise<Catalog> => {
    const bytes = await loadBytes(from, progress);
    progress('Reading', null);
    const opened = new Engine(readProfile(bytes));
    engines[which] = opened;
    const catalog = catalogOf(opened.profile);
    onOpened(opened.profile, restOf(opened.profile, from));
    if (which === 'data') {
      const { name, file } = catalog.functions;
      names = name;
      searched = name.map((text, i) => `${text} ${catalog.files.path[file[i]]}`);
    }
    return catalog;
  };

  return {
    async open({ data, base }) {
      return { catalog: await open('data', data), base: base ? await open('base', base) : null };
    },
    table({ selection, which }) {
      const tree = engine(which).tree(selection);
      return { rows: totalsByKey(tree, engine(which).keys(selection.by)), whole: whole(selection, which) };
    },
    flame({ selection, inverted, recursion, detail, which }) {
      const tree = engine(which).tree(selection, recursion);
      const least = leastOf(tree.total[0], detail);
      return { layout: layoutTree(inverted ? invert(tree) : tree, least), whole: whole(selection, which) };
    },
    sandwich({ selection, key, recursion }) {
      const tree = engine().tree(selection, recursion);
      return {
        callers: layoutTree(callersOf(tree, key, engine().keys(selection.by))),
        callees: layoutTree(calleesOf(tree, key)),
        whole: whole(selection),
      };
    },
    chart({ selection, thread, range, columns, recursion }) {
      const { profile } = engine();
      const folding = engine().folding({ ...shapeOf(selection), recursion });
      const counted = countedActivities(profile, weighingOf(selection), engine().metrics.of(selection.metric));
      return { layout: chartOf(profile, folding, engine().samplesByThread(), thread, counted, range, columns) };
    },
    search({ selection, recursion }) {
      const { frame } = engine().profile;
      const textOf = (key: number) => searched[selection.by === 'line' ? frame.function[key] : key];
      const tree = engine().tree(selection, recursion);
      const matches = findMatches(tree, engine().keys(selection.by), textOf, selection.search);
      return { matches, by: selection.by, whole: whole(selection) };
    },
    neighbours({ selection, key, recursion }) {
      const tree = engine().tree(selection, recursion);
      return { ...neighboursOf(tree, key, engine().keys(selection.by)), whole: whole(selection) };
    },
    lanes({ threads, tasks, range, columns }) {
      const of = (tracks: Tracks, wanted: number[]) =>
        wanted.filter((track) => track < tracks.count).map((track) => ({ track, values: tracks.columns(track, range, columns) }));
      return {
        range,
        columns,
        threads: of(engine().threadTracks(), threads),
        tasks: tasks.length > 0 ? of(engine().taskTracks(), tasks) : [],
      };
    },
    spans() {
      const { profile } = engine();
      return { regions: regionsOf(profile), blocks: blocksOf(profile), levels: levelsOf(profile) };
    },
    moment({ thread, time }) {
      return { moment: momentOf(engine(), thread, time) };
    },
    channels({ selection }) {
      return { totals: channelTotals(engine(), weighingOf(selection)) };
    },
    ranking({ selection, by, charge, most }) {
      return rank(engine(), atlas(), weighingOf(selection), by, charge, most);
    },
    intervals({ selection, by, charge, places: wanted }) {
      return placeIntervals(engine(), atlas(), weighingOf(selection), by, charge, wanted);
    },
    activities({ selection }) {
      return activityTotals(engine().profile, weighingOf(selection));
    },
    processes({ selection }) {
      return processTotals(engine().profile, weighingOf(selection));
    },
    span_sums({ selection }) {
      const weighing = weighingOf(selection);
      return { regions: sumRegions(engine().profile, weighing), blocks: sumBlocks(atlas(), weighing) };
    },
    memory_levels({ selection, most }) {
      return memoryLevels(engine().profile, weighingOf(selection), most);
    },
    memory_parts({ selection }) {
      return memoryParts(engine().profile, weighingOf(selection), engine().metrics.of(selection.metric));
    },
    files({ selection, charge }) {
      return fileFigures(engine(), atlas(), weighingOf(selection), charge);
    },
    lines({ selection, file, charge }) {
      return lineFigures(engine(), atlas(), weighingOf(selection), file, charge);
    },
    line_history({ selection, file, charge }) {
      return lineHistory(atlas(), weighingOf(selection), file, charge);
    },
    line_calls({ selection, file, line, charge }) {
      return lineCalls(atlas(), engine().weights(weighingOf(selection)), file, line, charge);
    },
    rows({ selection }) {
      return tableRows(engine(), selection);
    },
    calls({ selection, inverted, share }) {
      const tree = engine().tree(selection);
      const parts = engine().parts(selection);
      if (!inverted) {
        const byNode = parts.map(({ part, tree: { self, total } }) => ({ name: part.name, self, total }));
        return { rows: callRows(tree, byNode, share), whole: whole(selection) };
      }
      const turned = invert(tree, parts.map(({ tree: { self } }) => self));
      const byNode = parts.map(({ part }, i) => ({ name: part.name, self: turned.more[i], total: turned.more[i] }));
      return { rows: callRows(turned, byNode, share), whole: whole(selection) };
    },
    graph({ selection, focus, limits }) {
      const all = engine().tree(selection);
      const graph = graphOf(focus < 0 ? all : through(all, focus), engine().keys(selection.by), limits);
      const { frame } = engine().profile;
      const boxes = graph.nodes.map(({ key }) => boxFor(names[selection.by === 'line' ? frame.function[key] : key]));
      const links = graph.edges.map(({ from, to, total }) => ({ from, to, weight: total }));
      const loops = new Set(graph.edges.filter(({ from, to }) => from === to).map(({ from }) => from));
      const placed = placeLayers(boxes.map((box, i) => roomFor(box, loops.has(i))), links);
      return { graph, placed, boxes, whole: whole(selection) };
    },
    diff({ selection }) {
      const { ownKeys, onlyBase } = matching(selection.by);
      return {
        rows: diffRows(engine(), engine('base'), selection, matching(selection.by)),
        onlyBase: onlyBase.slice(),
        ownKeys,
        whole: wholeOf(engine(), engine('base'), selection),
      };
    },
    diff_flame({ selection, share, vanished, detail }) {
      const { ownKeys, onlyBase } = matching(selection.by);
      const { tree, whole } = diffTrees.get(selection, () => ({
        tree: diffTree(engine(), engine('base'), selection, matching(selection.by)),
        whole: wholeOf(engine(), engine('base'), selection),
      }));
      const scale = share && whole.base.amount > 0 ? whole.fresh.amount / whole.base.amount : 1;
      return { ...diffBoxes(tree, scale, vanished, detail), onlyBase: onlyBase.slice(), ownKeys, whole };
    },
    source({ file, which }) {
      const { file: files, string } = engine(which).profile;
      const source = files.source[file] ?? 0;
      return { text: source > 0 ? string.get(source) : null };
    },
  };
}

/** What the first screen does not need comes when it is asked for: until then it would only hold that up. */
function restOf(profile: Profile, from: Questions['open']['in']['data']): () => Promise<void> {
  const load = async () => {
    if (!profile.meta.page.rest?.length) return;
    if (typeof from === 'string') throw new DataError('the data in this page are not all there');
    profile.addRest(await loadBytes({ url: new URL('rest', from.url).href }, () => {}));
  };
  let rest: Promise<void> | null = null;
  return () => (rest ??= load());
}
