// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

/** A table of a few rows. `numeric`: columns that stand to the right. */
export function SmallTable(props: { heads: string[]; numeric: number[]; rows: ComponentChildren[][] }) {
  const classOf = (column: number) => (props.numeric.includes(column) ? 'numeric' : '');
  return (
    <div class="small-table">
      <table>
        <thead>
          <tr>{props.heads.map((head, i) => <th key={i} scope="col" class={classOf(i)}>{head}</th>)}</tr>
        </thead>
        <tbody>
          {props.rows.map((row, at) => (
            <tr key={at}>{row.map((cell, i) => <td key={i} class={classOf(i)}>{cell}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
