// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { CanvasPainter } from '../render/canvas_painter';
import type { Painter } from '../render/painter';

export interface Size {
  width: number;
  height: number;
}

/** The size of an element in CSS pixels, as it changes. */
export function useSize(): [{ current: HTMLDivElement | null }, Size] {
  const element = useRef<HTMLDivElement | null>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element.current!;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element.current!);
    measure();
    return () => observer.disconnect();
  }, []);
  return [element, size];
}

interface CanvasProps {
  size: Size;
  paint: (painter: Painter) => void;
  /** What screen readers say it is. */
  label: string;
}

/** Paints after each render, once per frame of the screen, sharp on any of them. */
export function Canvas({ size, paint, label }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const latest = useRef(paint);
  latest.current = paint;
  const latestSize = useRef(size);
  latestSize.current = size;
  const frame = useRef(0);
  useLayoutEffect(() => {
    if (frame.current) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      const element = canvas.current;
      const size = latestSize.current;
      if (!element || size.width === 0 || size.height === 0) return;
      const ratio = window.devicePixelRatio || 1;
      const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
      if (element.width !== width || element.height !== height) {
        element.width = width;
        element.height = height;
      }
      const context = element.getContext('2d', { alpha: false })!;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      latest.current(new CanvasPainter(context, size.width, size.height));
    });
  });
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      style={{ width: `${size.width}px`, height: `${size.height}px` }}
    />
  );
}
