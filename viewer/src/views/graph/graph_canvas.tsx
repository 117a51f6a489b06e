// SPDX-License-Identifier: Apache-2.0
import { Camera, fitting, fullSize, GraphPicture, GraphStyle, paintGraph, startingAt } from '../../render/graph';
import type { Painter } from '../../render/painter';
import { pictureExports, useExports } from '../../state/exports';
import { Canvas, useSize } from '../../widgets/canvas';
import { useCamera } from './camera';
import { GraphEvents, GraphView, useGraphKeys, useGraphPointer, ZOOM_STEP } from './graph_input';

/** A graph that can be moved, zoomed, pointed at and walked through. */
export function GraphCanvas(props: GraphEvents & { label: string; picture: GraphPicture; style: Omit<GraphStyle, 'hovered'> }) {
  const { picture, style } = props;
  const [element, size] = useSize();
  // null: as it starts, whatever the size of the window.
  const [moved, setCamera] = useCamera(picture);
  const view: GraphView = { picture, camera: moved ?? startingAt(picture.placed, size.width, size.height), size, setCamera };
  const { hovered, handlers } = useGraphPointer(element, view, props);
  const { zoomBy, fit } = useGraphKeys(view, style.chosen, props);

  const paint = (painter: Painter, shown: Camera, hover: number) => {
    painter.rect(0, 0, painter.width, painter.height, style.theme.background);
    paintGraph(painter, picture, shown, { ...style, hovered: hover });
  };
  const exportOf = (i: number) => () => {
    const { width, height } = fullSize(picture.placed);
    const whole = fitting(picture.placed, width, height);
    pictureExports('pyrometer-graph', width, height, (painter) => paint(painter, whole, -1))[i].save();
  };
  useExports([{ title: 'Save as SVG', save: exportOf(0) }, { title: 'Save as PNG', save: exportOf(1) }]);
  return (
    <div class="graph-canvas" ref={element} {...handlers}>
      <Canvas size={size} paint={(painter) => paint(painter, view.camera, hovered)} label={props.label} />
      <div class="graph-buttons" onPointerDown={(event) => event.stopPropagation()} onDblClick={(event) => event.stopPropagation()}>
        <button type="button" class="icon" title="Zoom in (+)" aria-label="Zoom in" onClick={() => zoomBy(ZOOM_STEP)}>+</button>
        <button type="button" class="icon" title="Zoom out (-)" aria-label="Zoom out" onClick={() => zoomBy(1 / ZOOM_STEP)}>−</button>
        <button type="button" title="Fit into the window (0)" onClick={fit}>Fit</button>
      </div>
    </div>
  );
}
