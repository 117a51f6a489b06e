// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { catalog } from '../../state/app';
import { useQuery } from '../../state/query';
import { Lanes } from './lanes';
import { TimelineLegend } from './legend';

/** What happened when: processes, threads and tasks side by side. A drag selects a range for all views. */
export function TimelineView() {
  const { output, error } = useQuery('spans', useMemo(() => ({}), []));
  if (error) return <p class="error" role="alert">{error}</p>;
  if (!output) return <p class="note" role="status">…</p>;
  return (
    <div class="timeline">
      <div class="view-bar">
        <TimelineLegend />
      </div>
      <Lanes facts={output} extent={{ begin: 0, end: catalog().end }} />
    </div>
  );
}
