// SPDX-License-Identifier: Apache-2.0
// Verdicts in the words of the console's report.
import { METRIC } from '../../data/schema';
import type { ReportPlace, Verdict } from '../../model/report';
import { formatBytes, formatTime } from '../../text/amount';

export interface VerdictText {
  /** "CPU-bound in Python" */
  headline: string;
  /** "84 % of 2.35 s CPU time" */
  measure: string;
  /** What leads to the place: "hottest line, 39 %"; "" when there is none. */
  lead: string;
  place: ReportPlace | null;
}

/** A line with a smaller share is not where the time goes. */
const LEAST_HOT = 0.05;

const KNOWN: Partial<Record<string, { head: string; phrase: string }>> = METRIC;

function cpuName(metric: string): string {
  return metric === 'kernel' ? 'the kernel' : KNOWN[metric]?.head ?? metric;
}

export function verdictText(verdict: Verdict, isFirst: boolean): VerdictText {
  const { place } = verdict;
  const percent = (part: number, whole: number) => `${whole > 0 ? ((100 * part) / whole).toFixed(0) : '0'} %`;
  const seconds = (value: number) => formatTime(value * 1e9);
  const share = percent(verdict.seconds, verdict.ofSeconds);
  const about = verdict.kind === 'cpu' ? verdict.ofSeconds : verdict.seconds;
  const isHot = place !== null && place.seconds >= LEAST_HOT * about;
  const isOutside = 2 * verdict.outsideSeconds >= about;
  /** Where that is, or that no line is it. */
  const ofTime = (what: string): Pick<VerdictText, 'lead' | 'place'> =>
    isHot ? { lead: `${what}, ${percent(place.seconds, verdict.ofSeconds)}`, place }
      : isOutside ? { lead: verdict.kind === 'wait' ? what : `${what}, ${percent(verdict.outsideSeconds, verdict.ofSeconds)}`, place: null }
        : { lead: '', place: null };
  const ofMemory = `most of it, ${percent(place?.bytes ?? 0, verdict.bytes)}`;
  switch (verdict.kind) {
    case 'no_samples':
      return {
        headline: verdict.ofSeconds < 1 ? 'Too short' : 'Nothing recorded',
        measure: `ran ${seconds(verdict.ofSeconds)}, 0 samples`,
        lead: '',
        place: null,
      };
    case 'cpu':
      return {
        headline: `${isFirst ? 'CPU-bound in' : 'Also on CPU, in'} ${cpuName(verdict.metric)}`,
        measure: `${share} of ${seconds(verdict.ofSeconds)} CPU time`,
        ...ofTime('hottest line'),
      };
    case 'gc':
      return {
        headline: isFirst ? 'Mostly garbage collection' : 'Garbage collection',
        measure: `${share} of ${seconds(verdict.ofSeconds)} CPU time; gc.freeze(), gc.set_threshold() or gc.disable() may save it`,
        ...ofTime('most'),
      };
    case 'wait':
      if (verdict.workersSeconds > 0)
        return {
          headline: 'Main thread waiting for its workers',
          measure: `${share} of ${seconds(verdict.ofSeconds)} elapsed; they used ${seconds(verdict.workersSeconds)} CPU time`,
          ...ofTime('longest'),
        };
      return {
        headline: `${isFirst ? 'Mostly' : 'Also'} ${KNOWN[verdict.metric]?.phrase ?? verdict.metric}`,
        measure: `${share} of ${seconds(verdict.ofSeconds)} elapsed`,
        ...ofTime('longest'),
      };
    case 'gil_wait':
      return { headline: 'Threads compete for the GIL', measure: `${seconds(verdict.seconds)} lost waiting for it`, lead: 'most', place };
    case 'live_at_peak':
      return {
        headline: `Peak of ${formatBytes(verdict.bytes)} in use`,
        measure: `at ${seconds(verdict.seconds)}`,
        lead: ofMemory,
        place,
      };
    case 'growth':
      return {
        headline: 'Memory keeps growing',
        measure: `${formatBytes(verdict.bytesPerSecond || verdict.bytes)}/s, ${formatBytes(place?.bytes ?? 0)} of it live at the end`,
        lead: 'allocated',
        place,
      };
    case 'copied':
      return { headline: 'Copies', measure: `${formatBytes(verdict.bytes)} in ${seconds(verdict.ofSeconds)}`, lead: ofMemory, place };
    case 'declared':
      return { headline: `Most ${verdict.title}`, measure: '', lead: place ? percent(place.value, verdict.value) : 'where', place };
    default:
      return { headline: verdict.kind, measure: '', lead: '', place };
  }
}

/** "similarity()": "<module>" and the like are not called. */
export function calledName(name: string): string {
  return name.endsWith('>') ? name : `${name}()`;
}
