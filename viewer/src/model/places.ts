// SPDX-License-Identifier: Apache-2.0
// To which place of the source each stack is charged.
import type { Profile } from '../data/profile';
import { FILE_KIND } from '../data/schema';
import { Folding, frameKinds } from './fold';
import { NodeTable } from './node_table';
import { totalsByKey, treeOf } from './tree';
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
  private own?: Int32Array;
  private innermost?: Int32Array;
  private folding?: Folding;

  /** `ofFrame`: the place of each frame, -1 for frames that are none. */
  constructor(private readonly profile: Profile, readonly ofFrame: Int32Array, readonly count: number) {}

  /** The place that each stack is charged to; -1: none. */
  ofStack(charge: 'own' | 'self'): Int32Array {
    if (charge === 'self') return (this.innermost ??= this.inherit(() => true));
    const kinds = frameKinds(this.profile);
    return (this.own ??= this.inherit((frame) => kinds[frame] === FILE_KIND.own));
  }

  charge(weights: Weights, charge: Charge): Charged {
    if (charge === 'total') return this.total(weights);
    const amount = new Float64Array(this.count);
    const samples = new Float64Array(this.count);
    const place = this.ofStack(charge);
    for (let stack = 0; stack < place.length; ++stack) {
      if (place[stack] < 0 || weights.self[stack] === 0) continue;
      amount[place[stack]] += weights.self[stack];
      samples[place[stack]] += weights.samples[stack];
    }
    return { amount, samples };
  }

  private inherit(counts: (frame: number) => boolean): Int32Array {
    const { stack } = this.profile;
    const place = new Int32Array(stack.rows).fill(-1);
    for (let i = 1; i < stack.rows; ++i) {
      const frame = stack.frame[i];
      place[i] = this.ofFrame[frame] >= 0 && counts(frame) ? this.ofFrame[frame] : place[stack.parent[i]];
    }
    return place;
  }

  /** The tree of places, which knows where a place stands above itself. */
  private fold(): Folding {
    const { stack } = this.profile;
    const table = new NodeTable(1024);
    const nodeOf = new Int32Array(stack.rows);
    for (let i = 1; i < stack.rows; ++i) {
      const place = this.ofFrame[stack.frame[i]];
      const above = nodeOf[stack.parent[i]];
      nodeOf[i] = place < 0 ? above : table.child(above, place);
    }
    return { ...table.finish(), nodeOf };
  }

  private total(weights: Weights): Charged {
    const rows = totalsByKey(treeOf((this.folding ??= this.fold()), weights), this.count);
    const amount = new Float64Array(this.count);
    const samples = new Float64Array(this.count);
    rows.key.forEach((place, row) => {
      amount[place] = rows.total[row];
      samples[place] = rows.totalSamples[row];
    });
    return { amount, samples };
  }
}
