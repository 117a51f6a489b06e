// SPDX-License-Identifier: Apache-2.0
import { partsOf } from '../../model/parts';
import { withoutSearch } from '../../model/selection';
import { metric, option, selection, setOption } from '../../state/app';
import { openSandwich } from '../../state/jump';
import { useShortcuts } from '../../state/keys';
import { useQuery } from '../../state/query';
import { PartLegend } from '../../widgets/part_bar';
import { Segmented } from '../../widgets/segmented';
import { StepSlider } from '../../widgets/slider';
import { DetailPanel } from '../flame/detail_panel';
import { Calls } from './calls';

const STEPS = [0, 0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
const DEFAULT_STEP = '0.001';

const ORDERS = [
  { value: 'down', title: 'From the top', hint: 'what was called first stands outermost (i)' },
  { value: 'up', title: 'Bottom up', hint: 'who had it, and who called them (i)' },
] as const;

/** The calls as a tree of rows, as the program made them. */
export function CallTreeView() {
  const inverted = option('calls.order', 'down') === 'up';
  const share = Number(option('calls.least', DEFAULT_STEP)) || 0;
  const hides = option('calls.library', 'hide') === 'hide';
  const setInverted = (next: boolean) => setOption('calls.order', next ? 'up' : 'down', 'down');
  const toggleLibrary = () => setOption('calls.library', hides ? 'show' : 'hide', 'hide');
  useShortcuts('Call tree', [
    { keys: ['i'], title: 'From the top or bottom up', run: () => setInverted(!inverted) },
    { keys: ['h'], title: 'Hide library frames', run: toggleLibrary },
  ]);
  const question = { selection: withoutSearch(selection.value), inverted, share };
  const { output, error } = useQuery('calls', question);
  return (
    <div class="beside">
      <div class="beside-main">
        <div class="view-bar">
          <Segmented label="Order" choices={ORDERS} value={inverted ? 'up' : 'down'} onChange={(next) => setInverted(next === 'up')} />
          <button
            type="button"
            class="toggle"
            aria-pressed={hides}
            title="Of calls inside libraries only the first is shown (h)"
            onClick={toggleLibrary}
          >
            Hide library frames
          </button>
          <StepSlider
            label="At least"
            steps={STEPS}
            value={share}
            format={(value) => (value === 0 ? 'all' : `${+(100 * value).toPrecision(2)} %`)}
            onChange={(value) => setOption('calls.least', String(value), DEFAULT_STEP)}
          />
          <PartLegend parts={partsOf(metric.value)} />
        </div>
        {error && <p class="error" role="alert">{error}</p>}
        {!error && !output && <p class="note" role="status">…</p>}
        {output && <Calls {...output} inverted={inverted} hides={hides} question={JSON.stringify(question)} />}
      </div>
      <DetailPanel
        recursion={false}
        hint="Click a call for its callers and callees. Double click or Enter opens its source; the arrow keys open and close."
        onSandwich={openSandwich}
      />
    </div>
  );
}
