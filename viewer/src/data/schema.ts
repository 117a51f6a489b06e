// SPDX-License-Identifier: Apache-2.0
// The tables of docs/format/page-data.md, and what can be counted. Made of src/export/page/page_schema.h and
// src/metric, never by hand:
// PYRO_UPDATE_GOLDEN=1 build/release/src/export/export_test --gtest_filter='PageSchema*'
import { byte, index, indexPlusOne, number, whole } from './column';

export const FILE_KIND = {
  own: 0,
  library: 1,
  native: 2,
  special: 3,
} as const;
export const MEMORY_KIND = {
  python: 0,
  native: 1,
  mapped: 2,
  copied: 3,
} as const;
export const ACTIVITY = {
  python: 0,
  native: 1,
  kernel: 2,
  io_wait: 3,
  lock_wait: 4,
  gil_wait: 5,
  sleep: 6,
  child_wait: 7,
  run_queue: 8,
  other_wait: 9,
} as const;
export const STACK_FLAG = {
  gc: 1,
  import: 2,
  worker: 4,
} as const;

export const METRIC = {
  python: {
    title: 'Python',
    head: 'Python',
    phrase: 'CPU time of the interpreter',
    meaning: 'the interpreter itself',
    unit: 'nanoseconds',
    parts: ['python'],
  },
  native: {
    title: 'Native code',
    head: 'native',
    phrase: 'CPU time of native code',
    meaning: 'extensions and libraries',
    unit: 'nanoseconds',
    parts: ['native'],
  },
  kernel: {
    title: 'Kernel',
    head: 'kernel',
    phrase: 'CPU time of the kernel',
    meaning: 'system calls and page faults',
    unit: 'nanoseconds',
    parts: ['kernel'],
  },
  io_wait: {
    title: 'I/O wait',
    head: 'I/O',
    phrase: 'waiting for I/O',
    meaning: 'input and output',
    unit: 'nanoseconds',
    parts: ['io_wait'],
  },
  lock_wait: {
    title: 'Lock wait',
    head: 'lock',
    phrase: 'waiting for locks',
    meaning: 'locks other than the GIL',
    unit: 'nanoseconds',
    parts: ['lock_wait'],
  },
  gil_wait: {
    title: 'GIL wait',
    head: 'GIL',
    phrase: 'waiting for the GIL',
    meaning: "the interpreter's lock",
    unit: 'nanoseconds',
    parts: ['gil_wait'],
  },
  sleep: {
    title: 'Sleep',
    head: 'sleep',
    phrase: 'sleeping',
    meaning: 'time.sleep and the like',
    unit: 'nanoseconds',
    parts: ['sleep'],
  },
  child_wait: {
    title: 'Child wait',
    head: 'child',
    phrase: 'waiting for child processes',
    meaning: 'child processes',
    unit: 'nanoseconds',
    parts: ['child_wait'],
  },
  run_queue: {
    title: 'Run queue',
    head: 'run queue',
    phrase: 'waiting in the run queue',
    meaning: 'ready to run, but no CPU was free',
    unit: 'nanoseconds',
    parts: ['run_queue'],
  },
  other_wait: {
    title: 'Other wait',
    head: 'other',
    phrase: 'waiting for unknown reasons',
    meaning: 'waits whose cause could not be read',
    unit: 'nanoseconds',
    parts: ['other_wait'],
  },
  main_wait: {
    title: 'Main-thread wait',
    head: 'main wait',
    phrase: 'waiting of the main thread',
    meaning: 'waits of the main thread',
    unit: 'nanoseconds',
    parts: ['main_wait'],
  },
  gc: {
    title: 'Garbage collection',
    head: 'GC',
    phrase: 'garbage collection',
    meaning: 'the part of CPU in the cyclic collector',
    unit: 'nanoseconds',
    parts: ['gc'],
  },
  import: {
    title: 'Imports',
    head: 'import',
    phrase: 'imports',
    meaning: 'the part of time in imports',
    unit: 'nanoseconds',
    parts: ['import'],
  },
  worker: {
    title: 'Workers',
    head: 'workers',
    phrase: 'CPU time of workers',
    meaning: 'the part of CPU in threads and processes that a line waits for',
    unit: 'nanoseconds',
    parts: ['worker'],
  },
  await: {
    title: 'Await',
    head: 'await',
    phrase: 'time of tasks that wait',
    meaning: 'tasks that are suspended, or ready but not yet run',
    unit: 'nanoseconds',
    parts: ['await'],
  },
  samples: {
    title: 'Samples',
    head: 'samples',
    phrase: 'samples',
    meaning: 'observations',
    unit: 'count',
    parts: ['samples'],
  },
  allocated: {
    title: 'Allocated',
    head: 'alloc',
    phrase: 'memory allocated',
    meaning: 'all requests, also what was freed',
    unit: 'bytes',
    parts: ['allocated'],
  },
  live_at_peak: {
    title: 'Live at peak',
    head: 'live',
    phrase: 'memory live at peak',
    meaning: 'what was live when most was in use',
    unit: 'bytes',
    parts: ['live_at_peak'],
  },
  live_at_exit: {
    title: 'Live at exit',
    head: 'at exit',
    phrase: 'memory live at exit',
    meaning: 'what was never freed',
    unit: 'bytes',
    parts: ['live_at_exit'],
  },
  copied: {
    title: 'Copied',
    head: 'copy',
    phrase: 'memory copied',
    meaning: 'bytes that memcpy and the like have moved',
    unit: 'bytes',
    parts: ['copied'],
  },
  time: {
    title: 'Time',
    head: 'time',
    phrase: 'time',
    meaning: 'CPU of all threads + main-thread waits',
    unit: 'nanoseconds',
    parts: ['python', 'native', 'kernel', 'main_wait'],
  },
  wall: {
    title: 'Wall clock',
    head: 'wall',
    phrase: 'wall-clock time of threads',
    meaning: 'CPU and waits of all threads',
    unit: 'nanoseconds',
    parts: ['python', 'native', 'kernel', 'io_wait', 'lock_wait', 'gil_wait', 'sleep', 'child_wait', 'run_queue', 'other_wait'],
  },
  cpu: {
    title: 'CPU',
    head: 'CPU',
    phrase: 'CPU time',
    meaning: 'Python, native code and kernel',
    unit: 'nanoseconds',
    parts: ['python', 'native', 'kernel'],
  },
  wait: {
    title: 'Wait',
    head: 'wait',
    phrase: 'waiting',
    meaning: 'waits of all threads',
    unit: 'nanoseconds',
    parts: ['io_wait', 'lock_wait', 'gil_wait', 'sleep', 'child_wait', 'run_queue', 'other_wait'],
  },
} as const;

export type CounterClass =
  | 'lost_samples'
  | 'lost_memory_samples'
  | 'lost_threads'
  | 'lost_detail'
  | 'cost'
  | 'fact'
  | 'note';
export type CounterId =
  | 'records_dropped'
  | 'samples_skipped'
  | 'stacks_lost'
  | 'damaged_records'
  | 'memory_samples_refused'
  | 'memory_samples_over_limit'
  | 'threads_not_sampled'
  | 'processes_not_recorded'
  | 'stacks_cut'
  | 'stacks_unmerged'
  | 'native_stacks_cut'
  | 'greenlet_stacks_cut'
  | 'names_lost'
  | 'perf_events_refused'
  | 'tasks_in_motion'
  | 'wait_stacks_in_motion'
  | 'threads_without_waits'
  | 'wait_polls_put_off'
  | 'wait_polls_missed'
  | 'waits_without_stacks'
  | 'memory_frees_lost'
  | 'merged_bytes_lost'
  | 'merged_records_invalid'
  | 'merged_interrupted'
  | 'cpu_in_other_programs'
  | 'signals'
  | 'samples'
  | 'sampling'
  | 'memory_samples'
  | 'memory_sampling'
  | 'collector'
  | 'jit_stacks'
  | 'foreign_signals'
  | 'recording_off'
  | 'memory_unmatched'
  | 'memory_by_pieces'
  | 'malloc_library'
  | 'only_cpu'
  | 'snapshot_at'
  | 'program_cpu'
  | 'program_end'
  | 'rank'
  | 'imported_from'
  | 'note'
  | 'cpu_excess';

export const SCHEMA = {
  file: {
    path: index('string'),
    kind: byte(3),
    source: index('string'),
  },
  function: {
    file: index('file'),
    name: index('string'),
    line: whole,
    match: whole,
  },
  frame: {
    function: index('function'),
    line: whole,
    native_file: index('string'),
    native_line: whole,
    match: whole,
  },
  stack: {
    parent: index('stack'),
    frame: whole,
    flags: byte(255),
  },
  process: {
    pid: number,
    parent: indexPlusOne('process'),
    start: number,
    end: number,
    name: index('string'),
    rank: whole,
  },
  thread: {
    process: index('process'),
    tid: number,
    name: index('string'),
    start: number,
    end: number,
    main: byte(1),
  },
  task: {
    process: index('process'),
    name: index('string'),
    function: index('function'),
    origin: index('stack'),
    start: number,
    end: number,
  },
  sample: {
    time: number,
    thread: index('thread'),
    stack: index('stack'),
    activity: byte(9),
    weight: number,
    count: whole,
    task: indexPlusOne('task'),
  },
  sum: {
    thread: index('thread'),
    stack: index('stack'),
    activity: byte(9),
    weight: number,
    count: whole,
  },
  await: {
    time: number,
    task: index('task'),
    stack: index('stack'),
    ready: byte(1),
    weight: number,
    count: whole,
  },
  change: {
    time: number,
    thread: index('thread'),
    stack: index('stack'),
    kind: byte(3),
    bytes: number,
    blocks: number,
    samples: number,
    variance: number,
    freed: number,
  },
  peak: {
    thread: index('thread'),
    stack: index('stack'),
    kind: byte(3),
    bytes: number,
    blocks: number,
    samples: number,
    variance: number,
  },
  left: {
    thread: index('thread'),
    stack: index('stack'),
    kind: byte(3),
    bytes: number,
    blocks: number,
    samples: number,
    variance: number,
    type: index('string'),
  },
  amount: {
    metric: byte(39),
    thread: index('thread'),
    stack: index('stack'),
    value: number,
    count: number,
    time: number,
  },
  level: {
    process: index('process'),
    time: number,
    rss: number,
    pss: number,
    python: number,
    native: number,
    mapped: number,
  },
  region: {
    thread: index('thread'),
    name: index('string'),
    begin: number,
    length: number,
    cpu: number,
  },
  block: {
    thread: index('thread'),
    stack: index('stack'),
    begin: number,
    length: number,
  },
} as const;
