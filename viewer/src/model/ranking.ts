// SPDX-License-Identifier: Apache-2.0
// The places with most of something.
import type { Atlas } from './atlas';
import type { Engine } from './engine';
import { addCharged, Charge, Charged, Places } from './places';
import type { Weighing } from './selection';

export interface Ranked {
  /** A function, or the number of a line. */
  place: number;
  function: number;
  file: number;
  line: number;
  amount: number;
  samples: number;
  /** Time in each of TIME_PARTS, in the same way of charging; empty for what is not time of threads. */
  timeParts: number[];
  /** Its source text; null: not known, or not a line. */
  text: string | null;
}

export interface Ranking {
  /** Most first. */
  rows: Ranked[];
  /** How many places have anything. */
  places: number;
  total: number;
  samples: number;
  /** What no place has: stacks without a frame of that sort. */
  elsewhere: number;
}

export function rank(engine: Engine, atlas: Atlas, weighing: Weighing, by: 'line' | 'function', charge: Charge, most: number): Ranking {
  const places = atlas.places(by);
  const { charged, timeParts, total, samples } = chargePlaces(engine, places, weighing, charge);
  const found: number[] = [];
  charged.amount.forEach((amount, place) => {
    if (amount > 0) found.push(place);
  });
  found.sort((a, b) => charged.amount[b] - charged.amount[a] || a - b);
  const top = found.slice(0, most);
  const owners = by === 'line' ? functionsOfLines(atlas, top) : null;
  return {
    rows: top.map((place) => {
      const owner = owners ? owners.get(place)! : place;
      const [file, line] = by === 'line'
        ? [atlas.lines.file[place], atlas.lines.line[place]]
        : [atlas.profile.function.file[place], atlas.profile.function.line[place]];
      return {
        place, function: owner, file, line,
        amount: charged.amount[place],
        samples: charged.samples[place],
        timeParts: timeParts.map(({ amount }) => amount[place]),
        text: by === 'line' ? atlas.textOf(file, line)?.trim().slice(0, 300) ?? null : null,
      };
    }),
    places: found.length,
    total,
    samples,
    elsewhere: charge === 'total' ? 0 : found.reduce((rest, place) => rest - charged.amount[place], total),
  };
}

/** Amounts by place; of what is time of threads, taken apart into TIME_PARTS. */
export function chargePlaces(engine: Engine, places: Places, weighing: Weighing, charge: Charge) {
  if (engine.metrics.of(weighing.metric).source === 'sample') {
    const { parts, total, samples } = places.chargeTimeParts(engine, weighing, charge);
    return { charged: addCharged(parts), timeParts: parts, total, samples };
  }
  const weights = engine.weights(weighing);
  const timeParts: Charged[] = [];
  return { charged: places.charge(weights, charge), timeParts, total: weights.total, samples: weights.totalSamples };
}

/** For each line number the function that a frame on it belongs to. */
function functionsOfLines(atlas: Atlas, lines: number[]): Map<number, number> {
  const wanted = new Set(lines);
  const found = new Map<number, number>();
  atlas.lines.ofFrame.forEach((line, frame) => {
    if (wanted.has(line) && !found.has(line)) found.set(line, atlas.profile.frame.function[frame]);
  });
  return found;
}
