// SPDX-License-Identifier: Apache-2.0
// To which place of the source each stack is charged.
import type { Profile } from '../data/profile';
import { FILE_KIND } from '../data/schema';
import type { Engine } from './engine';
import { Folding, frameKinds } from './fold';
import type { InnermostFrames } from './innermost';
import { NodeTable } from './node_table';
import type { Weighing } from './selection';
import { CallTree, totalsByKey, treeOf, withTotals } from './tree';
import type { Weights } from './weigh';

/**
 * own: to the innermost frame in the user's code, so that a line has what libraries do for it;
 * self: to the innermost Python frame; total: to every Python frame of the stack, once.
 */
export type Charge = 'own' | 'self' | 'total';

export interface Charged {
  /** By place. */
  amount: Float64Array;
  samples: Float64Array;
}

export interface ChargedParts {
  parts: Charged[];
  /** Of all stacks, also of those that no place is charged with; `totals` by part. */
  totals: number[];
  total: number;
  samples: number;
}

/** The lines of all Python files that were ever on a stack, numbered. */
export interface Lines {
  count: number;
  file: Uint32Array;
  line: Uint32Array;
  /** By frame; -1: a native one. */
  ofFrame: Int32Array;
}

export function linesOf(profile: Profile): Lines {
  const { frame, function: functions } = profile;
  const kinds = frameKinds(profile);
  const ofFrame = new Int32Array(frame.rows).fill(-1);
  const file: number[] = [];
  const line: number[] = [];
  const known = new Map<number, Map<number, number>>();
  for (let i = 0; i < frame.rows; ++i) {
    if (!isPython(kinds[i])) continue;
    const path = functions.file[frame.function[i]];
    let ofFile = known.get(path);
    if (!ofFile) known.set(path, (ofFile = new Map()));
    let number = ofFile.get(frame.line[i]);
    if (number === undefined) {
      ofFile.set(frame.line[i], (number = file.length));
      file.push(path);
      line.push(frame.line[i]);
    }
    ofFrame[i] = number;
  }
  return { count: file.length, file: Uint32Array.from(file), line: Uint32Array.from(line), ofFrame };
}

export function isPython(kind: number): boolean {
  return kind === FILE_KIND.own || kind === FILE_KIND.library;
}

/** Places of one sort: lines, functions or files. */
export class Places {
  private folding?: Folding;

  /** `ofFrame`: the place of each frame, -1 for frames that are none: those of native code. */
  constructor(
    private readonly profile: Profile,
    private readonly innermost: InnermostFrames,
    readonly ofFrame: Int32Array,
    readonly count: number,
  ) {}

  /** The place that each stack is charged to; -1: none. */
  ofStack(charge: 'own' | 'self'): Int32Array {
    return this.innermost.ofStack(charge).map((frame) => (frame < 0 ? -1 : this.ofFrame[frame]));
  }

  charge(weights: Weights, charge: Charge): Charged {
    if (charge === 'total') return this.totals(treeOf((this.folding ??= this.fold()), weights));
    const frameOf = this.innermost.ofStack(charge);
    const charged = { amount: new Float64Array(this.count), samples: new Float64Array(this.count) };
    for (let stack = 0; stack < frameOf.length; ++stack) {
      if (weights.self[stack] === 0 || frameOf[stack] < 0) continue;
      const place = this.ofFrame[frameOf[stack]];
      charged.amount[place] += weights.self[stack];
      charged.samples[place] += weights.samples[stack];
    }
    return charged;
  }

  /** One for each of TIME_PARTS, as far as the metric (one of samples) counts it. */
  chargeTimeParts(engine: Engine, weighing: Weighing, charge: Charge): ChargedParts {
    if (charge !== 'total') {
      const weights = this.innermost.timeParts(engine, weighing, charge);
      return { parts: weights.map((ofFrames) => this.fromFrames(ofFrames)), ...sumOf(weights) };
    }
    const { nodeOf, nodes, parent, key } = (this.folding ??= this.fold());
    const weights = engine.timeParts(weighing, nodeOf, nodes);
    const parts = weights.map(({ self, samples }) => this.totals(withTotals(parent, key, self, samples)));
    return { parts, ...sumOf(weights) };
  }

  private fromFrames({ self, samples }: Weights): Charged {
    const charged = { amount: new Float64Array(this.count), samples: new Float64Array(this.count) };
    for (let frame = 0; frame < self.length; ++frame) {
      const place = this.ofFrame[frame];
      if (place < 0) continue;
      charged.amount[place] += self[frame];
      charged.samples[place] += samples[frame];
    }
    return charged;
  }

  /** The tree of places, which knows where a place stands above itself. */
  private fold(): Folding {
    const { parent, frame, rows } = this.profile.stack;
    const table = new NodeTable(1024);
    const nodeOf = new Int32Array(rows);
    for (let i = 1; i < rows; ++i) {
      const place = this.ofFrame[frame[i]];
      const above = nodeOf[parent[i]];
      nodeOf[i] = place < 0 ? above : table.child(above, place);
    }
    return { ...table.finish(), nodeOf };
  }

  private totals(tree: CallTree): Charged {
    const rows = totalsByKey(tree, this.count);
    const amount = new Float64Array(this.count);
    const samples = new Float64Array(this.count);
    rows.key.forEach((place, row) => {
      amount[place] = rows.total[row];
      samples[place] = rows.totalSamples[row];
    });
    return { amount, samples };
  }
}

function sumOf(weights: Weights[]): Omit<ChargedParts, 'parts'> {
  return {
    totals: weights.map(({ total }) => total),
    total: weights.reduce((sum, { total }) => sum + total, 0),
    samples: weights.reduce((sum, { totalSamples }) => sum + totalSamples, 0),
  };
}

/** All parts together. */
export function addCharged(parts: Charged[]): Charged {
  const [first, ...others] = parts;
  const sum = { amount: first.amount.slice(), samples: first.samples.slice() };
  for (const { amount, samples } of others) {
    for (let place = 0; place < amount.length; ++place) {
      sum.amount[place] += amount[place];
      sum.samples[place] += samples[place];
    }
  }
  return sum;
}
