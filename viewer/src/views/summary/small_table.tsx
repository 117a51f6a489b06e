// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

/** A table of a few rows. `label`: for who listens; `numeric`: columns that stand to the right. */
export function SmallTable(props: { label: string; heads: string[]; numeric: number[]; rows: ComponentChildren[][] }) {
  const classOf = (column: number) => (props.numeric.includes(column) ? 'numeric' : '');
  return (
    <div class="small-table">
      <table aria-label={props.label}>
        <thead>
          <tr>{props.heads.map((head, i) => (head ? <th key={i} scope="col" class={classOf(i)}>{head}</th> : <td key={i} />))}</tr>
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
