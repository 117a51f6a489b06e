// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: three digits that matter, and a unit. The console formats its own by the same cases,
// tests/corpus/numbers.json; only the page has a µ and a minus sign.
import { COUNT_OF, Unit } from '../model/metrics';

const TIME_UNITS: [number, string][] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
// As in the console report: a MB is 1,000,000 bytes.
const BYTE_UNITS: [number, string][] = [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']];
// Of what a recording counts: of instructions there are billions.
const LARGE_COUNTS: [number, string][] = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M']];

export function formatAmount(amount: number, unit: Unit): string {
  if (amount === 0) return '0';
  if (unit === 'bytes') return formatBytes(amount);
  if (unit === 'nanoseconds') return formatTime(amount);
  const count = Math.abs(amount) < 1e6 ? formatCount(amount) : withUnit(amount, LARGE_COUNTS);
  return unit === 'count' ? count : `${count} ${unit.slice(COUNT_OF.length)}`;
}

/** In a narrow column, of which the head says what is counted. */
export function formatFigure(amount: number, unit: Unit): string {
  return formatAmount(amount, unit.startsWith(COUNT_OF) ? 'count' : unit);
}

export function formatTime(ns: number): string {
  return ns === 0 ? '0 s' : withUnit(ns, TIME_UNITS);
}

export function formatBytes(bytes: number): string {
  return withUnit(bytes, BYTE_UNITS);
}

/** "12.3 %", "<0.1 %"; without a whole there is no share. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  const size = Math.abs(percent);
  if (size > 0 && size < 0.05) return percent < 0 ? '>−0.1 %' : '<0.1 %';
  return `${digits(percent, size >= 99.95 ? 0 : 1)} %`;
}

export function formatCount(count: number): string {
  return digits(count, 0);
}

export function formatSamples(samples: number): string {
  return shownCount(samples, 'sample');
}

/** "1 task", "1,234 tasks" */
export function shownCount(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** "1.24 s · 12.3 % · 310 samples" */
export function formatFull(amount: number, unit: Unit, whole: number, samples: number): string {
  return [formatAmount(amount, unit), formatShare(amount, whole), ...knownSamples(amount, samples)].join(' · ');
}

/** "1.24 s · 310 samples" */
export function formatWhole(amount: number, unit: Unit, samples: number): string {
  return [formatAmount(amount, unit), ...knownSamples(amount, samples)].join(' · ');
}

/** A recording need not say how many observations are behind what it declares. */
function knownSamples(amount: number, samples: number): string[] {
  return amount > 0 && samples === 0 ? [] : [formatSamples(samples)];
}

function withUnit(amount: number, units: [number, string][]): string {
  const size = Math.abs(amount);
  const [scale, name] = units.find(([least]) => size >= least * 0.9995) ?? units[units.length - 1];
  return `${scale === 1 ? digits(amount, 0) : threeDigits(amount / scale)} ${name}`;
}

function threeDigits(value: number): string {
  const size = Math.abs(value);
  return digits(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

/** With commas between thousands, and a real minus sign, as wide as a plus. */
function digits(value: number, decimals: number): string {
  return value.toFixed(decimals).replace('-', '−').replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');
}
