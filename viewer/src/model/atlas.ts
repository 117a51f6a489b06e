// SPDX-License-Identifier: Apache-2.0
import type { Profile } from '../data/profile';
import { Cache } from './cache';
import { InnermostFrames } from './innermost';
import type { SampledPlaces } from './place_intervals';
import { isPython, Lines, linesOf, Places } from './places';

/** The places of one profile, made when first asked for. Lives in the worker beside its engine. */
export class Atlas {
  private knownLines?: Lines;
  readonly innermost: InnermostFrames;
  /** What intervals are made of: a cursor asks for one line after another. */
  readonly sampled = new Cache<SampledPlaces>(3);
  private knownPlaces: Partial<Record<'line' | 'function' | 'file', Places>> = {};
  private splitSource = { file: -1, lines: [] as string[] };

  constructor(readonly profile: Profile) {
    this.innermost = new InnermostFrames(profile);
  }

  get lines(): Lines {
    return (this.knownLines ??= linesOf(this.profile));
  }

  places(by: 'line' | 'function' | 'file'): Places {
    return (this.knownPlaces[by] ??= this.make(by));
  }

  /** The text of a line as it was recorded; null: not known. */
  textOf(file: number, line: number): string | null {
    const source = this.profile.file.source[file] ?? 0;
    if (source === 0 || line === 0) return null;
    if (this.splitSource.file !== file) {
      this.splitSource = { file, lines: this.profile.string.get(source).split(/\r\n|\n|\r/) };
    }
    return this.splitSource.lines[line - 1] ?? null;
  }

  private make(by: 'line' | 'function' | 'file'): Places {
    const { frame, function: functions, file } = this.profile;
    if (by === 'line') return new Places(this.profile, this.innermost, this.lines.ofFrame, this.lines.count);
    const ofFrame = new Int32Array(frame.rows);
    for (let i = 0; i < frame.rows; ++i) {
      const owner = frame.function[i];
      const path = functions.file[owner];
      ofFrame[i] = !isPython(file.kind[path]) ? -1 : by === 'file' ? path : owner;
    }
    return new Places(this.profile, this.innermost, ofFrame, by === 'file' ? file.rows : functions.rows);
  }
}
