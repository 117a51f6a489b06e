// SPDX-License-Identifier: Apache-2.0
// Pointer, wheel and keys over the lanes.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Viewport } from '../../render/flame';
import { bounded, moved, wheelFactor, zoomed } from '../../render/zoom';
import { select, selection } from '../../state/app';
import { useShortcuts } from '../../state/keys';
import { tip } from '../../widgets/tooltip';
import { Drag, dragAt, isOnLanes, LaneArea, Point, rangeBetween, timeAt, widthOf } from './lane_layout';

const LEAST_SPAN = 1000;
const DRAG_STARTS = 4;

export interface LaneTip {
  show: (point: Point, event: MouseEvent) => void;
  hide: () => void;
}

/** `hover`: where the pointer is over the lanes; null: nowhere. */
export function useLanePointer(element: { current: HTMLDivElement | null }, area: LaneArea, setShown: (shown: Viewport) => void, laneTip: LaneTip) {
  const [hover, setHover] = useState<number | null>(null);
  const drag = useRef<Drag | null>(null);
  useWheel(element, area, setShown);

  const pointOf = (event: MouseEvent): Point => {
    const bounds = element.current!.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  };
  const onPointerDown = (event: PointerEvent) => {
    const point = pointOf(event);
    if (!isOnLanes(area, point.x) || event.button > 1) return;
    drag.current = dragAt(area, point, selection.peek().range, event.button === 1 || event.altKey);
    element.current!.setPointerCapture(event.pointerId);
    event.preventDefault();
    element.current!.focus();
  };
  const onPointerMove = (event: PointerEvent) => {
    const point = pointOf(event);
    const from = drag.current;
    if (!from) {
      setHover(isOnLanes(area, point.x) ? point.x : null);
      return laneTip.show(point, event);
    }
    laneTip.hide();
    if (from.does === 'move') return setShown({ ...area.shown, ...moved(from.start, area.extent, (from.x - point.x) / widthOf(area)) });
    if (!from.moving && Math.abs(point.x - from.x) < DRAG_STARTS) return;
    from.moving = true;
    select({ range: rangeBetween(from.fixed, timeAt(area, point.x)) });
  };
  /** A click beside the range clears it. */
  const onPointerUp = (event: PointerEvent) => {
    const from = drag.current;
    drag.current = null;
    if (from?.does !== 'select' || from.moving) return;
    const { range } = selection.peek();
    const time = timeAt(area, pointOf(event).x);
    if (range && (time < range.begin || time > range.end)) select({ range: null });
  };
  const onPointerCancel = () => { drag.current = null; };
  const onPointerLeave = () => {
    setHover(null);
    laneTip.hide();
  };
  const onDblClick = () => zoomToRange(area, setShown);
  return { hover, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onPointerLeave, onDblClick } };
}

/** Preact listens passively to wheels on some elements; this one must keep the page from scrolling. */
function useWheel(element: { current: HTMLDivElement | null }, area: LaneArea, setShown: (shown: Viewport) => void): void {
  const latest = useRef({ area, setShown });
  latest.current = { area, setShown };
  useEffect(() => {
    const target = element.current!;
    const onWheel = (event: WheelEvent) => {
      const { area: now, setShown: set } = latest.current;
      const x = event.clientX - target.getBoundingClientRect().left - now.gutter;
      if (x < 0 || event.shiftKey) return;
      event.preventDefault();
      tip.value = null;
      const next = Math.abs(event.deltaX) > Math.abs(event.deltaY)
        ? moved(now.shown, now.extent, event.deltaX / widthOf(now))
        : zoomed(now.shown, now.extent, wheelFactor(event), x / widthOf(now), LEAST_SPAN);
      set({ ...now.shown, ...next });
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, []);
}

function zoomToRange({ shown, extent }: LaneArea, setShown: (shown: Viewport) => void): void {
  const { range } = selection.peek();
  if (range) setShown({ ...shown, ...bounded(range, extent) });
}

export function useLaneKeys(area: LaneArea, setShown: (shown: Viewport) => void): void {
  const { shown, extent } = area;
  const zoomBy = (factor: number) => setShown({ ...shown, ...zoomed(shown, extent, factor, 0.5, LEAST_SPAN) });
  const moveBy = (share: number) => setShown({ ...shown, ...moved(shown, extent, share) });
  const shiftRange = (share: number) => {
    const { range } = selection.peek();
    if (!range) return moveBy(share);
    const step = moved(range, extent, share);
    select({ range: { begin: Math.round(step.begin), end: Math.round(step.end) } });
  };
  useShortcuts('Timeline', [
    { keys: ['w', '+'], title: 'Zoom in', run: () => zoomBy(0.7) },
    { keys: ['s', '-'], title: 'Zoom out', run: () => zoomBy(1 / 0.7) },
    { keys: ['a'], title: 'Move to the left', run: () => moveBy(-0.2) },
    { keys: ['d'], title: 'Move to the right', run: () => moveBy(0.2) },
    { keys: ['0'], title: 'Show everything', run: () => setShown({ ...shown, ...extent }) },
    { keys: ['x'], title: 'Select what is shown', run: () => select({ range: rangeBetween(Math.round(shown.begin), Math.round(shown.end)) }) },
    { keys: ['ArrowLeft', 'ArrowRight'], title: 'Move the selected range', run: (event) => shiftRange(event.key === 'ArrowLeft' ? -0.25 : 0.25) },
    { keys: ['z', 'Enter'], title: 'Zoom to the selected range', run: () => zoomToRange(area, setShown) },
    { keys: ['Escape'], title: 'Clear the selected range', run: () => select({ range: null }) },
  ]);
}
