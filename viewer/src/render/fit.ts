// SPDX-License-Identifier: Apache-2.0
// Text that fits into so many pixels.

const MOST_REMEMBERED = 20_000;
const widths = new Map<string, number>();
let measuring: CanvasRenderingContext2D | null = null;

export function textWidth(text: string, font: string): number {
  const key = `${font}\n${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    measuring ??= document.createElement('canvas').getContext('2d')!;
    measuring.font = font;
    width = measuring.measureText(text).width;
    if (widths.size >= MOST_REMEMBERED) widths.clear();
    widths.set(key, width);
  }
  return width;
}

/** The text, or as much of its beginning as fits, or "" when that would be less than two characters. */
export function fitText(text: string, room: number, font: string): string {
  if (room < 14) return '';
  // No text of so many characters fits: spares measuring names of thousands.
  const most = Math.ceil(room / 2);
  if (text.length <= most && textWidth(text, font) <= room) return text;
  let low = 1;
  let high = Math.min(text.length, most);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(`${text.slice(0, middle)}…`, font) <= room) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : `${text.slice(0, low)}…`;
}
