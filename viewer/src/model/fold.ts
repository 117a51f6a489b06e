// SPDX-License-Identifier: Apache-2.0
// Stacks of frames become nodes of a tree of functions or lines.
import type { Profile } from '../data/profile';
import { FILE_KIND } from '../data/schema';
import { NodeTable } from './node_table';
import type { Shape } from './selection';

/**
 * A tree without weights. Node 0 is its root; parents stand before their children. The key of a
 * node is a function, or, by line, the first frame of the profile that has its function and line.
 */
export interface Folding {
  nodes: number;
  parent: Int32Array;
  key: Int32Array;
  /** The node to which each stack belongs. */
  nodeOf: Int32Array;
}

export function fold(profile: Profile, shape: Shape): Folding {
  const { parent: parentOf, frame: frameOf, rows } = profile.stack;
  const keyOf = shape.by === 'line' ? lineKeys(profile) : profile.frame.function;
  const kindOf = frameKinds(profile);
  const table = new NodeTable(rows);
  const nodeOf = new Int32Array(rows);
  // The node of the innermost Python frame: in the mixed shape, the next Python frame goes there.
  const pythonNodeOf = shape.frames === 'mixed' ? new Int32Array(rows) : nodeOf;
  // Whether the innermost frame of each stack that could be shown is library code, or called by it.
  const inLibrary = new Uint8Array(shape.collapse ? rows : 0);
  for (let i = 1; i < rows; ++i) {
    const parent = parentOf[i];
    const frame = frameOf[i];
    const kind = kindOf[frame];
    const isNative = kind === FILE_KIND.native;
    let isShown = shape.frames === 'mixed' || shape.frames === 'both' || isNative === (shape.frames === 'native');
    if (shape.collapse) {
      const inside = inLibrary[parent];
      if (isShown) {
        // What a library calls natively belongs to it; the user's own code comes out of it again.
        const staysInside = inside !== 0 && kind !== FILE_KIND.own;
        inLibrary[i] = kind === FILE_KIND.library || staysInside ? 1 : 0;
        if (staysInside) isShown = false;
      } else {
        inLibrary[i] = inside;
      }
    }
    const above = isNative ? nodeOf[parent] : pythonNodeOf[parent];
    if (isShown) {
      const key = keyOf[frame];
      nodeOf[i] = (shape.recursion ? table.ancestor(above, key) : undefined) ?? table.child(above, key);
    } else {
      nodeOf[i] = above;
    }
    if (shape.frames === 'mixed') pythonNodeOf[i] = isNative ? pythonNodeOf[parent] : nodeOf[i];
  }
  return { ...table.finish(), nodeOf };
}

/** For each frame the first one with the same function and line; of native frames, line of their own source. */
export function lineKeys({ frame }: Profile): Uint32Array {
  const keys = new Uint32Array(frame.rows);
  const first = new Map<number, Map<string, number>>();
  for (let i = 0; i < frame.rows; ++i) {
    let lines = first.get(frame.function[i]);
    if (!lines) first.set(frame.function[i], (lines = new Map()));
    const place = `${frame.line[i]} ${frame.native_file[i]} ${frame.native_line[i]}`;
    const known = lines.get(place);
    if (known === undefined) lines.set(place, i);
    keys[i] = known ?? i;
  }
  return keys;
}

/** The kind of each frame's file. */
export function frameKinds({ frame, function: functions, file }: Profile): Uint8Array {
  const kinds = new Uint8Array(frame.rows);
  for (let i = 0; i < frame.rows; ++i) kinds[i] = file.kind[functions.file[frame.function[i]]];
  return kinds;
}
