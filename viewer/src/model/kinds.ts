// SPDX-License-Identifier: Apache-2.0
// Time in four kinds, as lines and functions show it: Python, native, kernel and waits.
import type { Engine } from './engine';
import { metricOf } from './metric';
import type { Weighing } from './selection';
import type { Weights } from './weigh';

export const KINDS = ['python', 'native', 'kernel', 'wait'] as const;

/** The metric of all time that goes with a metric: "wall" has the waits of all threads, "time" those of the main thread. */
export function wholeTime(metric: string): 'time' | 'wall' {
  const { source, activities } = metricOf(metric);
  return source === 'sample' && activities.some((activity) => activity > 2) ? 'wall' : 'time';
}

/** What every stack weighs in each of KINDS, as far as the metric (one of time) counts it. */
export function weighKinds(engine: Engine, weighing: Weighing): Weights[] {
  const { activities } = metricOf(weighing.metric);
  const whole = engine.weights(weighing);
  const onCpu = KINDS.slice(0, 3).map((kind, activity) =>
    activities.includes(activity) ? engine.weights({ ...weighing, metric: kind }) : null);
  const counted = onCpu.filter((weights) => weights !== null);
  const waits: Weights = {
    self: whole.self.slice(),
    samples: whole.samples.slice(),
    total: counted.reduce((rest, { total }) => rest - total, whole.total),
    totalSamples: counted.reduce((rest, { totalSamples }) => rest - totalSamples, whole.totalSamples),
  };
  for (const { self, samples } of counted) {
    for (let stack = 0; stack < self.length; ++stack) {
      waits.self[stack] -= self[stack];
      waits.samples[stack] -= samples[stack];
    }
  }
  return [...onCpu.map((weights) => weights ?? nothing(whole.self.length)), waits];
}

function nothing(stacks: number): Weights {
  return { self: new Float64Array(stacks), samples: new Float64Array(stacks), total: 0, totalSamples: 0 };
}
