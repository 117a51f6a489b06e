// SPDX-License-Identifier: Apache-2.0

export interface Choice<Value extends string> {
  value: Value;
  title: string;
  hint?: string;
}

/** One of a few, side by side. */
export function Segmented<Value extends string>(props: {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <div class="segmented" role="group" aria-label={props.label}>
      {props.choices.map(({ value, title, hint }) => (
        <button type="button" key={value} title={hint} aria-pressed={value === props.value} onClick={() => props.onChange(value)}>
          {title}
        </button>
      ))}
    </div>
  );
}
