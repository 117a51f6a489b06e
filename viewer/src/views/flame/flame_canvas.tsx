// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { boxAt, Layout } from '../../model/layout';
import type { Range } from '../../model/selection';
import { FlameLook, paintFlame, ROW_HEIGHT, rowAtPixel, Viewport } from '../../render/flame';
import type { Painter } from '../../render/painter';
import { moved, wheelFactor, zoomed } from '../../render/zoom';
import { Canvas, useSize } from '../../widgets/canvas';
import { tip } from '../../widgets/tooltip';

export interface FlameCanvasProps {
  label: string;
  layout: Layout;
  whole: Range;
  viewport: Viewport;
  onViewport: (viewport: Viewport) => void;
  look: Omit<FlameLook, 'hoveredBox'>;
  onChoose: (box: number) => void;
  onZoomTo: (box: number) => void;
  tipOf: (box: number) => ComponentChildren;
  onPicture: (paint: (painter: Painter) => void, width: number, height: number) => void;
}

const LEAST_SPAN = 10;
const DRAG_STARTS = 4;

/** Boxes that can be moved, zoomed, pointed at and chosen. */
export function FlameCanvas(props: FlameCanvasProps) {
  const { layout, viewport, whole, look } = props;
  const [element, size] = useSize();
  const [hovered, setHovered] = useState(-1);
  const drag = useRef<{ x: number; y: number; start: Viewport; moving: boolean } | null>(null);
  const latest = useRef(props);
  latest.current = props;

  const heightOf = (of: Layout) => (of.rows.length - 1 - look.firstRow) * ROW_HEIGHT;
  const boundedScroll = (scroll: number) =>
    Math.max(0, Math.min(scroll, heightOf(latest.current.layout) - size.height + ROW_HEIGHT));

  const boxUnder = (event: MouseEvent): number => {
    const bounds = element.current!.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const row = rowAtPixel(event.clientY - bounds.top, viewport, look, size.height);
    if (row < look.firstRow) return -1;
    return boxAt(layout, row, viewport.begin + (x / size.width) * (viewport.end - viewport.begin));
  };

  // Preact listens passively to wheels on some elements; this one must keep the page from scrolling.
  useEffect(() => {
    const target = element.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      tip.value = null;
      const now = latest.current;
      if (event.shiftKey) {
        now.onViewport({ ...now.viewport, scroll: boundedScroll(now.viewport.scroll + event.deltaY + event.deltaX) });
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        now.onViewport({ ...now.viewport, ...moved(now.viewport, now.whole, event.deltaX / target.clientWidth) });
      } else {
        const anchor = (event.clientX - target.getBoundingClientRect().left) / target.clientWidth;
        now.onViewport({ ...now.viewport, ...zoomed(now.viewport, now.whole, wheelFactor(event), anchor, LEAST_SPAN) });
      }
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [size.height]);
  useEffect(() => () => { tip.value = null; }, []);

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    drag.current = { x: event.clientX, y: event.clientY, start: viewport, moving: false };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = drag.current;
    if (!from) {
      const box = boxUnder(event);
      setHovered(box);
      tip.value = box < 0 ? null : { x: event.clientX, y: event.clientY, content: props.tipOf(box) };
      return;
    }
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moving && Math.hypot(dx, dy) < DRAG_STARTS) return;
    from.moving = true;
    tip.value = null;
    const range = moved(from.start, whole, -dx / size.width);
    const scroll = boundedScroll(from.start.scroll + (look.upwards ? dy : -dy));
    props.onViewport({ ...range, scroll });
  };
  const onPointerUp = (event: PointerEvent) => {
    const from = drag.current;
    drag.current = null;
    if (from && !from.moving) props.onChoose(boxUnder(event));
  };
  const leave = () => {
    setHovered(-1);
    tip.value = null;
  };

  const paint = (painter: Painter) => {
    painter.rect(0, 0, painter.width, painter.height, look.theme.background);
    paintFlame(painter, layout, viewport, { ...look, hoveredBox: hovered });
  };
  props.onPicture(paint, size.width, size.height);
  return (
    <div
      class="flame-canvas"
      ref={element}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => { drag.current = null; }}
      onPointerLeave={leave}
      onDblClick={(event) => {
        const box = boxUnder(event);
        if (box >= 0) props.onZoomTo(box);
      }}
    >
      <Canvas size={size} paint={paint} label={props.label} />
    </div>
  );
}
