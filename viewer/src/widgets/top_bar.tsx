// SPDX-License-Identifier: Apache-2.0
import { useRef } from 'preact/hooks';
import { catalog, metrics, opened, select, selection } from '../state/app';
import { exporters } from '../state/exports';
import { threadTitle } from '../state/names';
import { useShortcuts } from '../state/keys';
import { formatTime } from '../text/amount';
import type { Selection } from '../model/selection';
import { Picker } from './picker';
import { Popup } from './popup';
import { SearchBox } from './search_box';
import { Segmented } from './segmented';

const FRAMES = [
  { value: 'mixed', title: 'Python + native', hint: 'Python frames, and native ones that the innermost of them calls' },
  { value: 'python', title: 'Python', hint: 'only Python frames; native time belongs to who called it' },
  { value: 'native', title: 'Native', hint: 'only native frames' },
  { value: 'both', title: 'Every frame', hint: 'also the native frames of the interpreter between Python frames' },
] as const;

const BY = [
  { value: 'function', title: 'Functions', hint: 'one box or row for each function' },
  { value: 'line', title: 'Lines', hint: 'one box or row for each line' },
] as const;

/** What all views are of: metric, who, when, how frames are counted, search. */
export function TopBar() {
  const search = useRef<HTMLInputElement | null>(null);
  const of = selection.value;
  useShortcuts('Selection', [
    { keys: ['/'], title: 'Search', run: () => search.current?.focus() },
    { keys: ['m'], title: 'Next metric', run: () => nextMetric(1) },
    { keys: ['M'], title: 'Metric before', run: () => nextMetric(-1) },
    { keys: ['n'], title: 'Which frames: Python, native, every one', run: () => select({ frames: after(FRAMES, of.frames) }) },
    { keys: ['y'], title: 'By function or line', run: () => select({ by: of.by === 'line' ? 'function' : 'line' }) },
    { keys: ['c'], title: 'Collapse libraries', run: () => select({ collapse: !of.collapse }) },
    { keys: ['Backspace'], title: 'Select everything again', run: clear },
  ]);
  return (
    <div class="top-bar" role="toolbar" aria-label="Selection">
      <MetricSelect />
      <Pickers />
      <select
        aria-label="Frames"
        value={of.frames}
        onChange={(event) => select({ frames: event.currentTarget.value as Selection['frames'] })}
      >
        {FRAMES.map(({ value, title, hint }) => <option key={value} value={value} title={hint}>{title}</option>)}
      </select>
      <Segmented label="Granularity" choices={BY} value={of.by} onChange={(by) => select({ by })} />
      <button
        type="button"
        class="toggle"
        aria-pressed={of.collapse}
        title="Calls inside libraries become one frame"
        onClick={() => select({ collapse: !of.collapse })}
      >
        Collapse libraries
      </button>
      <RangeChip />
      <SearchBox inputRef={search} />
    </div>
  );
}

function MetricSelect() {
  const shown = metrics.value;
  const groups = [...new Set(shown.map(({ group }) => group))];
  return (
    <select
      class="metric"
      aria-label="Metric"
      value={selection.value.metric}
      onChange={(event) => select({ metric: event.currentTarget.value })}
    >
      {groups.map((group) => (
        <optgroup key={group} label={group}>
          {shown.filter((metric) => metric.group === group).map(({ name, title, meaning }) => (
            <option key={name} value={name} title={meaning}>{title}</option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

function Pickers() {
  const { processes, threads, tasks } = catalog();
  const of = selection.value;
  const inProcess = (process: number) => of.processes.length === 0 || of.processes.includes(process);
  return (
    <>
      {processes.length > 1 && (
        <Picker
          one="process"
          many="processes"
          items={processes.map(({ pid, name }, index) => ({ index, title: String(pid), note: name }))}
          picked={of.processes}
          onPick={(picked) => select({ processes: picked, threads: [], tasks: [] })}
        />
      )}
      {threads.length > 1 && (
        <Picker
          one="thread"
          many="threads"
          items={threads.flatMap(({ tid, process }, index) =>
            inProcess(process) ? [{ index, title: threadTitle(catalog(), index), note: `tid ${tid}` }] : [])}
          picked={of.threads}
          onPick={(picked) => select({ threads: picked })}
        />
      )}
      {tasks.length > 0 && (
        <Picker
          one="task"
          many="tasks"
          items={tasks.flatMap((task, index) =>
            inProcess(task.process)
              ? [{ index, title: task.name, note: catalog().functions.name[task.function] ?? '' }]
              : [])}
          picked={of.tasks}
          onPick={(picked) => select({ tasks: picked })}
        />
      )}
    </>
  );
}

function RangeChip() {
  const { range } = selection.value;
  if (!range) return null;
  return (
    <span class="chip">
      {formatTime(range.begin)} – {formatTime(range.end)} <small>({formatTime(range.end - range.begin)})</small>
      <button type="button" aria-label="Clear the time range" title="Clear the time range" onClick={() => select({ range: null })}>
        ×
      </button>
    </span>
  );
}

export function ExportMenu() {
  if (exporters.value.length === 0) return null;
  return (
    <Popup title="Export" label="Export this view" class="menu">
      {(close) =>
        exporters.value.map(({ title, save }) => (
          <button type="button" key={title} class="menu-item" onClick={() => { save(); close(); }}>
            {title}
          </button>
        ))
      }
    </Popup>
  );
}

function nextMetric(step: number): void {
  const shown = metrics.peek();
  const at = shown.findIndex(({ name }) => name === selection.peek().metric);
  if (shown.length > 0) select({ metric: shown[(at + step + shown.length) % shown.length].name });
}

function after<Value extends string>(choices: readonly { value: Value }[], value: Value): Value {
  const at = choices.findIndex((choice) => choice.value === value);
  return choices[(at + 1) % choices.length].value;
}

function clear(): void {
  if (!opened.peek()) return;
  const everything: Partial<Selection> = { processes: [], threads: [], tasks: [], range: null, search: '' };
  select(everything);
}
