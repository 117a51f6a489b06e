// SPDX-License-Identifier: Apache-2.0
// A profile that looks like a real program: requests, a thread pool, tasks, imports, memory.
import type { Source } from './encoder';
import { ProfileBuilder, randomNumbers } from './synthetic';

const MS = 1e6;
const SITE = '/usr/lib/python3/site-packages';

interface Work {
  stack: string;
  activity: number;
  weight: number;
  flags?: number;
}

const IMPORTS: Work[] = [
  { stack: `/srv/app/main.py:<module>:3;<frozen importlib._bootstrap>:_find_and_load:1360;${SITE}/pandas/__init__.py:<module>:20`, activity: 0, weight: 6, flags: 2 },
  { stack: `/srv/app/main.py:<module>:3;<frozen importlib._bootstrap>:_find_and_load:1360;${SITE}/pandas/__init__.py:<module>:20;${SITE}/numpy/__init__.py:<module>:110`, activity: 2, weight: 3, flags: 2 },
];

const MAIN = '/srv/app/main.py:<module>:61;/srv/app/main.py:main:48;/srv/app/server.py:Server.serve:112';
const HANDLE = `${MAIN};/srv/app/server.py:Server.handle:131;/srv/app/orders.py:list_orders:22`;

const MAIN_WORK: Work[] = [
  { stack: `${HANDLE};/srv/app/orders.py:load_frame:40;${SITE}/pandas/io/parsers/readers.py:read_csv:1026;${SITE}/pandas/io/parsers/c_parser_wrapper.py:CParserWrapper.read:234;${SITE}/pandas/_libs/parsers.so:TextReader._read_rows:0`, activity: 1, weight: 9 },
  { stack: `${HANDLE};/srv/app/orders.py:load_frame:40;${SITE}/pandas/io/parsers/readers.py:read_csv:1026;${SITE}/pandas/io/common.py:get_handle:872`, activity: 3, weight: 5 },
  { stack: `${HANDLE};/srv/app/orders.py:total_price:57;/srv/app/orders.py:total_price.<locals>.<genexpr>:58`, activity: 0, weight: 8 },
  { stack: `${HANDLE};/srv/app/orders.py:total_price:57;/srv/app/money.py:Money.__add__:19`, activity: 0, weight: 4 },
  { stack: `${HANDLE};/srv/app/orders.py:rank:71;${SITE}/numpy/_core/fromnumeric.py:argsort:1120;${SITE}/numpy/_core/_multiarray_umath.so:quicksort_<double>:0`, activity: 1, weight: 7 },
  { stack: `${HANDLE};/srv/app/tree.py:walk:9;/srv/app/tree.py:walk:11;/srv/app/tree.py:walk:11;/srv/app/tree.py:Node.cost:30`, activity: 0, weight: 5 },
  { stack: `${MAIN};/srv/app/server.py:Server.accept:98;/usr/lib/python3.13/socket.py:socket.accept:295`, activity: 3, weight: 22 },
  { stack: `${MAIN};/srv/app/server.py:Server.render:150;${SITE}/jinja2/environment.py:Template.render:1290;${SITE}/jinja2/runtime.py:Context.call:308`, activity: 0, weight: 6 },
  { stack: `${MAIN};/srv/app/server.py:Server.render:150;/usr/lib/python3.13/json/encoder.py:JSONEncoder.encode:200`, activity: 0, weight: 3 },
  { stack: `${MAIN};/srv/app/server.py:Server.render:150;/usr/lib/x86_64-linux-gnu/libpython3.13.so:gc_collect_main:0`, activity: 1, weight: 2, flags: 1 },
  { stack: `${MAIN};/srv/app/server.py:Server.send:166;/usr/lib/python3.13/socket.py:socket.send:0;/usr/lib/x86_64-linux-gnu/libc.so:__send:0`, activity: 2, weight: 3 },
];

const POOL = '/usr/lib/python3.13/threading.py:Thread._bootstrap:1014;/usr/lib/python3.13/concurrent/futures/thread.py:_worker:90';
const POOL_WORK: Work[] = [
  { stack: `${POOL};/srv/app/jobs.py:compress:14;/usr/lib/python3.13/zlib.so:zlib_compress:0`, activity: 1, weight: 12 },
  { stack: `${POOL};/srv/app/jobs.py:compress:15`, activity: 5, weight: 6 },
  { stack: `${POOL};/srv/app/jobs.py:store:31;/srv/app/db.py:Table.insert:77`, activity: 4, weight: 5 },
  { stack: `${POOL};/srv/app/jobs.py:store:31;/srv/app/db.py:Table.insert:79`, activity: 0, weight: 4 },
  { stack: `${POOL};/usr/lib/python3.13/queue.py:SimpleQueue.get:0`, activity: 4, weight: 30 },
];

/** `seconds` of a server with `threads` pool threads, 100 samples a second and thread. */
export function demo({ seconds = 20, threads = 6, seed = 3 } = {}): Source {
  const random = randomNumbers(seed);
  const builder = new ProfileBuilder();
  const parent = builder.process(4711, 'python -m app.main --port 8080');
  const child = builder.process(4733, 'python -m app.render', 1);
  builder.page.title = 'python -m app.main --port 8080';
  builder.page.memory = true;
  builder.thread(parent, 'MainThread', true);
  for (let i = 0; i < threads; ++i) builder.thread(parent, `pool_${i}`);
  const childMain = builder.thread(child, 'MainThread', true);
  builder.file('/srv/app/orders.py', Array.from({ length: 90 }, (_, i) => `    line ${i + 1}`).join('\n'));
  const tasks = Array.from({ length: 8 }, (_, i) =>
    builder.task(parent, `request-${i + 1}`, builder.function('/srv/app/server.py', 'Server.handle'), builder.stack(MAIN)));

  const run = (thread: number, work: Work[], until: number) => {
    const sum = work.reduce((total, { weight }) => total + weight, 0);
    let time = builder.tables.sample?.time.length ? lastTime(builder, thread) : 0;
    while (time < until) {
      let chance = random() * sum;
      const pick = work.find(({ weight }) => (chance -= weight) < 0) ?? work[0];
      const repeats = 1 + Math.floor(random() * 25);
      for (let i = 0; i < repeats && time < until; ++i) {
        const weight = Math.round((9.5 + random()) * MS);
        time += weight;
        const stack = builder.stack(pick.stack, pick.flags);
        const isTask = thread === 0 && pick.stack.includes('Server.handle');
        builder.add('sample', {
          time, thread, stack, activity: pick.activity, weight, count: 1, task: isTask ? 1 + (Math.floor(time / (900 * MS)) % tasks.length) : 0,
        });
      }
    }
  };
  const end = seconds * 1000 * MS;
  run(0, IMPORTS, 900 * MS);
  run(0, MAIN_WORK, end);
  for (let i = 1; i <= threads; ++i) run(i, POOL_WORK, end);
  run(childMain, MAIN_WORK.slice(2), end / 2);
  builder.page.end_ns = end;
  builder.tables.process.end = [end, end / 2];
  builder.tables.thread.end = builder.tables.thread.end.map((_, i) => (i === childMain ? end / 2 : end));

  for (const task of tasks) {
    builder.tables.task.start[task] = task * 900 * MS;
    builder.tables.task.end[task] = end - task * 300 * MS;
    for (let time = (task + 1) * 900 * MS; time < end - task * 300 * MS; time += 100 * MS) {
      const ready = random() < 0.15 ? 1 : 0;
      builder.add('await', { time, task, stack: builder.stack(`${MAIN};/srv/app/db.py:Table.fetch:50`), ready, weight: 100 * MS, count: 10 });
    }
  }
  memory(builder, end, random);
  for (let i = 0; i < 12; ++i) {
    builder.add('region', { thread: 0, name: builder.string(`request ${i % 3 ? '/orders' : '/health'}`), begin: (1 + i * 1.5) * 1000 * MS, length: (0.4 + random()) * 1000 * MS, cpu: 300 * MS });
  }
  for (let i = 0; i < 5; ++i) {
    builder.add('block', { thread: 0, stack: builder.stack(HANDLE), begin: (2 + i * 3.3) * 1000 * MS, length: 140 * MS });
  }
  round(builder.tables.region, builder.tables.block);
  return builder.finish();
}

function lastTime(builder: ProfileBuilder, thread: number): number {
  const { time, thread: threads } = builder.tables.sample;
  const at = threads.lastIndexOf(thread);
  return at < 0 ? 0 : time[at];
}

function memory(builder: ProfileBuilder, end: number, random: () => number): void {
  const places = [...MAIN_WORK.slice(0, 6), ...POOL_WORK.slice(0, 3)];
  const MB = 2 ** 20;
  let live = 60 * MB;
  for (let time = 200 * MS; time <= end; time += 200 * MS) {
    for (let i = 0; i < 3; ++i) {
      const at = Math.floor(random() * places.length);
      const bytes = Math.round(random() * 8 * MB);
      const thread = at < 6 ? 0 : 1 + (at % 6);
      const row = { time, thread, stack: builder.stack(places[at].stack), kind: at % 3, bytes, blocks: 20, samples: 4, variance: varianceOf(bytes, 4), freed: Math.round(bytes * 0.9) };
      builder.add('change', row);
      if (i === 0) builder.add('change', { ...row, kind: 3, bytes: Math.round(bytes / 2), variance: varianceOf(bytes / 2, 4), freed: 0 });
    }
    live += (random() - 0.46) * 6 * MB;
    for (const process of [0, 1]) {
      if (process === 1 && time > end / 2) continue;
      const size = process === 0 ? live : live * 0.4;
      builder.add('level', {
        process, time, rss: Math.round(size * 1.5 + 30 * MB), pss: 0, python: Math.round(size * 0.5), native: Math.round(size * 0.35), mapped: Math.round(size * 0.15),
      });
    }
  }
  places.forEach(({ stack }, i) => {
    const row = { thread: i < 6 ? 0 : 1, stack: builder.stack(stack), kind: i % 3, bytes: Math.round((9 - i) * 3.3 * MB), blocks: 40 * (9 - i), samples: 30, variance: varianceOf((9 - i) * 3.3 * MB, 30) };
    builder.add('peak', row);
    if (i % 2 === 0) builder.add('left', { ...row, bytes: Math.round(row.bytes / 5), type: builder.string(i % 4 ? 'dict' : 'list') });
  });
}

/** Of samples that weigh alike, in KiB². */
function varianceOf(bytes: number, samples: number): number {
  return Math.round((bytes / 1024) ** 2 / samples);
}

function round(...tables: Record<string, number[]>[]): void {
  for (const table of tables) for (const name of Object.keys(table)) table[name] = table[name].map(Math.round);
}
