// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { MemoryLevels } from '../model/memory_levels';
import type { Colour } from '../model/metrics';
import type { Range } from '../model/selection';
import { colourIn } from '../render/colour';
import { LevelChart, paintLevelChart, pointAt, Series } from '../render/level_chart';
import type { Painter } from '../render/painter';
import { theme } from '../state/theme';
import { formatBytes, formatTime } from '../text/amount';
import { Canvas, useSize } from './canvas';
import { tip } from './tooltip';

type Shown = 'inUse' | 'rss' | 'pss' | 'python' | 'native' | 'mapped';

const TITLES: Record<Shown, string> = {
  inUse: 'in use', rss: 'resident (RSS)', pss: 'PSS', python: 'Python', native: 'native', mapped: 'mapped',
};
const COLOURS: Record<Shown, Colour> = {
  inUse: ['#7b3fb0', '#b98ae0'], rss: ['#5b6472', '#9aa3b0'], pss: ['#1f8a70', '#4fc3a1'],
  python: ['#2f6fde', '#5b8ff0'], native: ['#b87708', '#e8a83a'], mapped: ['#c4442a', '#dc6248'],
};

/** Memory over time with the peak of what is in use. `onPicture` gets what an export needs. */
export function MemoryChart(props: {
  levels: MemoryLevels;
  /** The peak as it was recorded; else it is the largest of the levels, which are read only now and then. */
  peak: { time: number; bytes: number } | null;
  range: Range;
  shown: readonly Shown[];
  onPicture?: (paint: (painter: Painter) => void, width: number, height: number) => void;
}) {
  const { levels } = props;
  const [element, size] = useSize();
  const [hovered, setHovered] = useState(-1);
  const shownTheme = theme.value;
  const hasAny = (name: Shown) => levels[name].some((value) => value > 0);
  const names = props.shown.filter((name) => name === 'inUse' || name === 'rss' || hasAny(name));
  const series: Series[] = names.map((name) => ({
    title: TITLES[name], values: levels[name], colour: colourIn(shownTheme, COLOURS[name]), filled: name === 'inUse', gaps: name === 'pss',
  }));
  const seen = levels.peak < 0 ? 0 : levels.inUse[levels.peak];
  const peak = props.peak ?? (seen > 0 ? { time: levels.time[levels.peak], bytes: seen } : null);
  const markText = peak ? `peak ${formatBytes(peak.bytes)} at ${formatTime(peak.time)}` : '';
  const chart: LevelChart = {
    time: levels.time, series, range: props.range, hovered,
    mark: peak && { time: peak.time, value: peak.bytes, text: markText, colour: colourIn(shownTheme, COLOURS.inUse) },
  };
  const paint = (painter: Painter) => paintLevelChart(painter, chart, shownTheme);
  props.onPicture?.(paint, size.width, size.height);
  const onMove = (event: PointerEvent) => {
    const at = pointAt(chart, event.clientX - element.current!.getBoundingClientRect().left, size.width);
    setHovered(at);
    if (at < 0) return;
    const rows = series.filter(({ values, gaps }) => !gaps || values[at] > 0);
    const content = (
      <>
        <strong>{formatTime(levels.time[at])}</strong>
        {rows.map(({ title, values }) => <div key={title}>{title} {formatBytes(values[at])}</div>)}
      </>
    );
    tip.value = { x: event.clientX, y: event.clientY, content };
  };
  const leave = () => {
    setHovered(-1);
    tip.value = null;
  };
  return (
    <div class="memory-chart">
      <ul class="chart-legend" aria-hidden="true">
        {series.map(({ title, colour, filled }) => (
          <li key={title}><span class={filled ? 'swatch filled' : 'swatch'} style={{ background: colour }} />{title}</li>
        ))}
      </ul>
      <div class="memory-chart-canvas" ref={element} onPointerMove={onMove} onPointerLeave={leave}>
        <Canvas size={size} paint={paint} label={`Memory over time, ${markText}`} />
      </div>
    </div>
  );
}
