// SPDX-License-Identifier: Apache-2.0
import { fitText } from './fit';
import { FONT_FAMILY, fontOf, Painter, TextStyle } from './painter';

/** Paints into the text of an SVG file. Names in it come from the profile, so all text is escaped. */
export class SvgPainter implements Painter {
  private readonly parts: string[] = [];
  private clips = 0;

  constructor(readonly width: number, readonly height: number) {}

  rect(x: number, y: number, width: number, height: number, fill: string): void {
    this.parts.push(`<rect ${box(x, y, width, height)} fill="${escape(fill)}"/>`);
  }

  frame(x: number, y: number, width: number, height: number, stroke: string, thickness: number): void {
    const inner = box(x + thickness / 2, y + thickness / 2, width - thickness, height - thickness);
    this.parts.push(`<rect ${inner} fill="none" stroke="${escape(stroke)}" stroke-width="${thickness}"/>`);
  }

  line(x0: number, y0: number, x1: number, y1: number, stroke: string, thickness = 1): void {
    this.path([x0, y0, x1, y1], stroke, thickness);
  }

  area(points: number[], fill: string): void {
    this.parts.push(`<polygon points="${pairs(points)}" fill="${escape(fill)}"/>`);
  }

  path(points: number[], stroke: string, thickness: number): void {
    const style = `fill="none" stroke="${escape(stroke)}" stroke-width="${thickness}"`;
    this.parts.push(`<polyline points="${pairs(points)}" ${style}/>`);
  }

  hatch(x: number, y: number, width: number, height: number, stroke: string): void {
    this.inside(x, y, width, height, () => {
      const first = Math.floor((x - height) / 5) * 5;
      for (let at = first; at < x + width; at += 5) this.line(at, y + height, at + height, y, stroke);
    });
  }

  text(text: string, x: number, y: number, room: number, style: TextStyle): void {
    const fitted = fitText(text, room, fontOf(style));
    if (!fitted) return;
    const anchor = { left: 'start', center: 'middle', right: 'end' }[style.align ?? 'left'];
    const weight = style.bold ? ' font-weight="600"' : '';
    this.parts.push(
      `<text x="${round(x)}" y="${round(y)}" font-size="${style.size ?? 12}"${weight} text-anchor="${anchor}"` +
        ` dominant-baseline="central" fill="${escape(style.colour)}">${escape(fitted)}</text>`,
    );
  }

  grid(x: number, y: number, width: number, height: number, columns: number, cells: Uint32Array): void {
    const rows = cells.length / columns;
    const [cellWidth, cellHeight] = [width / columns, height / rows];
    for (let row = 0; row < rows; ++row) {
      for (let from = 0, to = 0; from < columns; from = to) {
        const cell = cells[row * columns + from];
        while (to < columns && cells[row * columns + to] === cell) ++to;
        if (cell === 0) continue;
        const hex = [cell & 0xff, (cell >>> 8) & 0xff, (cell >>> 16) & 0xff].map((part) => part.toString(16).padStart(2, '0'));
        this.rect(x + from * cellWidth, y + row * cellHeight, (to - from) * cellWidth, cellHeight, `#${hex.join('')}`);
      }
    }
  }

  inside(x: number, y: number, width: number, height: number, paint: () => void): void {
    const id = `clip${++this.clips}`;
    this.parts.push(`<clipPath id="${id}"><rect ${box(x, y, width, height)}/></clipPath><g clip-path="url(#${id})">`);
    paint();
    this.parts.push('</g>');
  }

  finish(): string {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}"` +
      ` viewBox="0 0 ${this.width} ${this.height}" font-family="${escape(FONT_FAMILY)}">\n${this.parts.join('\n')}\n</svg>\n`
    );
  }
}

const round = (value: number) => Math.round(value * 100) / 100;

function box(x: number, y: number, width: number, height: number): string {
  return `x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, width))}" height="${round(Math.max(0, height))}"`;
}

function pairs(points: number[]): string {
  const texts: string[] = [];
  for (let i = 0; i + 1 < points.length; i += 2) texts.push(`${round(points[i])},${round(points[i + 1])}`);
  return texts.join(' ');
}

/** Markup as text, and without characters that no XML may have. */
export function escape(text: string): string {
  const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd').replace(/[&<>"']/g, (sign) => signs[sign]);
}
