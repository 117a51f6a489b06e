// SPDX-License-Identifier: Apache-2.0
// A metric taken apart: time by what the thread did, memory by who handed it out.
import { CHANGE_KIND } from '../data/schema';
import { Metric, ON_CPU, WAITS } from './metric';

export interface Part {
  id: string;
  title: string;
  /** The metric, narrowed to this part: parts of a metric add up to it. */
  metric: Metric;
}

const ACTIVITY_PARTS: readonly { id: string; title: string; activities: readonly number[] }[] = [
  { id: 'python', title: 'Python', activities: ON_CPU.slice(0, 1) },
  { id: 'native', title: 'Native', activities: ON_CPU.slice(1, 2) },
  { id: 'kernel', title: 'Kernel', activities: ON_CPU.slice(2, 3) },
  { id: 'waits', title: 'Waits', activities: WAITS },
];

const MEMORY_PARTS: readonly { id: string; title: string; kind: number }[] = [
  { id: 'python', title: 'Python', kind: CHANGE_KIND.python },
  { id: 'native', title: 'Native', kind: CHANGE_KIND.native },
  { id: 'mapped', title: 'Mapped', kind: CHANGE_KIND.mapped },
];

/** Empty where there is nothing to take apart. */
export function partsOf(metric: Metric): Part[] {
  const parts = metric.source === 'sample' ? byActivity(metric) : byKind(metric);
  return parts.length > 1 ? parts : [];
}

function byActivity(metric: Metric): Part[] {
  return ACTIVITY_PARTS.flatMap(({ id, title, activities }) => {
    const inPart = (of: readonly number[]) => of.filter((activity) => activities.includes(activity));
    const narrowed = { ...metric, activities: inPart(metric.activities), mainActivities: inPart(metric.mainActivities) };
    return narrowed.activities.length + narrowed.mainActivities.length > 0 ? [{ id, title, metric: narrowed }] : [];
  });
}

function byKind(metric: Metric): Part[] {
  return MEMORY_PARTS.flatMap(({ id, title, kind }) =>
    metric.kinds.includes(kind) ? [{ id, title, metric: { ...metric, kinds: [kind] } }] : []);
}
