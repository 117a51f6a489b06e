// SPDX-License-Identifier: Apache-2.0
import type { Layout } from '../../model/layout';

const MOST_SHOWN = 8;

/** The calls that lead to the box which is zoomed to. */
export function Breadcrumb(props: {
  layout: Layout;
  box: number;
  nameOf: (key: number) => string;
  onZoomTo: (box: number) => void;
  onReset: () => void;
}) {
  if (props.box <= 0 || props.box >= props.layout.parent.length) return null;
  const path: number[] = [];
  for (let box = props.box; box > 0; box = props.layout.parent[box]) path.unshift(box);
  const hidden = Math.max(0, path.length - MOST_SHOWN);
  return (
    <nav class="breadcrumb" aria-label="Zoomed to">
      <button type="button" onClick={props.onReset}>all</button>
      {hidden > 0 && <span>… {hidden} more …</span>}
      {path.slice(hidden).map((box) => (
        <button type="button" key={box} aria-current={box === props.box ? 'true' : undefined} onClick={() => props.onZoomTo(box)}>
          <bdi>{props.nameOf(props.layout.key[box])}</bdi>
        </button>
      ))}
    </nav>
  );
}
