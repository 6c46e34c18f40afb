import type { Choice } from '../ui/field.tsx';
import './switch.css';

interface SwitchProps<Value extends string> {
  /** For screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A small choice of how the page looks. */
export function Switch<Value extends string>({ label, value, choices, onChange }: SwitchProps<Value>) {
  return (
    <select
      class="switch"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = choices.find((choice) => choice.value === currentTarget.value);
        if (chosen !== undefined) onChange(chosen.value);
      }}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
}
