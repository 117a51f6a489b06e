// SPDX-License-Identifier: Apache-2.0

export interface TextStyle {
  colour: string;
  align?: 'left' | 'center' | 'right';
  bold?: boolean;
  /** Pixels; 12 unless said otherwise. */
  size?: number;
}

/** What pictures are painted with: a canvas on the screen, or an SVG to be saved. */
export interface Painter {
  readonly width: number;
  readonly height: number;
  rect(x: number, y: number, width: number, height: number, fill: string): void;
  frame(x: number, y: number, width: number, height: number, stroke: string, thickness: number): void;
  line(x0: number, y0: number, x1: number, y1: number, stroke: string, thickness?: number): void;
  /** Points as x, y, x, y…; closed and filled. */
  area(points: number[], fill: string): void;
  /** Points as above; not closed. */
  path(points: number[], stroke: string, thickness: number): void;
  /** Diagonal lines over a rectangle: a second sign besides colour. */
  hatch(x: number, y: number, width: number, height: number, stroke: string): void;
  /** One line of text, its middle at y, cut to `room` pixels; nothing when hardly anything fits. */
  text(text: string, x: number, y: number, room: number, style: TextStyle): void;
  /** A grid of coloured cells over a rectangle, row by row; cells are 0xAABBGGRR, as pixels lie in memory. */
  grid(x: number, y: number, width: number, height: number, columns: number, cells: Uint32Array): void;
  /** Paints inside a rectangle only. */
  inside(x: number, y: number, width: number, height: number, paint: () => void): void;
}

/** "#rrggbb" as a cell of a grid. */
export function cellOf(colour: string): number {
  const value = parseInt(colour.slice(1), 16);
  return ((0xff << 24) | ((value & 0xff) << 16) | (value & 0xff00) | (value >>> 16)) >>> 0;
}

const knownCells = new Map<string, number>();

/** The same, remembered: of a few colours for thousands of boxes. */
export function knownCell(colour: string): number {
  let cell = knownCells.get(colour);
  if (cell === undefined) knownCells.set(colour, (cell = cellOf(colour)));
  return cell;
}

export const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

export function fontOf(style: TextStyle): string {
  return `${style.bold ? '600 ' : ''}${style.size ?? 12}px ${FONT_FAMILY}`;
}
