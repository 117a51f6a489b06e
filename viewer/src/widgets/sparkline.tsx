// SPDX-License-Identifier: Apache-2.0

/** A history in a few pixels. `values` from the left to the right; `most` is the height of the picture. */
export function Sparkline(props: { values: ArrayLike<number>; most: number; width?: number; height?: number; label: string; class?: string }) {
  const { values, most, width = 80, height = 16 } = props;
  if (!(most > 0)) return null;
  const step = width / Math.max(1, values.length);
  let path = `M0 ${height}`;
  for (let i = 0; i < values.length; ++i) {
    const y = (height - Math.min(1, Math.max(0, values[i] / most)) * (height - 1)).toFixed(1);
    path += `L${(i * step).toFixed(1)} ${y}L${((i + 1) * step).toFixed(1)} ${y}`;
  }
  return (
    <svg class={`sparkline ${props.class ?? ''}`} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={props.label}>
      <path d={`${path}L${width} ${height}Z`} />
    </svg>
  );
}
