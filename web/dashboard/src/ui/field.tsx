import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useTexts } from '../i18n/define-texts.ts';
import { uiTexts } from './texts.ts';
import './field.css';

interface FieldProps {
  readonly label: string;
  /** What to know before filling it in. */
  readonly hint?: ComponentChildren;
  /** The problem of the present value; undefined: none. */
  readonly problem?: string | undefined;
  readonly isOptional?: boolean;
  /** May be empty without a remark, because it is a filter. */
  readonly isUnrequired?: boolean;
}

interface FieldFrameProps extends FieldProps {
  /** Draws the control with these attributes, which connect it to label, hint and problem. */
  readonly control: (attributes: ControlAttributes) => ComponentChildren;
}

interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

/** Label, hint and problem around any control. Ready-made controls are below. */
export function Field({ label, hint, problem, isOptional = false, control }: FieldFrameProps) {
  const t = useTexts(uiTexts);
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const problemId = problem === undefined ? undefined : `${id}-problem`;
  const describedBy = [hintId, problemId].filter((one) => one !== undefined).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && <span class="muted"> ({t.optional})</span>}
      </label>
      {control({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': problem !== undefined })}
      {hint !== undefined && (
        <p id={hintId} class="field-hint">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={problemId} class="field-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

/** JSX has a separate type for each `type` of input. */
const kinds = {
  text: { type: 'text' },
  email: { type: 'email' },
  password: { type: 'password' },
  url: { type: 'url' },
  number: { type: 'number' },
  search: { type: 'search' },
  date: { type: 'date' },
  'datetime-local': { type: 'datetime-local' },
} as const;

interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: keyof typeof kinds;
  readonly name?: string;
  /** The name that browsers and password managers use, such as `current-password`. */
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  readonly isReadOnly?: boolean;
}

export function TextField({ value, onInput, type = 'text', name, lengthMin, lengthMax, ...props }: TextFieldProps) {
  const { autocomplete = 'off', placeholder, isReadOnly = false, ...field } = props;
  return (
    <Field
      {...field}
      control={(attributes) => (
        <input
          {...attributes}
          class="control"
          {...kinds[type]}
          name={name}
          value={value}
          autocomplete={autocomplete}
          placeholder={placeholder}
          minLength={lengthMin}
          maxLength={lengthMax}
          required={field.isOptional !== true && field.isUnrequired !== true}
          readOnly={isReadOnly}
          spellcheck={false}
          onInput={({ currentTarget }) => {
            onInput(currentTarget.value);
          }}
        />
      )}
    />
  );
}

interface TextAreaProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly rows?: number;
  readonly lengthMax?: number;
}

export function TextArea({ value, onInput, rows = 4, lengthMax, ...field }: TextAreaProps) {
  return (
    <Field
      {...field}
      control={(attributes) => (
        <textarea
          {...attributes}
          class="control"
          rows={rows}
          value={value}
          maxLength={lengthMax}
          required={field.isOptional !== true && field.isUnrequired !== true}
          onInput={({ currentTarget }) => {
            onInput(currentTarget.value);
          }}
        />
      )}
    />
  );
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectFieldProps<Value extends string> extends FieldProps {
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

export function SelectField<Value extends string>({ value, choices, onChange, ...field }: SelectFieldProps<Value>) {
  return (
    <Field
      {...field}
      control={(attributes) => (
        <Select {...attributes} class="control" value={value} choices={choices} onChange={onChange} />
      )}
    />
  );
}

interface SelectProps<Value extends string> {
  readonly class: string;
  readonly value: Value;
  readonly choices: readonly Choice<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A choice without a visible label: the attributes name it, or a {@link Field} around it. */
export function Select<Value extends string>({
  choices,
  onChange,
  ...attributes
}: SelectProps<Value> & (ControlAttributes | { readonly 'aria-label': string })) {
  return (
    <select
      {...attributes}
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

interface CheckFieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function CheckField({ label, hint, isChecked, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.checked);
        }}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
