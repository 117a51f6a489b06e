// SPDX-License-Identifier: Apache-2.0
// Spans of time with a name or a line: regions of the program, and callbacks that held their loop.
import type { Atlas } from './atlas';
import type { Profile } from '../data/profile';
import type { Range, Weighing } from './selection';
import { selectedThreads } from './weigh';

export interface RegionSum {
  name: string;
  count: number;
  wall: number;
  longest: number;
  /** Of spans that are cut by the range, the CPU time in proportion. */
  cpu: number;
}

/** By name, longest first. */
export function sumRegions(profile: Profile, weighing: Weighing): RegionSum[] {
  const { region, string } = profile;
  const threads = selectedThreads(profile, weighing);
  const sums = new Map<number, RegionSum>();
  for (let i = 0; i < region.rows; ++i) {
    const part = partIn(weighing.range, region.begin[i], region.length[i]);
    if (threads[region.thread[i]] === 0 || part === null) continue;
    let sum = sums.get(region.name[i]);
    if (!sum) sums.set(region.name[i], (sum = { name: string.get(region.name[i]), count: 0, wall: 0, longest: 0, cpu: 0 }));
    ++sum.count;
    sum.wall += part;
    sum.longest = Math.max(sum.longest, part);
    sum.cpu += region.length[i] > 0 ? (region.cpu[i] * part) / region.length[i] : region.cpu[i];
  }
  return [...sums.values()].sort((a, b) => b.wall - a.wall);
}

export interface BlockSum {
  file: number;
  line: number;
  function: number;
  count: number;
  time: number;
  longest: number;
}

/** By the innermost line in the user's code, else the innermost one, longest first. */
export function sumBlocks(atlas: Atlas, weighing: Weighing): BlockSum[] {
  const { profile, lines } = atlas;
  const { block, stack, frame } = profile;
  const threads = selectedThreads(profile, weighing);
  const places = atlas.places('line');
  const [own, innermost] = [places.ofStack('own'), places.ofStack('self')];
  const sums = new Map<number, BlockSum>();
  for (let i = 0; i < block.rows; ++i) {
    const part = partIn(weighing.range, block.begin[i], block.length[i]);
    if (threads[block.thread[i]] === 0 || part === null) continue;
    const line = own[block.stack[i]] >= 0 ? own[block.stack[i]] : innermost[block.stack[i]];
    let sum = sums.get(line);
    if (!sum) {
      let at = block.stack[i];
      while (at !== 0 && lines.ofFrame[stack.frame[at]] !== line) at = stack.parent[at];
      const place = line < 0
        ? { file: -1, line: 0, function: -1 }
        : { file: lines.file[line], line: lines.line[line], function: frame.function[stack.frame[at]] };
      sums.set(line, (sum = { ...place, count: 0, time: 0, longest: 0 }));
    }
    ++sum.count;
    sum.time += part;
    sum.longest = Math.max(sum.longest, part);
  }
  return [...sums.values()].sort((a, b) => b.time - a.time);
}

/** How much of a span is in the range; null: nothing. */
function partIn(range: Range | null, begin: number, length: number): number | null {
  if (!range) return length;
  const part = Math.min(range.end, begin + length) - Math.max(range.begin, begin);
  return part > 0 ? part : null;
}
