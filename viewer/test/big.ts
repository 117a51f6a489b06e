// SPDX-License-Identifier: Apache-2.0
// A profile of any size, for measurements. Worst case: no two neighbours agree, so nothing could be merged.
import { containerOf, EncodedSection, numbersSection, stringsSection, textSection } from './encoder';
import { randomNumbers } from './synthetic';

export interface Size {
  samples: number;
  stacks: number;
  threads: number;
  functions: number;
}

export const FULL_SIZE: Size = { samples: 10_000_000, stacks: 1_000_000, threads: 8, functions: 20_000 };

export function big({ samples, stacks, threads, functions }: Size = FULL_SIZE): Uint8Array<ArrayBuffer> {
  const random = randomNumbers(7);
  const upTo = (limit: number) => Math.floor(random() * limit);
  const files = Math.max(1, functions >> 4);
  const strings = ['', 'python big.py'];
  const sections: EncodedSection[] = [];
  const column = (name: string, values: ArrayLike<number>) => sections.push(numbersSection(name, values));
  const filled = (count: number, make: (i: number) => number) => Float64Array.from({ length: count }, (_, i) => make(i));

  column('file.path', filled(files, (i) => strings.push(i % 3 ? `/usr/lib/python3/site-packages/pkg${i % 200}/module_${i}.py` : `/srv/app/part_${i}.py`) - 1));
  column('file.kind', filled(files, (i) => (i % 3 ? 1 : 0)));
  column('file.source', filled(files, () => 0));
  column('function.file', filled(functions, (i) => i % files));
  column('function.name', filled(functions, (i) => strings.push(`Class${i % 700}.method_${i}`) - 1));
  column('function.line', filled(functions, (i) => 1 + (i % 900)));
  const frames = functions * 3;
  column('frame.function', filled(frames, (i) => i % functions));
  column('frame.line', filled(frames, (i) => 10 + (i % 1000)));

  // Chains of calls that leave an earlier chain somewhere and end 30 to 60 calls deep.
  const parent = new Uint32Array(stacks);
  const frame = new Uint32Array(stacks);
  const leaves: number[] = [];
  let chain = [0];
  for (let next = 1; next < stacks; ) {
    chain = chain.slice(0, 1 + upTo(chain.length));
    for (const depth = Math.max(chain.length + 1, 30 + upTo(30)); chain.length < depth && next < stacks; ++next) {
      parent[next] = chain[chain.length - 1];
      frame[next] = upTo(frames);
      chain.push(next);
    }
    leaves.push(chain[chain.length - 1]);
  }
  column('stack.parent', parent);
  column('stack.frame', frame);
  column('stack.flags', filled(stacks, (i) => (i % 97 === 0 ? 1 : 0)));

  column('process.pid', [1]);
  for (const name of ['parent', 'start', 'rank']) column(`process.${name}`, [0]);
  column('process.name', [1]);
  const period = 1_000_000;
  const end = Math.ceil(samples / threads) * period;
  column('process.end', [end]);
  column('thread.process', filled(threads, () => 0));
  column('thread.tid', filled(threads, (i) => 100 + i));
  column('thread.name', filled(threads, (i) => strings.push(`worker ${i}`) - 1));
  column('thread.start', filled(threads, () => 0));
  column('thread.end', filled(threads, () => end));
  column('thread.main', filled(threads, (i) => (i === 0 ? 1 : 0)));

  column('sample.time', filled(samples, (i) => Math.floor(i / threads + 1) * period));
  column('sample.thread', filled(samples, (i) => i % threads));
  column('sample.stack', filled(samples, () => leaves[upTo(leaves.length)]));
  column('sample.activity', filled(samples, () => (random() < 0.7 ? upTo(3) : upTo(10))));
  column('sample.weight', filled(samples, () => period - upTo(5000)));
  column('sample.count', filled(samples, () => 1));
  column('sample.task', filled(samples, () => 0));
  const levels = 10_000;
  for (const name of ['process', 'pss']) column(`level.${name}`, filled(levels, () => 0));
  column('level.time', filled(levels, (i) => Math.round((i * end) / levels)));
  for (const name of ['rss', 'python', 'native', 'mapped']) column(`level.${name}`, filled(levels, (i) => 2 ** 26 + i * 1000 + upTo(2 ** 22)));

  const page = { title: 'python big.py', end_ns: end, main_thread: 0, memory: false };
  return containerOf([textSection('meta', JSON.stringify({ page })), stringsSection('string', strings), ...sections]);
}
