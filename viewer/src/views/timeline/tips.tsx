// SPDX-License-Identifier: Apache-2.0
import { ACTIVITIES } from '../../model/metrics';
import type { Moment, Spans } from '../../model/timeline';
import { inUse } from '../../render/levels';
import { catalog } from '../../state/app';
import { labelOf } from '../../state/names';
import { formatBytes, formatTime } from '../../text/amount';
import type { Facts } from './rows';

const MOST_FRAMES = 8;

export function MomentTip({ moment, time }: { moment: Moment | null; time: number }) {
  if (!moment) return <>{formatTime(time)}: nothing recorded</>;
  const names = catalog();
  return (
    <>
      <strong>{ACTIVITIES[moment.activity].title}</strong>
      <div class="faint">
        {formatTime(moment.begin)} – {formatTime(moment.begin + moment.length)} ({formatTime(moment.length)})
      </div>
      <ol class="tip-stack">
        {moment.frames.slice(0, MOST_FRAMES).map((frame, i) => <li key={i}><bdi>{labelOf(names, 'line', frame)}</bdi></li>)}
        {moment.frames.length > MOST_FRAMES && <li class="faint">and {moment.frames.length - MOST_FRAMES} callers</li>}
        {moment.frames.length === 0 && <li class="faint">no stack</li>}
      </ol>
    </>
  );
}

export function LevelTip({ facts: { levels }, row }: { facts: Facts; row: number }) {
  const line = (title: string, bytes: number) => <div>{title} {formatBytes(bytes)}</div>;
  return (
    <>
      <strong>{formatBytes(levels.rss[row])} resident</strong>
      <div class="faint">at {formatTime(levels.time[row])}</div>
      {line('in use', inUse(levels, row))}
      {line('Python', levels.python[row])}
      {line('native', levels.native[row])}
      {line('mapped', levels.mapped[row])}
    </>
  );
}

export function SpanTip({ spans, span, what }: { spans: Spans; span: number; what: string }) {
  return (
    <>
      <strong><bdi>{spans.labels[spans.label[span]]}</bdi></strong>
      <div class="faint">{what}</div>
      <div>{formatTime(spans.length[span])} from {formatTime(spans.begin[span])}</div>
    </>
  );
}

export function TaskTip({ task }: { task: number }) {
  const names = catalog();
  const { name, function: owner, origin, start, end } = names.tasks[task];
  return (
    <>
      <strong><bdi>{name}</bdi></strong>
      <div class="faint"><bdi>{names.functions.name[owner]}</bdi></div>
      <div>{formatTime(start)} – {formatTime(end)}</div>
      {origin >= 0 && <div>made by <bdi>{labelOf(names, 'line', origin)}</bdi></div>}
    </>
  );
}
