// SPDX-License-Identifier: Apache-2.0
// The views of the page. A new one is a file and a line here.
import type { ComponentType } from 'preact';
import { CallTreeView } from './calls/call_tree_view';
import { DiffView } from './diff/diff_view';
import { FlameView } from './flame/flame_view';
import { TimelineView } from './timeline/timeline_view';
import { CallGraphView } from './graph/call_graph_view';
import { TableView } from './table/table_view';

export interface View {
  id: string;
  title: string;
  component: ComponentType;
  /** Whether it can be shown at all; left out: always. */
  isOffered?: () => boolean;
}

export const VIEWS: readonly View[] = [
  { id: 'flame', title: 'Flame', component: FlameView },
  { id: 'timeline', title: 'Timeline', component: TimelineView },
  { id: 'calls', title: 'Call tree', component: CallTreeView },
  { id: 'graph', title: 'Call graph', component: CallGraphView },
  { id: 'table', title: 'Table', component: TableView },
  { id: 'diff', title: 'Diff', component: DiffView },
];
