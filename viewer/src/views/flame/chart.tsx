// SPDX-License-Identifier: Apache-2.0
import type { Catalog } from '../../model/catalog';
import type { Layout } from '../../model/layout';
import { WALL } from '../../model/metrics';
import type { Selection } from '../../model/selection';
import { supplyFor } from '../../render/zoom';
import { catalog, metric, option, select, selection, setOption } from '../../state/app';
import { threadTitle } from '../../state/names';
import { useQuery } from '../../state/query';
import { useViewport } from '../../state/viewport';
import { Boxes } from './boxes';

const COLUMN_PIXELS = 1.5;
const OVERVIEW_COLUMNS = 700;
const NOTHING_YET: Layout = {
  rows: Uint32Array.of(0), begin: new Float64Array(0), end: new Float64Array(0), key: new Int32Array(0), parent: new Int32Array(0),
  self: new Float64Array(0), samples: new Float64Array(0),
};

/** The thread of the chart: the one that was asked for, else the selected one, else the main one. */
function chartThread(names: Catalog, of: Selection): number {
  const asked = Number(option('flame.thread', '-1'));
  const inSelection = offeredThreads(names, of);
  if (inSelection.includes(asked)) return asked;
  return inSelection.includes(names.mainThread) ? names.mainThread : (inSelection[0] ?? -1);
}

function offeredThreads(names: Catalog, of: Selection): number[] {
  return names.threads.flatMap(({ process }, i) =>
    (of.threads.length === 0 || of.threads.includes(i)) && (of.processes.length === 0 || of.processes.includes(process)) ? [i] : []);
}

export function ThreadSelect() {
  const names = catalog();
  const offered = offeredThreads(names, selection.value);
  return (
    <select
      aria-label="Thread of the chart"
      value={chartThread(names, selection.value)}
      onChange={(event) => setOption('flame.thread', event.currentTarget.value, '-1')}
    >
      {offered.slice(0, 1000).map((thread) => (
        <option key={thread} value={thread}>{threadTitle(names, thread)}</option>
      ))}
    </select>
  );
}

/** Stacks of one thread in order of time. */
export function Chart({ recursion }: { recursion: boolean }) {
  const names = catalog();
  const of = selection.value;
  const thread = chartThread(names, of);
  if (thread < 0) return <p class="note">No thread is selected.</p>;
  return <ThreadChart key={thread} thread={thread} recursion={recursion} />;
}

function ThreadChart({ thread, recursion }: { thread: number; recursion: boolean }) {
  const names = catalog();
  const of = selection.value;
  const { start, end } = names.threads[thread];
  const extent = of.range ?? { begin: start, end: Math.max(end, start + 1) };
  const [viewport, setViewport] = useViewport('flame.zoom', extent);
  const isTime = metric.value.source === 'sample';
  const { range, span } = supplyFor(viewport, extent);
  const { output, error } = useQuery('chart', {
    selection: isTime ? of : { ...of, metric: WALL },
    thread,
    range,
    columns: Math.max(200, Math.round((window.innerWidth / COLUMN_PIXELS) * ((range.end - range.begin) / span))),
    recursion,
  });
  const everything = useQuery('chart', {
    selection: isTime ? of : { ...of, metric: WALL }, thread, range: extent, columns: OVERVIEW_COLUMNS, recursion,
  }, 'chart overview').output;
  if (error) return <p class="error" role="alert">{error}</p>;
  if (!output) return <p class="note" role="status">…</p>;
  return (
    <>
      {!isTime && <p class="note">The chart is of time: this is all that the thread did.</p>}
      <Boxes
        label={`chart of ${threadTitle(names, thread)}`}
        layout={output.layout}
        overview={everything?.layout ?? NOTHING_YET}
        whole={{ total: extent.end - extent.begin, samples: output.layout.samples[0] }}
        extent={extent}
        viewport={viewport}
        onViewport={setViewport}
        by={of.by}
        isTime
        onRange={(picked) => select({ range: { begin: Math.round(picked.begin), end: Math.round(picked.end) } })}
      />
    </>
  );
}
