// SPDX-License-Identifier: Apache-2.0
// What the source view shows: files with their heat, and the figures of each line of one file.
import type { Profile } from '../data/profile';
import { STACK_FLAG } from '../data/schema';
import type { Atlas } from './atlas';
import type { Engine } from './engine';
import { CPU, HEAT, TIME_PARTS, wholeTime, WORKER } from './metrics';
import { addCharged, Charge, Charged } from './places';
import type { Weighing } from './selection';
import type { Weights } from './weigh';

export interface FileFigures {
  file: Uint32Array;
  /** Of the metric. */
  heat: Float64Array;
  samples: Float64Array;
  total: number;
  totalSamples: number;
}

/** Files that were ever on a stack. */
export function fileFigures(engine: Engine, atlas: Atlas, weighing: Weighing, charge: Charge): FileFigures {
  const weights = engine.weights(weighing);
  const { amount, samples } = atlas.places('file').charge(weights, charge);
  const file = Uint32Array.from(new Set(atlas.lines.file));
  return {
    file,
    heat: Float64Array.from(file, (number) => amount[number]),
    samples: Float64Array.from(file, (number) => samples[number]),
    total: weights.total,
    totalSamples: weights.totalSamples,
  };
}

/** By HEAT and the names of the columns of lines: one element for each line of the file that was ever on a stack, in order of lines. */
export interface LineFigures {
  line: Uint32Array;
  /** Numbers of the lines among all places. */
  place: Uint32Array;
  amount: Record<string, Float64Array>;
  samples: Record<string, Float64Array>;
  /** Of the selection. */
  total: Record<string, number>;
}

/** Of all time, that of threads and processes that a line waits for. */
function ofWorkers({ stack }: Profile, weights: Weights): Weights {
  const pick = (values: Float64Array) => values.map((value, number) => ((stack.flags[number] & STACK_FLAG.worker) === 0 ? 0 : value));
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const self = pick(weights.self);
  const samples = pick(weights.samples);
  return { self, samples, total: sum(self), totalSamples: sum(samples) };
}

function isRecorded({ profile, metrics }: Engine, column: string): boolean {
  if (column === WORKER) return profile.stack.flags.some((bits) => (bits & STACK_FLAG.worker) !== 0);
  if (column === HEAT) return true;
  const { group, source } = metrics.of(column);
  if (group === 'Memory') return profile.meta.page.memory;
  return source !== 'await' || profile.await.rows > 0;
}

export function lineFigures(engine: Engine, atlas: Atlas, weighing: Weighing, file: number, charge: Charge): LineFigures {
  const { lines } = atlas;
  const places = atlas.places('line');
  const numbers: number[] = [];
  lines.file.forEach((owner, number) => {
    if (owner === file) numbers.push(number);
  });
  numbers.sort((a, b) => lines.line[a] - lines.line[b]);
  const time = wholeTime(weighing.metric);
  const ofTime = places.chargeTimeParts(engine, { ...weighing, metric: time }, charge);
  const chargedOf = (column: string): { charged: Charged; total: number } => {
    const part = TIME_PARTS.findIndex(({ name }) => name === column);
    if (part >= 0) return { charged: ofTime.parts[part], total: ofTime.totals[part] };
    if (column === WORKER) {
      const weights = ofWorkers(engine.profile, engine.weights({ ...weighing, metric: CPU }));
      return { charged: places.charge(weights, charge), total: weights.total };
    }
    if (column === HEAT && weighing.metric === time) return { charged: addCharged(ofTime.parts), total: ofTime.total };
    const weights = engine.weights(column === HEAT ? weighing : { ...weighing, metric: column });
    return { charged: places.charge(weights, charge), total: weights.total };
  };
  const figures = { line: Uint32Array.from(numbers, (number) => lines.line[number]), place: Uint32Array.from(numbers), amount: {}, samples: {}, total: {} } as LineFigures;
  for (const column of [HEAT, ...engine.metrics.lineColumns.map(({ name }) => name)]) {
    const isKnown = isRecorded(engine, column);
    const found = isKnown ? chargedOf(column) : null;
    figures.amount[column] = Float64Array.from(numbers, (number) => found?.charged.amount[number] ?? 0);
    figures.samples[column] = Float64Array.from(numbers, (number) => found?.charged.samples[number] ?? 0);
    figures.total[column] = found?.total ?? 0;
  }
  return figures;
}
