// SPDX-License-Identifier: Apache-2.0

/** One of a few steps, from small to large. */
export function StepSlider(props: {
  label: string;
  steps: readonly number[];
  value: number;
  format: (value: number) => string;
  onChange: (value: number) => void;
}) {
  const at = props.steps.reduce((best, step, i) => (Math.abs(step - props.value) < Math.abs(props.steps[best] - props.value) ? i : best), 0);
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
