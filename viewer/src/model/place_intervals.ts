// SPDX-License-Identifier: Apache-2.0
import type { Atlas } from './atlas';
import type { Engine } from './engine';
import { amountInterval } from './interval';
import { metricOf } from './metric';
import type { Charge } from './places';
import { chargePlaces } from './ranking';
import type { Weighing } from './selection';

/** 95 % intervals, in the order of the places that they are of. */
export interface Intervals {
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
  const places = atlas.places(by);
  const { charged, total } = chargePlaces(engine, places, weighing, charge);
  const squareWeights = engine.squareWeights(weighing);
  const squares = places.charge(squareWeights, charge).amount;
  const whole = { amount: total, squares: squareWeights.total };
  const { unit } = metricOf(weighing.metric);
  const found = wanted.map((place) =>
    amountInterval({ amount: charged.amount[place] ?? 0, squares: squares[place] ?? 0 }, whole, unit));
  return { low: Float64Array.from(found, ({ low }) => low), high: Float64Array.from(found, ({ high }) => high) };
}
