// SPDX-License-Identifier: Apache-2.0
// A metric taken apart: time by what the thread did, memory by who handed it out.
import { MEMORY_PARTS, Metric, TIME_PARTS } from './metrics';

export interface Part {
  name: string;
  head: string;
  /** The metric, narrowed to this part: parts of a metric add up to it. */
  metric: Metric;
}

/** Empty where there is nothing to take apart. */
export function partsOf(metric: Metric): Part[] {
  const parts = metric.source === 'sample' ? byActivity(metric) : byMemoryKind(metric);
  return parts.length > 1 ? parts : [];
}

function byActivity(metric: Metric): Part[] {
  return TIME_PARTS.flatMap(({ name, head, activities }) => {
    const inPart = (of: readonly number[]) => of.filter((activity) => activities.includes(activity));
    const narrowed = { ...metric, activities: inPart(metric.activities), mainActivities: inPart(metric.mainActivities) };
    return narrowed.activities.length + narrowed.mainActivities.length > 0 ? [{ name, head, metric: narrowed }] : [];
  });
}

function byMemoryKind(metric: Metric): Part[] {
  return MEMORY_PARTS.flatMap(({ name, head }, kind) =>
    metric.memoryKinds.includes(kind) ? [{ name, head, metric: { ...metric, memoryKinds: [kind] } }] : []);
}
