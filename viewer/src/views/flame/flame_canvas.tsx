// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { boxAt, Layout } from '../../model/layout';
import type { Range } from '../../model/selection';
import { FlameLook, paintFlame, ROW_HEIGHT, rowAtPixel, Viewport } from '../../render/flame';
import type { Painter } from '../../render/painter';
import { paintRuler, RULER_HEIGHT } from '../../render/ruler';
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
  /** A ruler of time above the rows. */
  ruler: boolean;
  /** Shift with a drag; left out: not offered. */
  onRange?: (range: Range) => void;
  /** Pixels that the rows have from top to bottom. */
  onHeight?: (height: number) => void;
  onPicture: (paint: (painter: Painter) => void, width: number, height: number) => void;
}

const LEAST_SPAN = 10;
const DRAG_STARTS = 4;

/** Boxes that can be moved, zoomed, pointed at and chosen. */
export function FlameCanvas(props: FlameCanvasProps) {
  const { layout, viewport, whole, look } = props;
  const [element, size] = useSize();
  const [hovered, setHovered] = useState(-1);
  const [brush, setBrush] = useState<Range | null>(null);
  const drag = useRef<{ x: number; y: number; start: Viewport; moving: boolean; selects: boolean } | null>(null);
  const fingers = useRef(new Map<number, number>());
  const latest = useRef(props);
  latest.current = props;

  const top = props.ruler ? RULER_HEIGHT : 0;
  const height = Math.max(0, size.height - top);
  useEffect(() => props.onHeight?.(height), [height]);
  const heightOf = (of: Layout) => (of.rows.length - 1 - look.firstRow) * ROW_HEIGHT;
  const boundedScroll = (scroll: number) =>
    Math.max(0, Math.min(scroll, heightOf(latest.current.layout) - height + ROW_HEIGHT));

  const boxUnder = (event: MouseEvent): number => {
    const bounds = element.current!.getBoundingClientRect();
    const x = event.clientX - bounds.left;
    const y = event.clientY - bounds.top - top;
    const row = rowAtPixel(y, viewport, look, height);
    if (y < 0 || row < look.firstRow) return -1;
    return boxAt(layout, row, viewport.begin + (x / size.width) * (viewport.end - viewport.begin));
  };

  const rangeBetween = (from: number, to: number): Range => {
    const { left, width } = element.current!.getBoundingClientRect();
    const timeAt = (x: number) =>
      viewport.begin + (Math.min(width, Math.max(0, x - left)) / width) * (viewport.end - viewport.begin);
    return { begin: timeAt(Math.min(from, to)), end: timeAt(Math.max(from, to)) };
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
  }, [height]);
  useEffect(() => () => { tip.value = null; }, []);

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (event.pointerType === 'touch') fingers.current.set(event.pointerId, event.clientX);
    drag.current = { x: event.clientX, y: event.clientY, start: viewport, moving: false, selects: event.shiftKey && !!props.onRange };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };
  /** Two fingers zoom around their middle, and move what is between them. */
  const pinch = (event: PointerEvent) => {
    const ends = () => [...fingers.current.values()].slice(0, 2).sort((a, b) => a - b);
    const [leftBefore, rightBefore] = ends();
    fingers.current.set(event.pointerId, event.clientX);
    const [left, right] = ends();
    const factor = Math.max(1, rightBefore - leftBefore) / Math.max(1, right - left);
    const anchor = ((left + right) / 2 - element.current!.getBoundingClientRect().left) / size.width;
    const shift = (leftBefore + rightBefore - left - right) / 2 / size.width;
    const next = zoomed(moved(viewport, whole, shift), whole, factor, anchor, LEAST_SPAN);
    if (drag.current) drag.current.moving = true;
    props.onViewport({ ...viewport, ...next });
  };
  const liftFinger = (event: PointerEvent) => fingers.current.delete(event.pointerId);
  const onPointerMove = (event: PointerEvent) => {
    if (fingers.current.size > 1) return pinch(event);
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
    if (from.selects) return setBrush(rangeBetween(from.x, event.clientX));
    const range = moved(from.start, whole, -dx / size.width);
    const scroll = boundedScroll(from.start.scroll + (look.upwards ? dy : -dy));
    props.onViewport({ ...range, scroll });
  };
  const onPointerUp = (event: PointerEvent) => {
    const from = drag.current;
    drag.current = null;
    liftFinger(event);
    setBrush(null);
    if (from?.selects && from.moving) props.onRange!(rangeBetween(from.x, event.clientX));
    else if (from && !from.moving) props.onChoose(boxUnder(event));
  };
  const leave = () => {
    setHovered(-1);
    tip.value = null;
  };

  const paint = (painter: Painter) => {
    painter.rect(0, 0, painter.width, painter.height, look.theme.background);
    if (props.ruler) paintRuler(painter, 0, painter.width, viewport, look.theme);
    painter.inside(0, top, painter.width, painter.height - top, () =>
      paintFlame(painter, layout, viewport, { ...look, hoveredBox: hovered }, top));
    if (!brush) return;
    const scale = painter.width / (viewport.end - viewport.begin);
    const left = (brush.begin - viewport.begin) * scale;
    painter.frame(left, 0, (brush.end - brush.begin) * scale, painter.height, look.theme.accent, 2);
  };
  props.onPicture(paint, size.width, size.height);
  return (
    <div
      class="flame-canvas"
      ref={element}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={(event) => {
        drag.current = null;
        liftFinger(event);
      }}
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
