// SPDX-License-Identifier: Apache-2.0
// The views of the page. A new one is a file and a line here.
import type { ComponentType } from 'preact';
import { CallTreeView } from './calls/call_tree_view';
import { DiffView } from './diff/diff_view';
import { FlameView } from './flame/flame_view';
import { CallGraphView } from './graph/call_graph_view';
import { MemoryView } from './memory/memory_view';
import { SourceView } from './source/source_view';
import { SummaryView } from './summary/summary_view';
import { TableView } from './table/table_view';
import { TimelineView } from './timeline/timeline_view';

export interface View {
  id: string;
  title: string;
  component: ComponentType;
  /** Whether it can be shown at all; left out: always. */
  isOffered?: () => boolean;
}

export const VIEWS: readonly View[] = [
  { id: 'summary', title: 'Summary', component: SummaryView },
  { id: 'source', title: 'Source', component: SourceView },
  { id: 'flame', title: 'Flame', component: FlameView },
  { id: 'timeline', title: 'Timeline', component: TimelineView },
  { id: 'calls', title: 'Call tree', component: CallTreeView },
  { id: 'graph', title: 'Call graph', component: CallGraphView },
  { id: 'memory', title: 'Memory', component: MemoryView },
  { id: 'table', title: 'Table', component: TableView },
  { id: 'diff', title: 'Diff', component: DiffView },
];
