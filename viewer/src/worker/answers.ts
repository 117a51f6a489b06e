// SPDX-License-Identifier: Apache-2.0
import { DataError } from '../data/container';
import { readProfile } from '../data/profile';
import { activityTotals } from '../model/activity_totals';
import { Atlas } from '../model/atlas';
import { calleesOf, callersOf, invert, neighboursOf } from '../model/callers';
import { catalogOf, Catalog } from '../model/catalog';
import { chartOf } from '../model/chart';
import { leastOf } from '../model/detail';
import { Engine } from '../model/engine';
import { layoutTree } from '../model/layout';
import { lineCalls } from '../model/line_calls';
import { fileFigures, lineFigures } from '../model/line_figures';
import { lineHistory } from '../model/line_history';
import { memoryLevels } from '../model/memory_levels';
import { memoryParts } from '../model/memory_parts';
import { metricOf } from '../model/metric';
import { sumBlocks, sumRegions } from '../model/named_stretches';
import { processTotals } from '../model/process_totals';
import { rank } from '../model/ranking';
import { findMatches } from '../model/search';
import { shapeOf, weighingOf, Selection } from '../model/selection';
import { blocksOf, channelTotals, levelsOf, momentOf, regionsOf } from '../model/timeline';
import type { Tracks } from '../model/tracks';
import { totalsByKey } from '../model/tree';
import { countedActivities } from '../model/weigh';
import { loadBytes, Progress } from './origin';
import type { Question, Questions, SelectionTotals, Which } from './protocol';

type Answers = { [Q in Question]: (input: Questions[Q]['in']) => Questions[Q]['out'] | Promise<Questions[Q]['out']> };

/** The worker's side of every question. */
export function answersTo(progress: Progress): Answers {
  const engines: { data?: Engine; base?: Engine } = {};
  // By function: what a search looks at.
  let searched: string[] = [];

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
  const open = async (which: Which, from: Questions['open']['in']['data']): Promise<Catalog> => {
    const bytes = await loadBytes(from, progress);
    progress('Reading', null);
    const opened = new Engine(readProfile(bytes));
    engines[which] = opened;
    const catalog = catalogOf(opened.profile);
    if (which === 'data') {
      const { name, file } = catalog.functions;
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
      const counted = countedActivities(profile, weighingOf(selection), metricOf(selection.metric));
      return {
        layout: chartOf(profile, folding, engine().samplesByThread(), thread, counted, range, columns),
        whole: whole(selection),
      };
    },
    search({ selection, recursion }) {
      const { frame } = engine().profile;
      const textOf = (key: number) => searched[selection.by === 'line' ? frame.function[key] : key];
      const tree = engine().tree(selection, recursion);
      const matches = findMatches(tree, engine().keys(selection.by), textOf, selection.search);
      return { matches, whole: whole(selection) };
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
    activities({ selection }) {
      return activityTotals(engine().profile, weighingOf(selection));
    },
    processes({ selection }) {
      return processTotals(engine().profile, weighingOf(selection));
    },
    stretches({ selection }) {
      const weighing = weighingOf(selection);
      return { regions: sumRegions(engine().profile, weighing), blocks: sumBlocks(atlas(), weighing) };
    },
    memory_levels({ selection, most }) {
      return memoryLevels(engine().profile, weighingOf(selection), most);
    },
    memory_parts({ selection }) {
      return memoryParts(engine().profile, weighingOf(selection), metricOf(selection.metric));
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
    source({ file, which }) {
      const { file: files, string } = engine(which).profile;
      const source = files.source[file] ?? 0;
      return { text: source > 0 ? string.get(source) : null };
    },
  };
}
