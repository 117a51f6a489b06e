// SPDX-License-Identifier: Apache-2.0
import type { Profile } from '../data/profile';
import { MEMORY_KIND } from '../data/schema';
import { Cache } from './cache';
import { fold, Folding } from './fold';
import { Groups, groupRowsByTime } from './groups';
import type { SampledWhole } from './interval';
import { Metric, Metrics, metricsOfProfile } from './metrics';
import { Part, partsOf } from './parts';
import { Selection, Shape, shapeOf, Weighing, weighingOf } from './selection';
import { separateInTime } from './sample_times';
import { taskTracks, threadTracks, Tracks } from './tracks';
import { CallTree, treeOf } from './tree';
import { BYTES2_PER_KIB2, Quantity, weigh, weighTimeParts, Weights } from './weigh';

/** One profile and what was made of it, kept for the next question. Lives in the worker. */
export class Engine {
  // Foldings and trees of a million nodes take some 20 and 40 MB each.
  private readonly foldings = new Cache<Folding>(4);
  private readonly weightings = new Cache<Weights>(6);
  private readonly trees = new Cache<CallTree>(6);
  private byThread?: Groups;
  private ofThreads?: Tracks;
  private ofTasks?: Tracks;
  private variance?: { allocated: number; copied: number };

  readonly metrics: Metrics;

  constructor(readonly profile: Profile) {
    this.metrics = metricsOfProfile(profile.meta.metrics);
  }

  /** How many keys nodes of a tree may have. */
  keys(by: Selection['by']): number {
    return by === 'line' ? this.profile.frame.rows : this.profile.function.rows;
  }

  /** Also puts the samples of each thread one after the other: whoever asks for times of samples needs that. */
  samplesByThread(): Groups {
    const { sample, thread } = this.profile;
    if (!this.byThread) {
      this.byThread = groupRowsByTime(sample.thread, thread.rows, sample.time);
      separateInTime(this.byThread, sample.time, sample.weight);
    }
    return this.byThread;
  }

  threadTracks(): Tracks {
    return (this.ofThreads ??= threadTracks(this.profile, this.samplesByThread()));
  }

  taskTracks(): Tracks {
    return (this.ofTasks ??= taskTracks(this.profile));
  }

  folding(shape: Shape): Folding {
    return this.foldings.get(shape, () => fold(this.profile, shape));
  }

  weights(weighing: Weighing): Weights {
    return this.weightings.get(weighing, () => weigh(this.profile, weighing, () => this.samplesByThread(), this.metrics.of(weighing.metric)));
  }

  /** Each of TIME_PARTS by slot (see weighTimeParts); not kept. */
  timeParts(weighing: Weighing, slotOf: Int32Array, slots: number): Weights[] {
    return weighTimeParts(this.profile, weighing, () => this.samplesByThread(), slotOf, slots);
  }

  tree(selection: Selection, recursion = false): CallTree {
    const shape: Shape = { ...shapeOf(selection), recursion };
    const weighing = weighingOf(selection);
    return this.trees.get([shape, weighing], () => treeOf(this.folding(shape), this.weights(weighing)));
  }

  /** The tree of the selection with another weight in it; not kept. */
  treeWith(selection: Selection, metric: Metric, quantity: Quantity = 'weight', recursion = false): CallTree {
    const weights = weigh(this.profile, weighingOf(selection), () => this.samplesByThread(), metric, quantity);
    return treeOf(this.folding({ ...shapeOf(selection), recursion }), weights);
  }

  /** Squares of weights, of bytes their variance, in place of weights. */
  squares(selection: Selection): CallTree {
    return treeOf(this.folding({ ...shapeOf(selection), recursion: false }), this.squareWeights(weighingOf(selection)));
  }

  squareWeights(weighing: Weighing): Weights {
    return this.weightings.get(['square', weighing], () =>
      weigh(this.profile, weighing, () => this.samplesByThread(), this.metrics.of(weighing.metric), 'square'));
  }

  /** What amounts of the metric are parts of, for their intervals. */
  sampledWhole(weighing: Weighing): SampledWhole & { samples: number } {
    const { total, totalSamples } = this.weights(weighing);
    const whole = { amount: total, squares: this.squareWeights(weighing).total, samples: totalSamples };
    const { unit, declared, name } = this.metrics.of(weighing.metric);
    if (unit !== 'bytes' || declared !== undefined || this.profile.meta.page.pieces !== true) return whole;
    return { ...whole, pieces: name === 'copied' ? this.allVariance().copied : this.allVariance().allocated };
  }

  private allVariance(): { allocated: number; copied: number } {
    if (this.variance) return this.variance;
    const { rows, kind, variance } = this.profile.change;
    const sums = { allocated: 0, copied: 0 };
    for (let i = 0; i < rows; ++i) sums[kind[i] === MEMORY_KIND.copied ? 'copied' : 'allocated'] += variance[i] * BYTES2_PER_KIB2;
    return (this.variance = sums);
  }

  /** One tree for each part of the metric; nodes are those of `tree`. */
  parts(selection: Selection): { part: Part; tree: CallTree }[] {
    return partsOf(this.metrics.of(selection.metric)).map((part) => ({ part, tree: this.treeWith(selection, part.metric) }));
  }
}
