// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from 'preact/hooks';
import { detailOf } from '../../model/detail';
import { Change, changeOf } from '../../model/diff';
import { isSignificant } from '../../model/interval';
import type { Metric, Unit } from '../../model/metrics';
import { Range, Selection, withoutSearch } from '../../model/selection';
import { changeColour } from '../../render/change_colour';
import { comparedNames } from '../../state/compared';
import { useQuery } from '../../state/query';
import { theme } from '../../state/theme';
import { formatDifference } from '../../text/interval';
import type { Questions } from '../../worker/protocol';
import { Boxes } from '../flame/boxes';
import { useViewport } from '../../state/viewport';
import { ChangeTip } from './diff_table';

interface DiffFlameProps {
  selection: Selection;
  metric: Metric;
  share: boolean;
  vanished: boolean;
  onlySignificant: boolean;
}

/** The stacks of both as boxes: wide as in the new profile, red where there is more of it, blue where less. */
export function DiffFlame(props: DiffFlameProps) {
  const { selection, share, vanished } = props;
  const [detail, setDetail] = useState(0);
  const { output, error } = useQuery('diff_flame', { selection: withoutSearch(selection), share, vanished, detail });
  if (error) return <p class="error" role="alert">{error}</p>;
  if (!output) return <p class="note" role="status">…</p>;
  if (output.layout.end[0] === 0) return <p class="note">Nothing to compare in what is selected.</p>;
  return <Picture {...props} output={output} onDetail={setDetail} />;
}

interface PictureProps extends DiffFlameProps {
  output: Questions['diff_flame']['out'];
  onDetail: (detail: number) => void;
}

function Picture({ selection, metric, share, onlySignificant, output, onDetail }: PictureProps) {
  const { layout, fresh, base, whole, ownKeys, onlyBase } = output;
  const { by, search } = selection;
  const extent: Range = { begin: 0, end: Math.max(1, layout.end[0]) };
  const [viewport, setViewport] = useViewport('diff.zoom', extent);
  const detail = detailOf(extent.end, viewport.end - viewport.begin);
  useEffect(() => onDetail(detail), [detail]);
  const compared = useMemo(() => comparedNames(by, ownKeys, onlyBase, search), [output, by, search]);
  // Boxes of one function differ in their colours, so each box is its own key.
  const numbered = useMemo(() => ({ ...layout, key: Int32Array.from(layout.key, (_, box) => box) }), [layout]);
  const changes = useMemo(() => {
    const made = new Map<number, Change>();
    return (box: number): Change => {
      let change = made.get(box);
      if (!change) {
        const side = (of: typeof fresh) => ({ amount: of.amount[box], squares: of.squares[box] });
        made.set(box, (change = changeOf(side(fresh), side(base), whole, metric.unit, share)));
      }
      return change;
    };
  }, [output, metric, share]);
  const shownTheme = theme.value;
  const colours = useMemo(() => {
    const made: string[] = [];
    return (box: number): string => {
      if (made[box] === undefined) {
        const { fresh: now, base: then, difference, interval } = changes(box);
        const isLeftOut = onlySignificant && !isSignificant(interval);
        made[box] = changeColour(isLeftOut ? 0 : difference / (Math.max(now, then) || 1), shownTheme);
      }
      return made[box];
    };
  }, [changes, onlySignificant, shownTheme]);
  const unit = share ? 'share' : metric.unit;
  const labelOf = (box: number) => (layout.key[box] < 0 ? 'all' : compared.labelOf(layout.key[box]));
  return (
    <Boxes
      label="red is more, blue is less than in the base"
      layout={numbered}
      whole={{ total: extent.end, samples: whole.fresh.samples }}
      extent={extent}
      viewport={viewport}
      onViewport={setViewport}
      by={by}
      own={{
        // The sign stands in the text as well: colour is not all there is.
        nameOf: (box) => `${labelOf(box)}  ${wordOf(changes(box), unit)}`,
        colourOf: colours,
        functionOf: (box) => compared.functionOf(layout.key[box]),
        isMatch: compared.isMatch && ((box) => layout.key[box] >= 0 && compared.isMatch!(layout.key[box])),
        tipOf: (box) => (
          <ChangeTip change={changes(box)} label={labelOf(box)} where={compared.whereOf(layout.key[box])} unit={unit} />
        ),
      }}
    />
  );
}

function wordOf({ fresh, base, difference }: Change, unit: Unit | 'share'): string {
  if (fresh === 0) return 'gone';
  return base === 0 ? 'new' : formatDifference(difference, unit);
}
