// SPDX-License-Identifier: Apache-2.0
// Colours with even lightness, so that text on them is always readable.
import { FILE_KIND } from '../data/schema';
import { ACTIVITIES, Colour } from '../model/metrics';

export interface Theme {
  dark: boolean;
  background: string;
  panel: string;
  text: string;
  faint: string;
  line: string;
  accent: string;
  match: string;
  matchText: string;
}

export const LIGHT: Theme = {
  dark: false, background: '#ffffff', panel: '#f5f6f8', text: '#1d2129', faint: '#5b6472', line: '#d8dce2',
  accent: '#1a56db', match: '#f6d33c', matchText: '#1d2129',
};

export const DARK: Theme = {
  dark: true, background: '#14161a', panel: '#1d2025', text: '#e6e8eb', faint: '#9aa3b0', line: '#343940',
  accent: '#7aa7ff', match: '#e2b714', matchText: '#14161a',
};

/** Lightness 0..1, colourfulness 0..0.37, hue in degrees (OKLCH) as #rrggbb. */
export function oklch(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const hex = linear.map((value) => {
    const bounded = Math.min(1, Math.max(0, value));
    const gamma = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
    return Math.round(gamma * 255).toString(16).padStart(2, '0');
  });
  return `#${hex.join('')}`;
}

// The user's own code is warm, libraries are cool, native code is green: [first hue, how far it goes].
const HUES: Record<number, [number, number]> = {
  [FILE_KIND.own]: [52, 48],
  [FILE_KIND.library]: [225, 80],
  [FILE_KIND.native]: [140, 55],
};

/** The colour of a function by the kind of its file and its package. */
export function packageColour(kind: number, packageName: string, theme: Theme): string {
  const [first, span] = HUES[kind] ?? [0, 0];
  const chance = hashOf(packageName);
  const hue = first + (chance % 1000) * 0.001 * span;
  const shade = ((chance >>> 10) % 3) * 0.018;
  const chroma = span === 0 ? 0.01 : 0.075;
  return theme.dark ? oklch(0.4 + shade, chroma, hue) : oklch(0.83 + shade, chroma, hue);
}

/** What a kind of file looks like on average, for a legend. */
export function kindColour(kind: number, theme: Theme): string {
  const [first, span] = HUES[kind] ?? [0, 0];
  return oklch(theme.dark ? 0.42 : 0.85, 0.075, first + span / 2);
}

/** Fill for everything that is not what was searched for. */
export function dimmed(theme: Theme): string {
  return theme.dark ? '#2b2f36' : '#e8eaee';
}

/** Told apart also with defective colour vision, and never the only sign. */
export function activityColour(activity: number, theme: Theme): string {
  return colourIn(theme, ACTIVITIES[activity]?.colour) ?? theme.faint;
}

export function colourIn(theme: Theme, colour: Colour): string;
export function colourIn(theme: Theme, colour: Colour | undefined): string | undefined;
export function colourIn(theme: Theme, colour: Colour | undefined): string | undefined {
  return colour?.[theme.dark ? 1 : 0];
}

/** Black or white, whichever is easier to read on a colour (#rrggbb). */
export function readableOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Where both have the same contrast: sqrt(1.05 * 0.05) - 0.05.
  return luminance > 0.179 ? '#14161a' : '#ffffff';
}

/** Where a file belongs: the package that it is installed in, else its own folder. */
export function packageOf(path: string, kind: number): string {
  const installed = /(?:site|dist)-packages\/([^/]+)/.exec(path);
  if (installed) return installed[1].replace(/\.py$/, '');
  const standard = /\/lib\/python[\d.]+t?\/([^/]+)/.exec(path);
  if (standard) return standard[1].replace(/\.py$/, '');
  if (kind === FILE_KIND.native) return path.slice(path.lastIndexOf('/') + 1).replace(/[-.].*$/, '');
  return path;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  return Math.imul(hash, 0x7feb352d) >>> 0;
}
