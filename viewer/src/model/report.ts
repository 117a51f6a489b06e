// SPDX-License-Identifier: Apache-2.0
// The parts of the report that the page shows as they are (docs/format/report-json.md). They come
// with the profile: whatever is not as expected is left out, and all texts are made harmless.
import type { Meta } from '../data/meta';
import { CounterClass, CounterId, METRIC, SCHEMA } from '../data/schema';
import { shownName } from '../data/shown';

export interface ReportPlace {
  path: string;
  function: string;
  line: number;
}

/** Of a sentence: words, a number with its unit, what the recording calls something, or a place. */
export type VerdictPiece = { kind: 'text' | 'amount' | 'name'; text: string } | { kind: 'place'; place: ReportPlace };

/** A sentence that the console has, too: what matters most, and all that follows. */
export interface Verdict {
  headline: VerdictPiece[];
  rest: VerdictPiece[];
}

export interface Leak {
  place: ReportPlace;
  probability: number;
  rate: number;
  low: number;
  high: number;
  live: number;
  survivalPercent: number;
  types: { name: string; bytes: number }[];
  /** Outermost first. */
  stack: ReportPlace[];
}

export interface GilWait {
  pid: number;
  waiter: string;
  /** "": nobody, or not known. */
  holder: string;
  seconds: number;
  samples: number;
}

export interface Rank {
  rank: number;
  elapsed: number;
  cpu: number;
  wait: number;
}

export interface ProcessFacts {
  pid: number;
  interpreter: string;
  clock: string;
  periodSeconds: number;
  /** "": not known. */
  exit: string;
}

type Json = Record<string, unknown>;

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const textOf = (value: unknown): string => (typeof value === 'string' ? shownName(value) : '');

/** Of an amount, which may also be a plain number. */
function bytesOf(value: unknown): number {
  return typeof value === 'number' ? numberOf(value) : numberOf(objectOf(value).bytes);
}

function placeOf(value: unknown): ReportPlace {
  const place = objectOf(value);
  return { path: textOf(place.path), function: textOf(place.function), line: numberOf(place.line) };
}

function verdictPieceOf(piece: Json): VerdictPiece {
  if (piece.kind === 'place') return { kind: 'place', place: placeOf(piece) };
  return { kind: piece.kind === 'amount' || piece.kind === 'name' ? piece.kind : 'text', text: textOf(piece.text) };
}

export function verdictsOf(meta: Meta): Verdict[] {
  return listOf(meta.verdicts).map((verdict) => {
    const piecesOf = (headline: boolean) => listOf(verdict.pieces).filter((piece) => (piece.headline === true) === headline).map(verdictPieceOf);
    return { headline: piecesOf(true), rest: piecesOf(false) };
  });
}

/** What the recording declares that it has counted; columns of the data have its place in this list. */
export function declaredOf(metrics: unknown): { name: string; title: string; unit: string }[] {
  return listOf(metrics).slice(0, SCHEMA.amount.metric.most + 1).map(({ name, title, unit }) => ({
    name: textOf(name),
    title: textOf(title) || textOf(name) || 'no name',
    unit: textOf(unit) || 'count',
  }));
}

export function leaksOf(meta: Meta): Leak[] {
  return listOf(meta.growth).map((leak) => ({
    place: placeOf(leak.place),
    probability: numberOf(leak.probability),
    rate: numberOf(leak.bytes_per_second),
    low: numberOf(leak.low),
    high: numberOf(leak.high),
    live: bytesOf(leak.live),
    survivalPercent: numberOf(leak.survival_percent),
    types: listOf(leak.types).map((type) => ({ name: textOf(type.name), bytes: bytesOf(type.live) })),
    stack: listOf(leak.stack).map(placeOf),
  }));
}

export function gilWaitsOf(meta: Meta): GilWait[] {
  const named = (thread: Json) => textOf(thread.name) || (numberOf(thread.tid) > 0 ? `thread ${numberOf(thread.tid)}` : '');
  return listOf(meta.gil_waits).map((wait) => ({
    pid: numberOf(wait.pid),
    waiter: named(objectOf(wait.waiter)),
    holder: named(objectOf(wait.holder)),
    seconds: numberOf(wait.seconds),
    samples: numberOf(wait.samples),
  }));
}

export function ranksOf(meta: Meta): { variable: string; median: number; rows: Rank[] } | null {
  if (typeof meta.ranks !== 'object' || meta.ranks === null) return null;
  const ranks = objectOf(meta.ranks);
  return {
    variable: textOf(ranks.variable),
    median: numberOf(ranks.median_elapsed_seconds),
    rows: listOf(ranks.rows).map((row) => ({
      rank: numberOf(row.rank),
      elapsed: numberOf(row.elapsed_seconds),
      cpu: numberOf(row.cpu_seconds),
      wait: numberOf(row.wait_seconds),
    })),
  };
}

/** Longest first; without a path: looking for modules. */
export function importsOf(meta: Meta): { path: string; seconds: number }[] {
  return listOf(objectOf(meta.merged).imports).map(({ path, seconds }) => ({ path: textOf(path), seconds: numberOf(seconds) }));
}

export function elapsedOf(meta: Meta): number {
  return numberOf(objectOf(meta.merged).elapsed_seconds);
}

/** When most was in use, and how much; null: not known. */
export function peakOf(meta: Meta): { time: number; bytes: number } | null {
  const memory = objectOf(objectOf(meta.merged).memory);
  const kinds = Object.values(objectOf(objectOf(memory.totals).live_at_peak));
  const bytes = kinds.reduce<number>((sum, kind) => sum + numberOf(objectOf(kind).bytes), 0);
  return bytes > 0 && typeof memory.peak_seconds === 'number' ? { time: numberOf(memory.peak_seconds) * 1e9, bytes } : null;
}

/** The most that was ever resident, by the kernel; 0: not known. */
export function peakRssOf(meta: Meta): number {
  return numberOf(objectOf(objectOf(meta.merged).memory).peak_rss_bytes);
}

/** The part of the threads' own CPU clocks that samples account for, 0 to 1; null: there is no such clock. */
export function coverageOf(meta: Meta): number | null {
  let [clock, sampled] = [0, 0];
  for (const thread of listOf(objectOf(meta.merged).threads)) {
    if (typeof thread.clock_cpu_seconds !== 'number') continue;
    clock += thread.clock_cpu_seconds;
    for (const part of METRIC.cpu.parts) sampled += numberOf(objectOf(objectOf(thread.totals)[part]).seconds);
  }
  return clock > 0 ? sampled / clock : null;
}

/** What the recording says about itself: docs/format/counters.md. The page acts on ids and classes, never on words. */
export interface Counter {
  /** A CounterId, or what only the file knows. */
  id: string;
  class: CounterClass;
  isTime: boolean;
  value: number;
  text: string;
}

/** Sums over processes, in order of first appearance. */
export function countersOf(counters: unknown): Counter[] {
  const sums = new Map<string, Counter>();
  for (const counter of listOf(counters)) {
    const [id, text, value] = [textOf(counter.id), textOf(counter.text), numberOf(counter.value)];
    const key = JSON.stringify([id, text]);
    const sum = sums.get(key);
    if (sum) sum.value += value;
    else sums.set(key, { id, class: counter.class as CounterClass, isTime: counter.unit === 'nanoseconds', value, text });
  }
  return [...sums.values()];
}

const IMPORTED_FROM: CounterId = 'imported_from';

export function processFactsOf(meta: Meta): ProcessFacts[] {
  return listOf(meta.processes).map((process) => ({
    pid: numberOf(process.pid),
    interpreter: textOf(process.interpreter),
    clock: textOf(process.clock),
    periodSeconds: numberOf(process.sample_period_seconds),
    exit: exitText(process.exit),
  }));
}

function exitText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { signal, code } = objectOf(value);
  if (typeof signal === 'number') return `signal ${signal}`;
  return typeof code === 'number' ? `exit ${code}` : '';
}

/** Where the profile came from, if another tool has recorded it: "imported from pprof"; "": from pyrometer. */
export function originOf(meta: Meta): string {
  const origins = countersOf(meta.facts).filter(({ id }) => id === IMPORTED_FROM);
  return origins.map(({ text }) => `imported from ${text}`).join(', ');
}

/** What whoever reads the figures has to know. */
export function notesOf(meta: Meta): Counter[] {
  return countersOf(meta.facts).filter((fact) => fact.class === 'note');
}

/** Which packages are shown as the user's own code, and why. */
export function openedNote(meta: Meta): string[] {
  const opened = objectOf(meta.opened);
  const packages = Array.isArray(opened.packages) ? opened.packages.map(textOf).filter(Boolean) : [];
  const whole = numberOf(opened.of_seconds);
  if (packages.length === 0 || whole <= 0) return [];
  const script = textOf(opened.entry_point).split('/').at(-1);
  const share = ((100 * numberOf(opened.hidden_seconds)) / whole).toFixed(0);
  return [`opened: ${packages.join(', ')}, because ${share} % of the time is ${script ? `below the entry-point script ${script}` : 'outside your code'}`];
}

/** What is wrong with the capture itself, in words. */
export function loadProblemsOf(meta: Meta): string[] {
  const load = objectOf(meta.load);
  const problems: string[] = [];
  if (load.still_running === true) problems.push('written while the program was still running');
  else if (load.orderly_end === false) problems.push('the recording did not end in an orderly way');
  const [lost, invalid, skipped] = [load.bytes_lost, load.records_invalid, load.blocks_skipped].map(numberOf);
  if (lost > 0) problems.push(`${lost} of ${numberOf(load.bytes_read) + lost} bytes unreadable`);
  if (invalid > 0) problems.push(`${invalid} invalid records`);
  if (skipped > 0) problems.push(`${skipped} blocks of a newer version skipped`);
  return problems;
}
