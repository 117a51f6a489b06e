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
  const isPythonStack = (at: number) => isPython(files.kind[functions.file[frame.function[stack.frame[at]]]]);
  /** The frame on the line (the innermost one if that is charged, else the outermost), and the call that it makes. */
  const callAt = (leaf: number) => {
    let [on, callee, python, native] = [0, 0, 0, 0];
    for (let at = leaf; at !== 0; at = stack.parent[at]) {
      if (lines.ofFrame[stack.frame[at]] === number) {
        on = at;
        // Between two Python frames there may be frames of the interpreter, which nobody has called.
        callee = python || native;
        if (place) break;
      }
      if (isPythonStack(at)) python = at;
      else native = at;
    }
    return { on, callee };
  };
  for (let leaf = 1; leaf < stack.rows; ++leaf) {
    const amount = weights.self[leaf];
    if (amount === 0 || has[leaf] === 0 || (place && place[leaf] !== number)) continue;
    const samples = weights.samples[leaf];
    calls.amount += amount;
    calls.samples += samples;
    const { on, callee } = callAt(leaf);
    if (callee === 0) calls.inLine += amount;
    else {
      const owner = frame.function[stack.frame[callee]];
      callees.add(owner, functions.line[owner], amount, samples);
    }
    if (!isPythonStack(leaf)) natives.add(frame.function[stack.frame[leaf]], 0, amount, samples);
    let outer = stack.parent[on];
    while (outer !== 0 && !isPythonStack(outer)) outer = stack.parent[outer];
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
