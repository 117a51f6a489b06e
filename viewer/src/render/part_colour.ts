// SPDX-License-Identifier: Apache-2.0
import { activityColour, Theme } from './colour';

// Parts of a metric (model/parts.ts) look like the activities that they are made of.
const ACTIVITY_OF: Record<string, number> = { python: 0, native: 1, kernel: 2, waits: 3, mapped: 7 };

export function partColour(id: string, theme: Theme): string {
  return activityColour(ACTIVITY_OF[id] ?? 9, theme);
}
