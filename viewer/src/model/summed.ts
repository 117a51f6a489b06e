// SPDX-License-Identifier: Apache-2.0
import type { Profile } from '../data/profile';
import type { Range } from './selection';

type Summed = Pick<Profile['sample'], 'rows' | 'thread' | 'stack' | 'activity' | 'weight' | 'count'>;

/** What to add up: samples, or where it does not matter when they were and in which task, those that are added up already. */
export function summed({ meta, sample, sum }: Profile, range: Range | null, tasks: Uint8Array | null): Summed {
  const hasSums = (meta.page.rest?.length ?? 0) > 0;
  return range || tasks || !hasSums ? sample : sum;
}
