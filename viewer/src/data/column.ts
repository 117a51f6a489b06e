// SPDX-License-Identifier: Apache-2.0
// What a column may hold; SCHEMA says it of each.

export type ColumnType = 'index' | 'indexPlusOne' | 'byte' | 'whole' | 'number';

export interface Column<Type extends ColumnType = ColumnType> {
  type: Type;
  /** Name of the table that an index points into; "string" is one. */
  into: string;
  /** Largest value of a byte. */
  most: number;
}

export const index = (into: string): Column<'index'> => ({ type: 'index', into, most: 0 });
/** 0 is none. */
export const indexPlusOne = (into: string): Column<'indexPlusOne'> => ({ type: 'indexPlusOne', into, most: 0 });
export const byte = (most: number): Column<'byte'> => ({ type: 'byte', into: '', most });
/** Of 32 bits. */
export const whole: Column<'whole'> = { type: 'whole', into: '', most: 0 };
/** What a double holds. */
export const number: Column<'number'> = { type: 'number', into: '', most: 0 };

export type ArrayOf<C> = C extends Column<'number'> ? Float64Array : C extends Column<'byte'> ? Uint8Array : Uint32Array;
