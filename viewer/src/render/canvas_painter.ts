// SPDX-License-Identifier: Apache-2.0
import { fitText } from './fit';
import { fontOf, Painter, TextStyle } from './painter';

export class CanvasPainter implements Painter {
  private fill = '';
  private font = '';

  constructor(
    private readonly context: CanvasRenderingContext2D,
    readonly width: number,
    readonly height: number,
  ) {
    context.textBaseline = 'middle';
    context.direction = 'ltr';
  }

  rect(x: number, y: number, width: number, height: number, fill: string): void {
    this.setFill(fill);
    this.context.fillRect(x, y, width, height);
  }

  frame(x: number, y: number, width: number, height: number, stroke: string, thickness: number): void {
    this.context.strokeStyle = stroke;
    this.context.lineWidth = thickness;
    this.context.strokeRect(x + thickness / 2, y + thickness / 2, width - thickness, height - thickness);
  }

  line(x0: number, y0: number, x1: number, y1: number, stroke: string, thickness = 1): void {
    this.path([x0, y0, x1, y1], stroke, thickness);
  }

  area(points: number[], fill: string): void {
    this.setFill(fill);
    this.trace(points);
    this.context.fill();
  }

  path(points: number[], stroke: string, thickness: number): void {
    this.context.strokeStyle = stroke;
    this.context.lineWidth = thickness;
    this.trace(points);
    this.context.stroke();
  }

  hatch(x: number, y: number, width: number, height: number, stroke: string): void {
    this.inside(x, y, width, height, () => {
      this.context.strokeStyle = stroke;
      this.context.lineWidth = 1;
      this.context.beginPath();
      // Lines stand at multiples of their distance on the whole picture, so that neighbours match up.
      const first = Math.floor((x - height) / 5) * 5;
      for (let at = first; at < x + width; at += 5) {
        this.context.moveTo(at, y + height);
        this.context.lineTo(at + height, y);
      }
      this.context.stroke();
    });
  }

  text(text: string, x: number, y: number, room: number, style: TextStyle): void {
    const font = fontOf(style);
    const fitted = fitText(text, room, font);
    if (!fitted) return;
    if (font !== this.font) this.context.font = this.font = font;
    this.context.textAlign = style.align ?? 'left';
    this.setFill(style.colour);
    this.context.fillText(fitted, x, y);
  }

  grid(x: number, y: number, width: number, height: number, columns: number, cells: Uint32Array): void {
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(imageOf(cells, columns), 0, 0, columns, cells.length / columns, x, y, width, height);
  }

  inside(x: number, y: number, width: number, height: number, paint: () => void): void {
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
    paint();
    this.context.restore();
    // restore() also brings back what was set before.
    this.fill = '';
    this.font = '';
  }

  private trace(points: number[]): void {
    this.context.beginPath();
    for (let i = 0; i + 1 < points.length; i += 2) this.context.lineTo(points[i], points[i + 1]);
  }

  /** The browser parses a colour each time it is set: thousands of boxes share a few. */
  private setFill(colour: string): void {
    if (colour !== this.fill) this.context.fillStyle = this.fill = colour;
  }
}

// Grids that were painted before, each with an image of its own from the second time on: while a picture is moved, they stay the same.
const images = new WeakMap<Uint32Array, HTMLCanvasElement | null>();

function imageOf(cells: Uint32Array, columns: number): HTMLCanvasElement {
  const rows = cells.length / columns;
  const known = images.get(cells);
  if (known) return known;
  const isNew = known === undefined;
  const canvas = isNew ? scratch(columns, rows) : document.createElement('canvas');
  if (!isNew) [canvas.width, canvas.height] = [columns, rows];
  const pixels = new Uint8ClampedArray(cells.buffer as ArrayBuffer, cells.byteOffset, cells.byteLength);
  canvas.getContext('2d', { willReadFrequently: isNew })!.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  images.set(cells, isNew ? null : canvas);
  return canvas;
}

let scratchCanvas: HTMLCanvasElement | null = null;

/** A canvas to put pixels on, at least this large: one for all, because drawing from it copies. */
function scratch(width: number, height: number): HTMLCanvasElement {
  scratchCanvas ??= document.createElement('canvas');
  if (scratchCanvas.width < width) scratchCanvas.width = width;
  if (scratchCanvas.height < height) scratchCanvas.height = height;
  return scratchCanvas;
}
