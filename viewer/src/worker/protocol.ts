// SPDX-License-Identifier: Apache-2.0
// What the page may ask the worker. A new question is one line here and one in answers.ts.
import type { ActivityTotals } from '../model/activity_totals';
import type { Neighbours } from '../model/callers';
import type { CallRows } from '../model/call_rows';
import type { Catalog } from '../model/catalog';
import type { DiffBoxes, DiffRows, Whole } from '../model/diff';
import type { CallGraph, GraphLimits } from '../model/graph';
import type { Placed } from '../model/layers';
import type { Layout } from '../model/layout';
import type { LineCalls } from '../model/line_calls';
import type { FileFigures, LineFigures } from '../model/line_figures';
import type { LineHistory } from '../model/line_history';
import type { MemoryLevels } from '../model/memory_levels';
import type { MemoryParts } from '../model/memory_parts';
import type { Intervals } from '../model/place_intervals';
import type { Charge } from '../model/places';
import type { ProcessTotals } from '../model/process_totals';
import type { Ranking } from '../model/ranking';
import type { Matches } from '../model/search';
import type { Range, Selection } from '../model/selection';
import type { Levels, Moment, Spans } from '../model/timeline';
import type { BlockSum, RegionSum } from '../model/span_sums';
import type { TableRows } from '../model/table';
import type { KeyTotals } from '../model/tree';

/** `base`: of the profile that the other one is compared with. */
export type Which = 'data' | 'base';

export interface SelectionTotals {
  total: number;
  samples: number;
}

export interface Lanes {
  range: Range;
  columns: number;
  threads: { track: number; values: Float32Array }[];
  tasks: { track: number; values: Float32Array }[];
}

/** Question: what goes in, and what comes out. */
export interface Questions {
  open: { in: Origin; out: { catalog: Catalog; base: Catalog | null } };
  table: { in: { selection: Selection; which?: Which }; out: { rows: KeyTotals; whole: SelectionTotals } };
  flame: {
    /** `detail`: how far the picture is zoomed in (model/detail.ts); without it all boxes come. */
    in: { selection: Selection; inverted: boolean; recursion: boolean; detail?: number; which?: Which };
    out: { layout: Layout; whole: SelectionTotals };
  };
  sandwich: {
    in: { selection: Selection; key: number; recursion: boolean };
    out: { callers: Layout; callees: Layout; whole: SelectionTotals };
  };
  chart: {
    in: { selection: Selection; thread: number; range: Range; columns: number; recursion: boolean };
    out: { layout: Layout };
  };
  search: { in: { selection: Selection; recursion: boolean }; out: { matches: Matches; by: Selection['by']; whole: SelectionTotals } };
  neighbours: { in: { selection: Selection; key: number; recursion: boolean }; out: Neighbours & { whole: SelectionTotals } };
  /** What tracks did over time: nanoseconds by column and channel (model/tracks.ts), track by track. */
  lanes: { in: { threads: number[]; tasks: number[]; range: Range; columns: number }; out: Lanes };
  spans: { in: Record<string, never>; out: { regions: Spans; blocks: Spans; levels: Levels } };
  moment: { in: { thread: number; time: number }; out: { moment: Moment | null } };
  channels: { in: { selection: Selection }; out: { totals: Float64Array } };
  ranking: {
    in: { selection: Selection; by: 'line' | 'function'; charge: Charge; most: number };
    out: Ranking;
  };
  intervals: {
    in: { selection: Selection; by: 'line' | 'function'; charge: Charge; places: number[] };
    out: Intervals;
  };
  activities: { in: { selection: Selection }; out: ActivityTotals };
  processes: { in: { selection: Selection }; out: ProcessTotals[] };
  span_sums: { in: { selection: Selection }; out: { regions: RegionSum[]; blocks: BlockSum[] } };
  memory_levels: { in: { selection: Selection; most: number }; out: MemoryLevels };
  memory_parts: { in: { selection: Selection }; out: MemoryParts };
  files: { in: { selection: Selection; charge: Charge }; out: FileFigures };
  lines: { in: { selection: Selection; file: number; charge: Charge }; out: LineFigures };
  line_history: { in: { selection: Selection; file: number; charge: Charge }; out: LineHistory };
  line_calls: { in: { selection: Selection; file: number; line: number; charge: Charge }; out: LineCalls };
  rows: { in: { selection: Selection }; out: TableRows };
  /** `share`: the least part of everything that a call needs for a row. */
  calls: { in: { selection: Selection; inverted: boolean; share: number }; out: { rows: CallRows; whole: SelectionTotals } };
  /** `focus`: only stacks with this key; -1: all. */
  graph: {
    in: { selection: Selection; focus: number; limits: GraphLimits };
    out: { graph: CallGraph; placed: Placed; boxes: { width: number; height: number }[]; whole: SelectionTotals };
  };
  /** `onlyBase`: keys of the base for the numbers that the new profile does not have. */
  diff: { in: { selection: Selection }; out: { rows: DiffRows; onlyBase: Int32Array; ownKeys: number; whole: Whole } };
  diff_flame: {
    in: { selection: Selection; share: boolean; vanished: boolean; detail?: number };
    out: DiffBoxes & { onlyBase: Int32Array; ownKeys: number; whole: Whole };
  };
  source: { in: { file: number; which?: Which }; out: { text: string | null } };
}

export type Question = keyof Questions;

/** Where the data are: in the page itself, or at an address. */
export interface Origin {
  data: string | { url: string };
  base: string | { url: string } | null;
}

export interface Request {
  id: number;
  question: Question;
  input: unknown;
}

export type Response =
  | { id: number; output: unknown }
  | { id: number; error: string }
  /** Data that have turned out to be damaged after they were opened. */
  | { broken: string }
  /** While the data are opened: what is being done, and how much of it (0..1) as far as known. */
  | { progress: string; share: number | null };
