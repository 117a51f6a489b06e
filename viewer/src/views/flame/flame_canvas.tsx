// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import type { Layout } from '../../model/layout';
import type { Range } from '../../model/selection';
import { FlameStyle, paintFlame, Viewport } from '../../render/flame';
import type { Painter } from '../../render/painter';
import { paintRuler, RULER_HEIGHT } from '../../render/ruler';
import { Canvas, useSize } from '../../widgets/canvas';
import { FlameEvents, useFlameInput } from './flame_input';
import { FlameArea, rowsHeight } from './flame_layout';

export interface FlameCanvasProps extends FlameEvents {
  label: string;
  layout: Layout;
  whole: Range;
  viewport: Viewport;
  style: Omit<FlameStyle, 'hoveredBox'>;
  /** A ruler of time above the rows. */
  ruler: boolean;
  /** Pixels that the rows have from top to bottom. */
  onHeight?: (height: number) => void;
  onPicture: (paint: (painter: Painter) => void, width: number, height: number) => void;
}

/** Boxes that can be moved, zoomed, pointed at and chosen. */
export function FlameCanvas(props: FlameCanvasProps) {
  const { layout, viewport, whole, style } = props;
  const [element, size] = useSize();
  const top = props.ruler ? RULER_HEIGHT : 0;
  const area: FlameArea = { ...size, top, shown: viewport, whole, layout, upwards: style.upwards, firstRow: style.firstRow };
  const height = rowsHeight(area);
  useEffect(() => props.onHeight?.(height), [height]);
  const { hovered, brush, handlers } = useFlameInput(element, area, props);

  const paint = (painter: Painter) => {
    painter.rect(0, 0, painter.width, painter.height, style.theme.background);
    if (props.ruler) paintRuler(painter, 0, painter.width, viewport, style.theme);
    painter.inside(0, top, painter.width, painter.height - top, () =>
      paintFlame(painter, layout, viewport, { ...style, hoveredBox: hovered }, top));
    if (!brush) return;
    const scale = painter.width / (viewport.end - viewport.begin);
    const left = (brush.begin - viewport.begin) * scale;
    painter.frame(left, 0, (brush.end - brush.begin) * scale, painter.height, style.theme.accent, 2);
  };
  props.onPicture(paint, size.width, size.height);
  return (
    <div class="flame-canvas" ref={element} {...handlers}>
      <Canvas size={size} paint={paint} label={props.label} />
    </div>
  );
}
