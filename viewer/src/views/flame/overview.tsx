// SPDX-License-Identifier: Apache-2.0
import { useMemo, useRef } from 'preact/hooks';
import type { Layout } from '../../model/layout';
import type { Range } from '../../model/selection';
import type { FlameStyle, Viewport } from '../../render/flame';
import { frameOf, movedTo, overviewCells, paintOverview, Strip } from '../../render/overview';
import { found } from '../../state/search';
import { Canvas, useSize } from '../../widgets/canvas';

/** All boxes in a strip with a frame around those on the screen, which can be dragged. */
export function Overview(props: {
  layout: Layout;
  extent: Range;
  viewport: Viewport;
  onViewport: (viewport: Viewport) => void;
  style: Pick<FlameStyle, 'theme' | 'colourOf' | 'isMatch' | 'firstRow' | 'dimmed'>;
  /** Pixels that the boxes have from top to bottom. */
  seen: number;
}) {
  const { layout, extent, viewport, style } = props;
  const [element, size] = useSize();
  const grip = useRef<{ x: number; y: number } | null>(null);
  const strip: Strip = { ...size, rows: Math.max(0, layout.rows.length - 1 - style.firstRow), extent, seen: props.seen };
  const matches = found.value?.matches;
  const cells = useMemo(
    () => (size.width > 0 ? overviewCells(layout, strip, style) : new Uint32Array(0)),
    [layout, style.theme, style.firstRow, matches, size.width, extent.begin, extent.end],
  );
  const pointOf = (event: PointerEvent) => {
    const { left, top } = element.current!.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    const { x, y } = pointOf(event);
    const frame = frameOf(strip, viewport);
    const isInside = x >= frame.left && x <= frame.left + frame.width && y >= frame.top && y <= frame.top + frame.height;
    // Elsewhere, the middle of the frame comes to the pointer.
    grip.current = isInside ? { x: x - frame.left, y: y - frame.top } : { x: frame.width / 2, y: frame.height / 2 };
    drag(event);
  };
  const drag = (event: PointerEvent) => {
    if (!grip.current) return;
    const { x, y } = pointOf(event);
    props.onViewport(movedTo(strip, viewport, x - grip.current.x, y - grip.current.y));
  };
  const release = () => { grip.current = null; };
  return (
    <div
      class="flame-overview"
      ref={element}
      title="Everything; what is shown below is framed: click or drag to go elsewhere"
      onPointerDown={onPointerDown}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <Canvas size={size} paint={(painter) => paintOverview(painter, cells, strip, viewport, style.theme)} label="Overview of all boxes" />
    </div>
  );
}
