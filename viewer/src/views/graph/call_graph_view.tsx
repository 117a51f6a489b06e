// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { placeOf } from '../../model/catalog';
import type { CallGraph } from '../../model/graph';
import { withoutSearch } from '../../model/selection';
import { GraphPicture, heatColour } from '../../render/graph';
import { catalog, chosen, metric, option, selection, setOption } from '../../state/app';
import { openSandwich } from '../../state/jump';
import { useShortcuts } from '../../state/keys';
import { labelOf, whereOf } from '../../state/names';
import { useQuery } from '../../state/query';
import { matcher } from '../../state/search';
import { theme } from '../../state/theme';
import { formatFull, formatShare, formatWhole } from '../../text/amount';
import { StepSlider } from '../../widgets/slider';
import { DetailPanel } from '../flame/detail_panel';
import { GraphCanvas } from './graph_canvas';

const NODE_STEPS = [0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
const EDGE_STEPS = [0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
const DEFAULT_EDGE = '0.001';

/** Who calls whom, each function once. */
export function CallGraphView() {
  const of = selection.value;
  const asked = option('graph.node', 'auto');
  const nodeShare = asked === 'auto' ? null : Number(asked) || 0;
  const edgeShare = Number(option('graph.edge', DEFAULT_EDGE)) || 0;
  const focus = focusKey();
  const { output, error } = useQuery('graph', { selection: withoutSearch(of), focus, limits: { nodeShare, edgeShare } });
  const { unit, title } = metric.value;
  const names = catalog();
  const isMatch = matcher();
  const setFocus = (key: number) => setOption('graph.focus', key < 0 ? '' : `${of.by}${key}`, '');
  const picture = useMemo<GraphPicture | null>(
    () => output && { graph: output.graph, placed: output.placed, boxes: output.boxes },
    [output],
  );
  useShortcuts('Call graph', [
    { keys: ['f'], title: 'Focus on the chosen function', run: () => of.by === 'function' && chosen.value >= 0 && setFocus(chosen.value) },
  ]);

  if (error) return <p class="error" role="alert">{error}</p>;
  const nodes = output?.graph.nodes ?? [];
  const isChosen = (key: number) => placeOf(names, of.by, key).function === chosen.value;
  const chosenNode = nodes.findIndex(({ key }) => isChosen(key) && (of.by === 'function' || String(key) === option('graph.line', '')));
  return (
    <div class="beside">
      <div class="beside-main">
        <GraphBar output={output} focus={focus} nodeShare={nodeShare} edgeShare={edgeShare} onEverything={() => setFocus(-1)} />
        {!picture && <p class="note" role="status">…</p>}
        {picture && nodes.length === 0 && <p class="note">No {title.toLowerCase()} in what is selected.</p>}
        {picture && output && nodes.length > 0 && (
          <GraphCanvas
            label={`Call graph of ${title} with ${nodes.length} functions: the arrow keys go along the calls`}
            picture={picture}
            style={{
              theme: theme.value,
              whole: output.whole.total,
              chosen: chosenNode,
              isMatch: isMatch && ((node) => isMatch(nodes[node].key)),
              textsOf: (node) => {
                const { key, total, self, totalSamples } = nodes[node];
                return {
                  name: labelOf(names, of.by, key),
                  where: whereOf(names, of.by, key).replace(/^…\/(?:.*\/)?(?=[^/]*$)/, ''),
                  figures: [
                    `${formatShare(total, output.whole.total)} (self ${formatShare(self, output.whole.total)})`,
                    formatWhole(total, unit, totalSamples),
                  ],
                };
              },
              edgeText: (edge) => formatShare(output.graph.edges[edge].total, output.whole.total),
            }}
            onChoose={(node) => {
              chosen.value = node < 0 ? -1 : placeOf(names, of.by, nodes[node].key).function;
              if (of.by === 'line') setOption('graph.line', node < 0 ? '' : String(nodes[node].key), '');
            }}
            onFocus={(node) => setFocus(node < 0 ? -1 : nodes[node].key)}
            tipOf={(node) => {
              const { key, total, self, totalSamples, selfSamples } = nodes[node];
              return (
                <>
                  <strong><bdi>{labelOf(names, of.by, key)}</bdi></strong>
                  <div class="faint"><bdi>{whereOf(names, of.by, key)}</bdi></div>
                  <div>total {formatFull(total, unit, output.whole.total, totalSamples)}</div>
                  <div>self {formatFull(self, unit, output.whole.total, selfSamples)}</div>
                </>
              );
            }}
          />
        )}
      </div>
      <DetailPanel
        recursion={false}
        hint="Click a function for its callers and callees. Double click shows only what leads to it and from it."
        onSandwich={openSandwich}
      />
    </div>
  );
}

/** The option names the granularity as well: a number of a function is none of a line. */
function focusKey(): number {
  const { by } = selection.value;
  const found = /^(function|line)(\d{1,9})$/.exec(option('graph.focus', ''));
  const { functions, frames } = catalog();
  const keys = by === 'line' ? frames.line.length : functions.line.length;
  return found && found[1] === by && Number(found[2]) < keys ? Number(found[2]) : -1;
}

const percent = (value: number) => (value === 0 ? 'all' : `${+(100 * value).toPrecision(2)} %`);

/** How small functions and calls may be to be shown, and what the picture is narrowed to. */
function GraphBar(props: {
  output: { graph: CallGraph } | null;
  /** A key; -1: none. */
  focus: number;
  /** null: as many functions as can be read. */
  nodeShare: number | null;
  edgeShare: number;
  onEverything: () => void;
}) {
  const { focus, nodeShare, edgeShare } = props;
  const { by } = selection.value;
  const graph = props.output?.graph;
  return (
    <div class="view-bar">
      <StepSlider
        label={by === 'line' ? 'Lines from' : 'Functions from'}
        steps={NODE_STEPS}
        value={nodeShare ?? graph?.nodeShare ?? 0.005}
        format={(value) => (nodeShare === null ? `${formatShare(value, 1)} (auto)` : percent(value))}
        onChange={(value) => setOption('graph.node', String(value), 'auto')}
      />
      {nodeShare !== null && (
        <button type="button" onClick={() => setOption('graph.node', 'auto', 'auto')}>Auto</button>
      )}
      <StepSlider
        label="Calls from"
        steps={EDGE_STEPS}
        value={edgeShare}
        format={percent}
        onChange={(value) => setOption('graph.edge', String(value), DEFAULT_EDGE)}
      />
      {focus >= 0 && (
        <span class="chip">
          only through <bdi class="chip-name">{labelOf(catalog(), by, focus)}</bdi>
          <button type="button" aria-label="Show everything again" title="Show everything again (Esc)" onClick={props.onEverything}>
            ×
          </button>
        </span>
      )}
      {graph && (
        <span class="view-note">
          {graph.nodes.length} of {graph.nodes.length + graph.hiddenNodes} {by === 'line' ? 'lines' : 'functions'}
        </span>
      )}
      <Heat />
    </div>
  );
}

/** What the colours mean. */
function Heat() {
  return (
    <span class="heat-legend" aria-label="Colour: share of the total, from small to large">
      <span aria-hidden="true">cold</span>
      {[0, 0.06, 0.2, 0.45, 1].map((share) => (
        <span key={share} class="heat-step" style={{ background: heatColour(share, theme.value) }} />
      ))}
      <span aria-hidden="true">hot</span>
    </span>
  );
}
