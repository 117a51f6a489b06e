// SPDX-License-Identifier: Apache-2.0
// The parts of a run: processes, ranks, imports.
import { importsOf, processFactsOf, ranksOf } from '../../model/report';
import { catalog, select, selection } from '../../state/app';
import { fileOfPath } from '../../state/source_place';
import { useQuery } from '../../state/query';
import { formatBytes, formatShare, formatTime } from '../../text/amount';
import { PlaceLink } from '../../widgets/place_link';
import { Card } from './card';
import { SmallTable } from './small_table';

const MOST_ROWS = 12;

export function ProcessesCard() {
  const { processes, meta } = catalog();
  const { output } = useQuery('processes', processes.length > 1 ? { selection: selection.value } : null);
  if (!output || processes.length < 2) return null;
  const exits = new Map(processFactsOf(meta).map(({ pid, exit }) => [pid, exit]));
  const rows = [...output].sort((a, b) => b.cpu + b.waits - a.cpu - a.waits);
  return (
    <Card title={`${processes.length} processes`} note={rows.length > MOST_ROWS ? `the ${MOST_ROWS} with most time` : undefined}>
      <SmallTable
        label="None"
        heads={['Process', 'Command', 'CPU', 'Waits', 'Most resident', 'End']}
        numeric={[2, 3, 4]}
        rows={rows.slice(0, MOST_ROWS).map(({ process, cpu, waits, rss }) => {
          const { pid, name } = processes[process];
          return [
            <button type="button" class="link" title="Select this process" onClick={() => select({ processes: [process], threads: [], tasks: [] })}>{pid}</button>,
            <bdi class="command" title={name}>{name}</bdi>,
            formatTime(cpu), formatTime(waits), rss > 0 ? formatBytes(rss) : '–', exits.get(pid) ?? '',
          ];
        })}
      />
    </Card>
  );
}

export function RanksCard() {
  const ranks = ranksOf(catalog().meta);
  if (!ranks) return null;
  return (
    <Card title={`${ranks.rows.length} ranks`} ofWholeRun note={`by ${ranks.variable}; median ${formatTime(ranks.median * 1e9)}`}>
      <SmallTable
        label="None"
        heads={['Rank', 'Elapsed', 'Against the median', 'CPU', 'Waits']}
        numeric={[0, 1, 2, 3, 4]}
        rows={ranks.rows.slice(0, MOST_ROWS).map(({ rank, elapsed, cpu, wait }) => [
          rank, formatTime(elapsed * 1e9), formatShare(elapsed, ranks.median), formatTime(cpu * 1e9), formatTime(wait * 1e9),
        ])}
      />
    </Card>
  );
}

// Shorter ones are noise beside the run.
const LEAST_SHARE = 0.01;

export function ImportsCard() {
  const of = catalog();
  const imports = importsOf(of.meta).filter(({ seconds }) => seconds * 1e9 >= of.end * LEAST_SHARE);
  if (imports.length === 0) return null;
  return (
    <Card title="Imports" ofWholeRun note="with all that they import themselves">
      <SmallTable
        label="Imports"
        heads={['Module', 'Time', 'Of the run']}
        numeric={[1, 2]}
        rows={imports.slice(0, 6).map(({ path, seconds }) => [
          path ? <PlaceLink file={fileOfPath(of, path)} path={path.replace(/\/__init__\.py$/, '')} line={0} /> : 'looking for modules',
          formatTime(seconds * 1e9), formatShare(seconds * 1e9, of.end),
        ])}
      />
    </Card>
  );
}
