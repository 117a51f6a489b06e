// SPDX-License-Identifier: Apache-2.0

/** Rows as RFC 4180. Names come from the profile: none of them may become a formula in a spreadsheet. */
export function csvOf(header: string[], rows: (string | number)[][]): string {
  return [header, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n') + '\r\n';
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replace(/"/g, '""')}"` : harmless;
}
