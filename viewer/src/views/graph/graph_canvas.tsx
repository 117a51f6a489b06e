// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Camera, fitting, fullSize, GraphLook, GraphPicture, nodeAt, paintGraph, startingAt } from '../../render/graph';
import type { Painter } from '../../render/painter';
import { wheelFactor } from '../../render/zoom';
import { pictureExports, useExports } from '../../state/exports';
import { useShortcuts } from '../../state/keys';
import { Canvas, useSize } from '../../widgets/canvas';
import { tip } from '../../widgets/tooltip';
import { useCamera } from './camera';

const DRAG_STARTS = 4;
const SMALLEST = 0.05;
const LARGEST = 3;

/** A graph that can be moved, zoomed, pointed at and walked through. */
export function GraphCanvas(props: {
  label: string;
  picture: GraphPicture;
  look: Omit<GraphLook, 'hovered'>;
  onChoose: (node: number) => void;
  onFocus: (node: number) => void;
  tipOf: (node: number) => ComponentChildren;
}) {
  const { picture, look } = props;
  const [element, size] = useSize();
  const [hovered, setHovered] = useState(-1);
  // null: as it starts, whatever the size of the window.
  const [moved, setMoved] = useCamera(picture);
  const camera = moved ?? startingAt(picture.placed, size.width, size.height);
  const latest = useRef(camera);
  latest.current = camera;
  const drag = useRef<{ x: number; y: number; start: Camera; moving: boolean } | null>(null);
  // A second key may come before the first one is on the screen.
  const latestChosen = useRef(look.chosen);
  latestChosen.current = look.chosen;
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  useEffect(() => () => { tip.value = null; }, []);

  const zoomAt = (factor: number, x: number, y: number) => {
    const now = latest.current;
    const scale = Math.min(LARGEST, Math.max(SMALLEST, now.scale * factor));
    setMoved({ scale, x: now.x + x / now.scale - x / scale, y: now.y + y / now.scale - y / scale });
  };
  const zoomBy = (factor: number) => zoomAt(factor, size.width / 2, size.height / 2);
  const moveBy = (dx: number, dy: number) =>
    setMoved({ ...camera, x: camera.x + (dx * size.width) / camera.scale, y: camera.y + (dy * size.height) / camera.scale });

  // Preact listens passively to wheels on some elements; this one must keep the page from scrolling.
  useEffect(() => {
    const target = element.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      tip.value = null;
      const { left, top } = target.getBoundingClientRect();
      zoomAt(1 / wheelFactor(event), event.clientX - left, event.clientY - top);
    };
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, []);

  const fit = () => setMoved(fitting(picture.placed, size.width, size.height));
  const { nodes, edges } = picture.graph;
  const heaviest = (from: 'from' | 'to', to: 'from' | 'to') =>
    edges.filter((edge) => edge[from] === latestChosen.current && edge.from !== edge.to).sort((a, b) => b.total - a.total)[0]?.[to] ?? -1;
  const beside = (step: number) => {
    const { layer, x } = picture.placed;
    const row = nodes.map((_, i) => i).filter((i) => layer[i] === layer[latestChosen.current]).sort((a, b) => x[a] - x[b]);
    return row[row.indexOf(latestChosen.current) + step] ?? -1;
  };
  const go = (node: number) => {
    const next = latestChosen.current < 0 ? 0 : node;
    if (next < 0 || next >= nodes.length) return;
    latestChosen.current = next;
    props.onChoose(next);
    setMoved(withNodeInSight(picture, next, camera, size));
  };
  useShortcuts('Call graph: look around', [
    { keys: ['ArrowDown'], title: 'Heaviest callee', run: () => go(heaviest('from', 'to')) },
    { keys: ['ArrowUp'], title: 'Heaviest caller', run: () => go(heaviest('to', 'from')) },
    { keys: ['ArrowLeft', 'ArrowRight'], title: 'Beside it', run: (event) => go(beside(event.key === 'ArrowLeft' ? -1 : 1)) },
    { keys: ['Enter'], title: 'Only what leads to it and from it', run: () => latestChosen.current >= 0 && props.onFocus(latestChosen.current) },
    { keys: ['Escape'], title: 'Everything again', run: () => props.onFocus(-1) },
    { keys: ['w', '+'], title: 'Zoom in', run: () => zoomBy(1.3) },
    { keys: ['s', '-'], title: 'Zoom out', run: () => zoomBy(1 / 1.3) },
    { keys: ['a', 'd'], title: 'Move to the side', run: (event) => moveBy(event.key === 'a' ? -0.15 : 0.15, 0) },
    { keys: ['PageUp', 'PageDown'], title: 'Move up or down', run: (event) => moveBy(0, event.key === 'PageUp' ? -0.3 : 0.3) },
    { keys: ['0'], title: 'Fit into the window', run: fit },
  ]);

  const paint = (painter: Painter, shown: Camera, hover: number) => {
    painter.rect(0, 0, painter.width, painter.height, look.theme.background);
    paintGraph(painter, picture, shown, { ...look, hovered: hover });
  };
  const exportOf = (i: number) => () => {
    const { width, height } = fullSize(picture.placed);
    const whole = fitting(picture.placed, width, height);
    pictureExports('pyrometer-graph', width, height, (painter) => paint(painter, whole, -1))[i].save();
  };
  useExports([{ title: 'Save as SVG', save: exportOf(0) }, { title: 'Save as PNG', save: exportOf(1) }]);

  const nodeUnder = (event: MouseEvent) => {
    const { left, top } = element.current!.getBoundingClientRect();
    return nodeAt(picture, camera, event.clientX - left, event.clientY - top);
  };
  /** Two fingers zoom around their middle, and move what is between them. */
  const pinch = (event: PointerEvent) => {
    const between = () => {
      const [a, b] = [...fingers.current.values()];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
    };
    const before = between();
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = between();
    const { left, top } = element.current!.getBoundingClientRect();
    const { x, y, scale } = latest.current;
    latest.current = { scale, x: x - (now.x - before.x) / scale, y: y - (now.y - before.y) / scale };
    zoomAt(now.distance / before.distance, now.x - left, now.y - top);
    if (drag.current) drag.current.moving = true;
  };
  const onPointerMove = (event: PointerEvent) => {
    if (fingers.current.size === 2) return fingers.current.has(event.pointerId) ? pinch(event) : undefined;
    const from = drag.current;
    if (!from) {
      const node = nodeUnder(event);
      setHovered(node);
      tip.value = node < 0 ? null : { x: event.clientX, y: event.clientY, content: props.tipOf(node) };
      return;
    }
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moving && Math.hypot(dx, dy) < DRAG_STARTS) return;
    from.moving = true;
    tip.value = null;
    setMoved({ ...from.start, x: from.start.x - dx / from.start.scale, y: from.start.y - dy / from.start.scale });
  };
  return (
    <div
      class="graph-canvas"
      ref={element}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        if (event.pointerType === 'touch') fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        drag.current = { x: event.clientX, y: event.clientY, start: camera, moving: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={(event) => {
        const from = drag.current;
        drag.current = null;
        fingers.current.delete(event.pointerId);
        if (from && !from.moving) props.onChoose(nodeUnder(event));
      }}
      onPointerCancel={(event) => {
        drag.current = null;
        fingers.current.delete(event.pointerId);
      }}
      onPointerLeave={() => {
        setHovered(-1);
        tip.value = null;
      }}
      onDblClick={(event) => {
        const node = nodeUnder(event);
        if (node >= 0) props.onFocus(node);
      }}
    >
      <Canvas size={size} paint={(painter) => paint(painter, camera, hovered)} label={props.label} />
      <div class="graph-buttons" onPointerDown={(event) => event.stopPropagation()} onDblClick={(event) => event.stopPropagation()}>
        <button type="button" class="icon" title="Zoom in (+)" aria-label="Zoom in" onClick={() => zoomBy(1.3)}>+</button>
        <button type="button" class="icon" title="Zoom out (-)" aria-label="Zoom out" onClick={() => zoomBy(1 / 1.3)}>−</button>
        <button type="button" title="Fit into the window (0)" onClick={fit}>Fit</button>
      </div>
    </div>
  );
}

/** Moves as little as needed for a node to be seen. */
function withNodeInSight({ placed, boxes }: GraphPicture, node: number, camera: Camera, size: { width: number; height: number }): Camera {
  const inside = (at: number, middle: number, half: number, room: number) =>
    Math.min(middle - half - 10, Math.max(at, middle + half + 10 - room));
  return {
    ...camera,
    x: inside(camera.x, placed.x[node], boxes[node].width / 2, size.width / camera.scale),
    y: inside(camera.y, placed.y[node], boxes[node].height / 2, size.height / camera.scale),
  };
}
