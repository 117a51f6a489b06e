// SPDX-License-Identifier: Apache-2.0
// A profile in columns, checked once: whoever reads it may use every index in it without looking.
import { DataError, hasBytesPerElement, readContainer, readNumbers, readText, Section, Strings } from './container';
import type { Meta } from './meta';
import { Column, SCHEMA, Tables } from './schema';

export type Profile = { [T in keyof Tables]: Tables[T]['columns'] & { rows: number } } & {
  meta: Meta;
  string: Strings;
};

// A table of constants costs no bytes per row, so its size needs a bound of its own.
const MOST_CONSTANT_ROWS = 1_000_000;

export function readProfile(bytes: Uint8Array): Profile {
  const sections = readContainer(bytes);
  const profile: Record<string, unknown> = {
    meta: readMeta(sections.get('meta')),
    string: sections.has('string') ? Strings.read(sections.get('string')!) : Strings.empty,
  };
  const rows = new Map<string, number>([['string', (profile.string as Strings).length]]);
  for (const [table, columns] of Object.entries(SCHEMA)) {
    const found = Object.keys(columns).map((column) => sections.get(`${table}.${column}`));
    rows.set(table, rowsOf(table, found));
  }
  for (const [table, columns] of Object.entries(SCHEMA)) {
    const content: Record<string, unknown> = { rows: rows.get(table)! };
    for (const [name, column] of Object.entries(columns)) {
      content[name] = readColumn(sections.get(`${table}.${name}`), rows.get(table)!, column, rows);
    }
    profile[table] = content;
  }
  const result = profile as unknown as Profile;
  checkStacks(result);
  return result;
}

function readMeta(section: Section | undefined): Meta {
  if (!section) throw new DataError('section meta is missing');
  let meta: unknown;
  try {
    meta = JSON.parse(readText(section));
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError('section meta is no JSON');
  }
  if (typeof meta !== 'object' || meta === null || typeof (meta as Meta).page !== 'object' || !(meta as Meta).page) {
    throw new DataError('section meta lacks what the page needs');
  }
  return meta as Meta;
}

/** A column that is missing is 0 in every row. */
function rowsOf(table: string, columns: (Section | undefined)[]): number {
  const found = columns.filter((column) => column !== undefined);
  const rows = found[0]?.count ?? 0;
  if (found.some(({ count }) => count !== rows)) throw new DataError(`columns of table ${table} differ in length`);
  if (rows > MOST_CONSTANT_ROWS && !found.some(hasBytesPerElement)) {
    throw new DataError(`table ${table} has too many rows`);
  }
  for (const column of found) {
    if (hasBytesPerElement(column) && column.count > column.bytes.length) {
      throw new DataError(`section ${column.name} does not have the ${column.count} elements that it claims`);
    }
  }
  return rows;
}

function readColumn(section: Section | undefined, rows: number, column: Column, rowsByTable: Map<string, number>) {
  const out =
    column.kind === 'number' ? new Float64Array(rows) : column.kind === 'byte' ? new Uint8Array(rows) : new Uint32Array(rows);
  const most = mostOf(column, rowsByTable);
  if (section) readNumbers(section, out, most);
  else if (rows > 0 && most !== undefined && most < 0) throw new DataError(`table ${column.into} is missing`);
  return out;
}

function mostOf(column: Column, rowsByTable: Map<string, number>): number | undefined {
  switch (column.kind) {
    case 'index':
      return rowsByTable.get(column.into)! - 1;
    case 'optional':
      return rowsByTable.get(column.into)!;
    case 'byte':
      return column.most;
    default:
      return undefined;
  }
}

/** Parents stand before their children, which also means that no chain of parents is endless. */
function checkStacks({ stack, frame }: Profile): void {
  if (stack.rows === 0) return;
  if (stack.parent[0] !== 0) throw new DataError('the empty stack has a parent');
  for (let i = 1; i < stack.rows; ++i) {
    if (stack.parent[i] >= i) throw new DataError(`stack ${i} stands before its parent`);
    if (stack.frame[i] >= frame.rows) throw new DataError(`stack ${i} has an unknown frame`);
  }
}
