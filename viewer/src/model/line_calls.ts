// SPDX-License-Identifier: Apache-2.0
// Who calls a line, what the line calls, and which native functions have its time.
import type { Atlas } from './atlas';
import type { Charge } from './places';
import type { Weights } from './weigh';
import { isPython } from './places';

export interface LineCall {
  function: number;
  /** Callers: the line of the call. Callees: the first line of the function. */
  line: number;
  amount: number;
  samples: number;
}

export interface LineCalls {
  amount: number;
  samples: number;
  /** Most first. */
  callers: LineCall[];
  callees: LineCall[];
  /** Innermost native functions. */
  natives: LineCall[];
  /** What the line has without any call. */
  inLine: number;
}

export function lineCalls(atlas: Atlas, weights: Weights, file: number, line: number, charge: Charge): LineCalls {
  const { profile, lines } = atlas;
  const { stack, frame, function: functions, file: files } = profile;
  const number = lines.file.findIndex((owner, i) => owner === file && lines.line[i] === line);
  const [callers, callees, natives] = [new Calls(), new Calls(), new Calls()];
  const calls: LineCalls = { amount: 0, samples: 0, callers: [], callees: [], natives: [], inLine: 0 };
  if (number < 0) return calls;
  const place = charge === 'total' ? null : atlas.places('line').ofStack(charge);
  const has = linesBelow(atlas, number);
  for (let leaf = 1; leaf < stack.rows; ++leaf) {
    const amount = weights.self[leaf];
    if (amount === 0 || has[leaf] === 0 || (place && place[leaf] !== number)) continue;
    const samples = weights.samples[leaf];
    calls.amount += amount;
    calls.samples += samples;
    // The frame on the line: the innermost one if it is charged by that, else the outermost.
    let at = leaf;
    let below = 0;
    let chosen = 0;
    let chosenBelow = 0;
    for (; at !== 0; below = at, at = stack.parent[at]) {
      if (lines.ofFrame[stack.frame[at]] !== number) continue;
      chosen = at;
      chosenBelow = below;
      if (place) break;
    }
    const leafFrame = stack.frame[leaf];
    const isNative = !isPython(files.kind[functions.file[frame.function[leafFrame]]]);
    if (chosenBelow === 0) calls.inLine += amount;
    else {
      const callee = frame.function[stack.frame[chosenBelow]];
      callees.add(callee, functions.line[callee], amount, samples);
    }
    if (isNative) natives.add(frame.function[leafFrame], 0, amount, samples);
    let outer = stack.parent[chosen];
    while (outer !== 0 && !isPython(files.kind[functions.file[frame.function[stack.frame[outer]]]])) outer = stack.parent[outer];
    if (outer !== 0) callers.add(frame.function[stack.frame[outer]], frame.line[stack.frame[outer]], amount, samples);
  }
  return { ...calls, callers: callers.sorted(), callees: callees.sorted(), natives: natives.sorted() };
}

/** 1 for each stack that has a frame on the line. */
function linesBelow(atlas: Atlas, number: number): Uint8Array {
  const { stack } = atlas.profile;
  const has = new Uint8Array(stack.rows);
  for (let i = 1; i < stack.rows; ++i) has[i] = has[stack.parent[i]] | (atlas.lines.ofFrame[stack.frame[i]] === number ? 1 : 0);
  return has;
}

class Calls {
  private readonly known = new Map<string, LineCall>();

  add(owner: number, line: number, amount: number, samples: number): void {
    const key = `${owner} ${line}`;
    let call = this.known.get(key);
    if (!call) this.known.set(key, (call = { function: owner, line, amount: 0, samples: 0 }));
    call.amount += amount;
    call.samples += samples;
  }

  sorted(): LineCall[] {
    return [...this.known.values()].sort((a, b) => b.amount - a.amount);
  }
}
