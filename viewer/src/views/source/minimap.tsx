// SPDX-License-Identifier: Apache-2.0
import { useRef } from 'preact/hooks';
import type { Range } from '../../model/selection';
import type { Painter } from '../../render/painter';
import { theme } from '../../state/theme';
import { Canvas, useSize } from '../../widgets/canvas';
import type { SourceRow } from './source_rows';

/** The whole file in a strip: where it is hot, what the search has found, and which part is on the screen. */
export function Minimap(props: {
  rows: readonly SourceRow[];
  heat: Float64Array;
  matches: ReadonlySet<number>;
  shown: Range;
  onScroll: (row: number) => void;
}) {
  const [element, size] = useSize();
  const dragging = useRef(false);
  const { rows, heat, shown } = props;
  const paint = (painter: Painter) => {
    const { width, height } = painter;
    painter.rect(0, 0, width, height, theme.value.panel);
    const most = heat.reduce((max, value) => Math.max(max, value), 0);
    const scale = Math.min(4, height / Math.max(1, rows.length));
    // Of all lines that fall on a pixel, the hottest is seen.
    const hottest = new Float64Array(Math.ceil(height) + 1);
    rows.forEach(({ figure }, at) => {
      const pixel = Math.floor(at * scale);
      if (figure >= 0 && pixel < hottest.length) hottest[pixel] = Math.max(hottest[pixel], heat[figure]);
    });
    painter.rect(0, shown.begin * scale, width, Math.max(8, (shown.end - shown.begin) * scale), theme.value.line);
    const [red, green, blue] = theme.value.dark ? [240, 120, 60] : [214, 84, 26];
    hottest.forEach((value, pixel) => {
      if (value === 0 || most === 0) return;
      const strength = 0.25 + 0.75 * Math.sqrt(value / most);
      painter.rect(2, pixel, width - 4, Math.max(2, scale), `rgba(${red}, ${green}, ${blue}, ${strength.toFixed(2)})`);
    });
    rows.forEach(({ line }, at) => {
      if (props.matches.has(line)) painter.rect(width - 5, Math.floor(at * scale), 5, Math.max(3, scale), theme.value.match);
    });
  };
  const go = (event: PointerEvent) => {
    const y = event.clientY - element.current!.getBoundingClientRect().top;
    props.onScroll(y / Math.min(4, size.height / Math.max(1, rows.length)));
  };
  return (
    <div
      class="minimap"
      ref={element}
      title="Where the file is hot: click or drag to go there"
      onPointerDown={(event) => {
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => { if (dragging.current) go(event); }}
      onPointerUp={() => { dragging.current = false; }}
      onPointerCancel={() => { dragging.current = false; }}
    >
      <Canvas size={size} paint={paint} label="Heat of the whole file" />
    </div>
  );
}
