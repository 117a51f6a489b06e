// SPDX-License-Identifier: Apache-2.0
// What the view on the screen can be saved as.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Painter } from '../render/painter';
import { CanvasPainter } from '../render/canvas_painter';
import { SvgPainter } from '../render/svg_painter';

export interface Exporter {
  title: string;
  save: () => void;
}

export const exporters = signal<Exporter[]>([]);

/** Offers the exporters while a component is shown; `save` always sees its latest state. */
export function useExports(offered: Exporter[]): void {
  const latest = useRef(offered);
  latest.current = offered;
  const titles = offered.map(({ title }) => title).join('\n');
  useEffect(() => {
    const own = latest.current.map(({ title }, i) => ({ title, save: () => latest.current[i].save() }));
    exporters.value = [...exporters.peek(), ...own];
    return () => {
      exporters.value = exporters.peek().filter((one) => !own.includes(one));
    };
  }, [titles]);
}

/** SVG and PNG of a picture of this size. */
export function pictureExports(name: string, width: number, height: number, paint: (painter: Painter) => void): Exporter[] {
  return [
    {
      title: 'Save as SVG',
      save: () => {
        const painter = new SvgPainter(width, height);
        paint(painter);
        download(`${name}.svg`, new Blob([painter.finish()], { type: 'image/svg+xml' }));
      },
    },
    {
      title: 'Save as PNG',
      save: () => {
        const canvas = document.createElement('canvas');
        canvas.width = width * 2;
        canvas.height = height * 2;
        const context = canvas.getContext('2d')!;
        context.scale(2, 2);
        paint(new CanvasPainter(context, width, height));
        canvas.toBlob((blob) => blob && download(`${name}.png`, blob), 'image/png');
      },
    },
  ];
}

export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
