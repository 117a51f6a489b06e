// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Camera, GraphPicture } from '../../render/graph';
import { option, setOption } from '../../state/app';

const WRITE_AFTER_MS = 250;

/** Where the user has moved the picture to; null: nowhere yet. The address remembers it once it has come to rest. */
export function useCamera(picture: GraphPicture): [Camera | null, (camera: Camera | null) => void] {
  const remembered = option('graph.zoom', '');
  const [camera, setCamera] = useState<Camera | null>(() => parse(remembered));
  const written = useRef(remembered);
  const timer = useRef(0);
  const lastPicture = useRef(picture);

  const set = (next: Camera | null) => {
    setCamera(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      written.current = textOf(next);
      setOption('graph.zoom', written.current, '');
    }, WRITE_AFTER_MS);
  };
  // Another graph has its boxes elsewhere.
  useEffect(() => {
    if (picture === lastPicture.current) return;
    lastPicture.current = picture;
    set(null);
  }, [picture]);
  // Back and forward.
  useEffect(() => {
    if (remembered === written.current) return;
    written.current = remembered;
    clearTimeout(timer.current);
    setCamera(parse(remembered));
  }, [remembered]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [camera, set];
}

/** "-24_130_850": the upper left corner, and the scale in thousandths. */
function textOf(camera: Camera | null): string {
  return camera ? [camera.x, camera.y, camera.scale * 1000].map(Math.round).join('_') : '';
}

function parse(text: string): Camera | null {
  const found = /^(-?\d{1,6})_(-?\d{1,6})_(\d{2,4})$/.exec(text);
  return found && Number(found[3]) > 0 ? { x: Number(found[1]), y: Number(found[2]), scale: Number(found[3]) / 1000 } : null;
}
