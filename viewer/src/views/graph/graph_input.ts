// SPDX-License-Identifier: Apache-2.0
// Pointer, fingers, wheel and keys over the graph.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Camera, fitting, GraphPicture, nodeAt } from '../../render/graph';
import { wheelFactor } from '../../render/zoom';
import { useShortcuts } from '../../state/keys';
import type { Size } from '../../widgets/canvas';
import { tip } from '../../widgets/tooltip';
import { beside, heaviest, movedBy, pinched, Point, withNodeInSight, zoomedAt } from './graph_layout';

const DRAG_STARTS = 4;
export const ZOOM_STEP = 1.3;

export interface GraphEvents {
  onChoose: (node: number) => void;
  onFocus: (node: number) => void;
  tipOf: (node: number) => ComponentChildren;
}

export interface GraphView {
  picture: GraphPicture;
  camera: Camera;
  size: Size;
  setCamera: (camera: Camera) => void;
}

type Element = { current: HTMLDivElement | null };

function pointIn(element: Element, event: MouseEvent): Point {
  const { left, top } = element.current!.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

/** The node under the pointer, and the handlers for the element. */
export function useGraphPointer(element: Element, { picture, camera, setCamera }: GraphView, events: GraphEvents) {
  const [hovered, setHovered] = useState(-1);
  const drag = useRef<{ from: Point; start: Camera; moving: boolean } | null>(null);
  const fingers = useRef(new Map<number, Point>());
  const latest = useRef(camera);
  latest.current = camera;
  useEffect(() => () => { tip.value = null; }, []);
  // Preact listens passively to wheels on some elements; this one must keep the page from scrolling.
  useEffect(() => {
    const target = element.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      tip.value = null;
      setCamera(zoomedAt(latest.current, 1 / wheelFactor(event), pointIn(element, event)));
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, []);

  const nodeUnder = (event: MouseEvent) => {
    const { x, y } = pointIn(element, event);
    return nodeAt(picture, camera, x, y);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const from = pointIn(element, event);
    if (event.pointerType === 'touch') fingers.current.set(event.pointerId, from);
    drag.current = { from, start: camera, moving: false };
    element.current!.setPointerCapture(event.pointerId);
  };
  const pinch = (event: PointerEvent) => {
    if (!fingers.current.has(event.pointerId)) return;
    const before = [...fingers.current.values()];
    fingers.current.set(event.pointerId, pointIn(element, event));
    // The other finger may move before this step is on the screen.
    latest.current = pinched(latest.current, before, [...fingers.current.values()]);
    setCamera(latest.current);
    if (drag.current) drag.current.moving = true;
  };
  const onPointerMove = (event: PointerEvent) => {
    if (fingers.current.size === 2) return pinch(event);
    const of = drag.current;
    if (!of) {
      const node = nodeUnder(event);
      setHovered(node);
      tip.value = node < 0 ? null : { x: event.clientX, y: event.clientY, content: events.tipOf(node) };
      return;
    }
    const { x, y } = pointIn(element, event);
    const [dx, dy] = [x - of.from.x, y - of.from.y];
    if (!of.moving && Math.hypot(dx, dy) < DRAG_STARTS) return;
    of.moving = true;
    tip.value = null;
    setCamera(movedBy(of.start, -dx, -dy));
  };
  const onPointerCancel = (event: PointerEvent) => {
    drag.current = null;
    fingers.current.delete(event.pointerId);
  };
  const onPointerUp = (event: PointerEvent) => {
    const of = drag.current;
    onPointerCancel(event);
    if (of && !of.moving) events.onChoose(nodeUnder(event));
  };
  const onPointerLeave = () => {
    setHovered(-1);
    tip.value = null;
  };
  const onDblClick = (event: MouseEvent) => {
    const node = nodeUnder(event);
    if (node >= 0) events.onFocus(node);
  };
  return { hovered, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onPointerLeave, onDblClick } };
}

/** What keys do, and buttons as well. */
export function useGraphKeys({ picture, camera, size, setCamera }: GraphView, chosen: number, events: GraphEvents) {
  // A second key may come before the first one is on the screen.
  const latest = useRef(chosen);
  latest.current = chosen;
  const go = (nextTo: (node: number) => number) => {
    const next = latest.current < 0 ? 0 : nextTo(latest.current);
    if (next < 0 || next >= picture.graph.nodes.length) return;
    latest.current = next;
    events.onChoose(next);
    setCamera(withNodeInSight(picture, next, camera, size));
  };
  const zoomBy = (factor: number) => setCamera(zoomedAt(camera, factor, { x: size.width / 2, y: size.height / 2 }));
  const fit = () => setCamera(fitting(picture.placed, size.width, size.height));
  useShortcuts('Call graph: look around', [
    { keys: ['ArrowDown'], title: 'Heaviest callee', run: () => go((node) => heaviest(picture, node, 'callee')) },
    { keys: ['ArrowUp'], title: 'Heaviest caller', run: () => go((node) => heaviest(picture, node, 'caller')) },
    { keys: ['ArrowLeft', 'ArrowRight'], title: 'Beside it', run: ({ key }) => go((node) => beside(picture, node, key === 'ArrowLeft' ? -1 : 1)) },
    { keys: ['Enter'], title: 'Only what leads to it and from it', run: () => latest.current >= 0 && events.onFocus(latest.current) },
    { keys: ['Escape'], title: 'Everything again', run: () => events.onFocus(-1) },
    { keys: ['w', '+'], title: 'Zoom in', run: () => zoomBy(ZOOM_STEP) },
    { keys: ['s', '-'], title: 'Zoom out', run: () => zoomBy(1 / ZOOM_STEP) },
    { keys: ['a', 'd'], title: 'Move to the side', run: ({ key }) => setCamera(movedBy(camera, (key === 'a' ? -0.15 : 0.15) * size.width, 0)) },
    { keys: ['PageUp', 'PageDown'], title: 'Move up or down', run: ({ key }) => setCamera(movedBy(camera, 0, (key === 'PageUp' ? -0.3 : 0.3) * size.height)) },
    { keys: ['0'], title: 'Fit into the window', run: fit },
  ]);
  return { zoomBy, fit };
}
