// SPDX-License-Identifier: Apache-2.0

/** One of a few steps, from small to large. */
export function StepSlider(props: {
  label: string;
  steps: readonly number[];
  value: number;
  format: (value: number) => string;
  onChange: (value: number) => void;
}) {
  const distance = (i: number) => Math.abs(props.steps[i] - props.value);
  const at = props.steps.reduce((best, _, i) => (distance(i) < distance(best) ? i : best), 0);
  return (
    <label class="slider">
      {props.label}
      <input
        type="range"
        min={0}
        max={props.steps.length - 1}
        step={1}
        value={at}
        aria-valuetext={props.format(props.value)}
        onInput={(event) => props.onChange(props.steps[Number(event.currentTarget.value)])}
      />
      <output>{props.format(props.value)}</output>
    </label>
  );
}
