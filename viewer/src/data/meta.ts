// SPDX-License-Identifier: Apache-2.0
// The part of the report that comes with the data (docs/format/report-json.md). Members are
// optional: a report of another version may lack any of them, and a view then shows less.

export interface Counter {
  id: string;
  pid: number;
  class: string;
  value: number;
  unit: string;
  text: string;
}

export interface Meta {
  page: { title: string; end_ns: number; main_thread: number | null; memory: boolean; pieces?: boolean; partial?: boolean; rest?: string[] };
  run?: {
    pyrometer_version?: string;
    command?: string[];
    working_directory?: string;
    operating_system?: string;
    start_unix_seconds?: number;
  };
  losses?: Counter[];
  costs?: Counter[];
  facts?: Counter[];
  verdicts?: unknown[];
  processes?: unknown[];
  merged?: unknown;
  growth?: unknown[];
  load?: Record<string, unknown>;
  [member: string]: unknown;
}
