// SPDX-License-Identifier: Apache-2.0
import type { Layout } from '../../model/layout';
import type { Unit } from '../../model/metrics';
import type { Selection } from '../../model/selection';
import { catalog } from '../../state/app';
import { labelOf, whereOf } from '../../state/names';
import { formatAmount, formatFull, formatSamples, formatShare, formatTime } from '../../text/amount';
import type { SelectionTotals } from '../../worker/protocol';

export function BoxTip(props: { layout: Layout; box: number; by: Selection['by']; whole: SelectionTotals; unit: Unit; isTime: boolean }) {
  const { layout, box, by, whole, unit } = props;
  const names = catalog();
  const key = layout.key[box];
  const size = layout.end[box] - layout.begin[box];
  return (
    <>
      <strong><bdi>{labelOf(names, by, key)}</bdi></strong>
      <div class="faint"><bdi>{whereOf(names, by, key)}</bdi></div>
      {props.isTime ? (
        <div>{formatTime(size)} from {formatTime(layout.begin[box])} · {formatSamples(layout.samples[box])}</div>
      ) : (
        <>
          <div>total {formatFull(size, unit, whole.total, layout.samples[box])}</div>
          <div>self {formatAmount(layout.self[box], unit)} · {formatShare(layout.self[box], whole.total)}</div>
        </>
      )}
    </>
  );
}
