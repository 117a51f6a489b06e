// SPDX-License-Identifier: Apache-2.0
// Threads that wait for each other's GIL, and callbacks that hold their event loop.
import { gilWaitsOf } from '../../model/report';
import { catalog, selection } from '../../state/app';
import { useQuery } from '../../state/query';
import { formatTime } from '../../text/amount';
import { calledName } from '../../text/called_name';
import { shownName } from '../../data/shown';
import { PlaceLink } from '../../widgets/place_link';
import { Card } from './card';
import { SmallTable } from './small_table';

const MOST_ROWS = 6;

export function GilCard() {
  const waits = gilWaitsOf(catalog().meta);
  if (waits.length === 0) return null;
  const sum = waits.reduce((total, { seconds }) => total + seconds, 0);
  return (
    <Card title="Who waits for whose GIL" ofWholeRun note={`${formatTime(sum * 1e9)} in all`}>
      <SmallTable
        label="Who waits for whose GIL"
        heads={['Waits', 'for', 'Time', 'Samples']}
        numeric={[2, 3]}
        rows={waits.slice(0, MOST_ROWS).map(({ waiter, holder, seconds, samples }) => [
          <bdi>{waiter}</bdi>, <bdi>{holder || 'nobody, or not known'}</bdi>, formatTime(seconds * 1e9), samples,
        ])}
      />
    </Card>
  );
}

export function LoopBlocksCard() {
  const { output } = useQuery('span_sums', { selection: selection.value });
  if (!output || output.blocks.length === 0) return null;
  const { functions } = catalog();
  return (
    <Card title="Callbacks that held the event loop" note="50 ms or longer">
      <SmallTable
        label="Callbacks that held the event loop"
        heads={['In', '', 'Times', 'Together', 'Longest']}
        numeric={[2, 3, 4]}
        rows={output.blocks.slice(0, MOST_ROWS).map((block) => [
          <bdi class="code">{calledName(functions.name[block.function] ?? 'native code')}</bdi>,
          block.file >= 0 && <PlaceLink file={block.file} line={block.line} function={block.function} />,
          block.count, formatTime(block.time), formatTime(block.longest),
        ])}
      />
    </Card>
  );
}

export function RegionsCard() {
  const { output } = useQuery('span_sums', { selection: selection.value });
  if (!output || output.regions.length === 0) return null;
  return (
    <Card title="Regions" note="named by the program">
      <SmallTable
        label="Regions"
        heads={['Name', 'Times', 'Wall', 'Mean', 'Longest', 'CPU']}
        numeric={[1, 2, 3, 4, 5]}
        rows={output.regions.slice(0, 2 * MOST_ROWS).map(({ name, count, wall, longest, cpu }) => [
          <bdi class="code">{shownName(name)}</bdi>, count, formatTime(wall), formatTime(wall / count), formatTime(longest), formatTime(cpu),
        ])}
      />
    </Card>
  );
}
