// SPDX-License-Identifier: Apache-2.0
import type { Atlas } from './atlas';
import type { Engine } from './engine';
import { amountInterval, Interval, SampledWhole } from './interval';
import type { Charge } from './places';
import { chargePlaces } from './ranking';
import type { Weighing } from './selection';

/** By place. */
export interface SampledPlaces {
  amount: Float64Array;
  squares: Float64Array;
  whole: SampledWhole;
}

/** 95 % intervals of places. */
export interface Intervals {
  place: Int32Array;
  low: Float64Array;
  high: Float64Array;
}

/** Asked for after the amounts themselves: squares need a pass of their own. */
export function placeIntervals(
  engine: Engine,
  atlas: Atlas,
  weighing: Weighing,
  by: 'line' | 'function',
  charge: Charge,
  wanted: readonly number[],
): Intervals {
  const { amount, squares, whole } = atlas.sampled.get([weighing, by, charge], () => {
    const places = atlas.places(by);
    const { charged, total } = chargePlaces(engine, places, weighing, charge);
    const squareWeights = engine.squareWeights(weighing);
    return {
      amount: charged.amount,
      squares: places.charge(squareWeights, charge).amount,
      whole: { ...engine.sampledWhole(weighing), amount: total },
    };
  });
  const { unit } = engine.metrics.of(weighing.metric);
  const found = wanted.map((place) =>
    amountInterval({ amount: amount[place] ?? 0, squares: squares[place] ?? 0 }, whole, unit));
  return {
    place: Int32Array.from(wanted),
    low: Float64Array.from(found, ({ low }) => low),
    high: Float64Array.from(found, ({ high }) => high),
  };
}

/** null: not known, because these are of other places, or there is none, because it was counted. */
export function intervalOf(intervals: Intervals | null, place: number): Interval | null {
  const at = intervals ? intervals.place.indexOf(place) : -1;
  return intervals && at >= 0 && intervals.low[at] < intervals.high[at] ? { low: intervals.low[at], high: intervals.high[at] } : null;
}
