// SPDX-License-Identifier: Apache-2.0
// A profile in columns, each checked as it is read: whoever has one may use every index in it without looking.
import type { ArrayOf, Column } from './column';
import { DataError, hasBytesPerElement, NumberArray, readContainer, readNumbers, readText, Section, Strings } from './container';
import type { Meta } from './meta';
import { SCHEMA } from './schema';

type Schema = typeof SCHEMA;

export type Profile = { [Table in keyof Schema]: { [Name in keyof Schema[Table]]: ArrayOf<Schema[Table][Name]> } & { rows: number } } & {
  meta: Meta;
  string: Strings;
  /** Reads one of the columns that are there and that nobody has asked for yet; false: there are none. */
  readOneMore: () => boolean;
  /** The columns that were to come later (`meta.page.rest`). */
  addRest: (bytes: Uint8Array) => void;
};

/** A column was asked for that comes later. */
export class NotThereYet extends Error {}

// A table of constants costs no bytes per row, so its size needs a bound of its own.
const MOST_CONSTANT_ROWS = 1_000_000;

/**
 * Columns are read when they are first asked for: they may have a hundred megabytes, and the first view needs a
 * third of them. So a damaged column may come to light later than the profile; `readOneMore` finds all of them.
 */
export function readProfile(bytes: Uint8Array): Profile {
  const sections = readContainer(bytes);
  const string = sections.has('string') ? Strings.read(sections.get('string')!) : Strings.empty;
  const unread = new Map<string, () => void>();
  const meta = readMeta(sections.get('meta'));
  const late = new Set(Array.isArray(meta.page.rest) ? meta.page.rest.map(String).filter((name) => !sections.has(name)) : []);
  const profile: Record<string, unknown> = {
    meta,
    string,
    readOneMore() {
      for (const [name, read] of unread) {
        if (late.has(name)) continue;
        read();
        return true;
      }
      return false;
    },
    addRest(more: Uint8Array) {
      const rest = readContainer(more);
      const arrived = [...late].map((name) => {
        const section = rest.get(name);
        if (!section) throw new DataError(`section ${name} is missing`);
        return section;
      });
      for (const table of new Set([...late].map(tableOf))) {
        const columns = arrived.filter(({ name }) => tableOf(name) === table);
        const count = rowsOf(table, columns);
        if ((rows.get(table) ?? count) !== count) throw new DataError(`columns of table ${table} differ in length`);
        rows.set(table, count);
        Object.defineProperty(profile[table], 'rows', { value: count });
      }
      for (const section of arrived) sections.set(section.name, section);
      late.clear();
    },
  };
  const rows = new Map<string, number>([['string', string.length]]);
  for (const [table, columns] of Object.entries(SCHEMA)) {
    const names = Object.keys(columns).map((column) => `${table}.${column}`);
    const found = names.map((name) => sections.get(name));
    // How many there will be is not known before one of them is there.
    if (found.some(Boolean) || !names.some((name) => late.has(name))) rows.set(table, rowsOf(table, found));
  }
  for (const [table, columns] of Object.entries(SCHEMA)) {
    const content = {} as { rows: number };
    Object.defineProperty(content, 'rows', rows.has(table)
      ? { enumerable: true, configurable: true, value: rows.get(table) }
      : { enumerable: true, configurable: true, get: () => { throw new NotThereYet(table); } });
    for (const [name, column] of Object.entries(columns)) {
      const section = `${table}.${name}`;
      let known: NumberArray | null = null;
      const get = () => {
        if (known === null) {
          if (late.has(section)) throw new NotThereYet(section);
          known = readColumn(sections.get(section), content.rows, column, rows);
          // Nobody needs its bytes any more.
          sections.delete(section);
          unread.delete(section);
        }
        return known;
      };
      Object.defineProperty(content, name, { enumerable: true, get });
      unread.set(section, get);
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

function tableOf(section: string): string {
  return section.split('.')[0];
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

function readColumn(section: Section | undefined, rows: number, column: Column, rowsByTable: Map<string, number>): NumberArray {
  const out =
    column.type === 'number' ? new Float64Array(rows) : column.type === 'byte' ? new Uint8Array(rows) : new Uint32Array(rows);
  const most = mostOf(column, rowsByTable);
  if (section) readNumbers(section, out, most);
  else if (rows > 0 && most !== undefined && most < 0) throw new DataError(`table ${column.into} is missing`);
  return out;
}

function mostOf(column: Column, rowsByTable: Map<string, number>): number | undefined {
  switch (column.type) {
    case 'index':
      return rowsByTable.get(column.into)! - 1;
    case 'indexPlusOne':
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
  const { parent, frame: frameOf } = stack;
  for (let i = 1; i < stack.rows; ++i) {
    if (parent[i] >= i) throw new DataError(`stack ${i} stands before its parent`);
    if (frameOf[i] >= frame.rows) throw new DataError(`stack ${i} has an unknown frame`);
  }
}
