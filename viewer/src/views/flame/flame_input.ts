// SPDX-License-Identifier: Apache-2.0
// Pointer, fingers and wheel over the boxes.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Range } from '../../model/selection';
import type { Viewport } from '../../render/flame';
import { tip } from '../../widgets/tooltip';
import { boxUnder, dragged, FlameArea, pinched, Point, rangeBetween, wheeled } from './flame_layout';

const DRAG_STARTS = 4;

export interface FlameEvents {
  onViewport: (viewport: Viewport) => void;
  onChoose: (box: number) => void;
  onZoomTo: (box: number) => void;
  tipOf: (box: number) => ComponentChildren;
  /** Shift with a drag; left out: not offered. */
  onRange?: (range: Range) => void;
}

/** What the pointer is over, what a drag is selecting, and the handlers for the element. */
export function useFlameInput(element: { current: HTMLDivElement | null }, area: FlameArea, events: FlameEvents) {
  const [hovered, setHovered] = useState(-1);
  const [brush, setBrush] = useState<Range | null>(null);
  const drag = useRef<{ from: Point; start: Viewport; moving: boolean; selects: boolean } | null>(null);
  const fingers = useRef(new Map<number, number>());
  useWheel(element, area, events);
  useEffect(() => () => { tip.value = null; }, []);

  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = element.current!.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const from = pointOf(event);
    if (event.pointerType === 'touch') fingers.current.set(event.pointerId, from.x);
    drag.current = { from, start: area.shown, moving: false, selects: event.shiftKey && !!events.onRange };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };
  const pinch = (event: PointerEvent) => {
    const ends = () => [...fingers.current.values()].slice(0, 2);
    const before = ends();
    fingers.current.set(event.pointerId, pointOf(event).x);
    if (drag.current) drag.current.moving = true;
    events.onViewport(pinched(area, before, ends()));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (fingers.current.size > 1) return pinch(event);
    const point = pointOf(event);
    const of = drag.current;
    if (!of) {
      const box = boxUnder(area, point);
      setHovered(box);
      tip.value = box < 0 ? null : { x: event.clientX, y: event.clientY, content: events.tipOf(box) };
      return;
    }
    const [dx, dy] = [point.x - of.from.x, point.y - of.from.y];
    if (!of.moving && Math.hypot(dx, dy) < DRAG_STARTS) return;
    of.moving = true;
    tip.value = null;
    if (of.selects) setBrush(rangeBetween(area, of.from.x, point.x));
    else events.onViewport(dragged(area, of.start, dx, dy));
  };
  const onPointerUp = (event: PointerEvent) => {
    const of = drag.current;
    const point = pointOf(event);
    onPointerCancel(event);
    setBrush(null);
    if (of?.selects && of.moving) events.onRange!(rangeBetween(area, of.from.x, point.x));
    else if (of && !of.moving) events.onChoose(boxUnder(area, point));
  };
  const onPointerCancel = (event: PointerEvent) => {
    drag.current = null;
    fingers.current.delete(event.pointerId);
  };
  const onPointerLeave = () => {
    setHovered(-1);
    tip.value = null;
  };
  const onDblClick = (event: MouseEvent) => {
    const box = boxUnder(area, pointOf(event));
    if (box >= 0) events.onZoomTo(box);
  };
  return { hovered, brush, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onPointerLeave, onDblClick } };
}

/** Preact listens passively to wheels on some elements; this one must keep the page from scrolling. */
function useWheel(element: { current: HTMLDivElement | null }, area: FlameArea, events: FlameEvents): void {
  const latest = useRef({ area, events });
  latest.current = { area, events };
  useEffect(() => {
    const target = element.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      tip.value = null;
      const now = latest.current;
      now.events.onViewport(wheeled(now.area, event.clientX - target.getBoundingClientRect().left, event));
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, []);
}
