// SPDX-License-Identifier: Apache-2.0
// The frame that a stack is charged to: lines, functions and files all begin there.
import type { Profile } from '../data/profile';
import { FILE_KIND } from '../data/schema';
import { Cache } from './cache';
import type { Engine } from './engine';
import { frameKinds } from './fold';
import type { Weighing } from './selection';
import type { Weights } from './weigh';

export class InnermostFrames {
  private own?: Int32Array;
  private python?: Int32Array;
  // There are far fewer frames than stacks, so that these are small.
  private readonly weighed = new Cache<Weights[]>(6);

  constructor(private readonly profile: Profile) {}

  /** By stack: its innermost frame in the user's code (own) or in any Python code (self); -1: none. */
  ofStack(charge: 'own' | 'self'): Int32Array {
    if (charge === 'own') return (this.own ??= this.inherit((kind) => kind === FILE_KIND.own));
    return (this.python ??= this.inherit((kind) => kind === FILE_KIND.own || kind === FILE_KIND.library));
  }

  /** Each of TIME_PARTS by frame: one pass over all samples, whatever is then made of it. */
  timeParts(engine: Engine, weighing: Weighing, charge: 'own' | 'self'): Weights[] {
    return this.weighed.get([weighing, charge], () => engine.timeParts(weighing, this.ofStack(charge), this.profile.frame.rows));
  }

  private inherit(counts: (kind: number) => boolean): Int32Array {
    const { parent, frame: frameOf, rows } = this.profile.stack;
    const isCounted = Uint8Array.from(frameKinds(this.profile), (kind) => (counts(kind) ? 1 : 0));
    const innermost = new Int32Array(rows).fill(-1);
    for (let stack = 1; stack < rows; ++stack) {
      const frame = frameOf[stack];
      innermost[stack] = isCounted[frame] !== 0 ? frame : innermost[parent[stack]];
    }
    return innermost;
  }
}
