import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { TextField } from './field.tsx';

interface FormProps {
  /** After the browser found every required field filled in. */
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

/** Fields from top to bottom, sent by Enter or its submitting button. */
export function Form({ onSubmit, children }: FormProps) {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

interface SearchFieldProps {
  readonly label: string;
  /** What is being searched for now. */
  readonly value: string;
  /** When the person has stopped typing, or presses Enter. */
  readonly onSearch: (value: string) => void;
  readonly placeholder?: string;
}

const pauseMs = 350;

/** A field whose words are searched for as soon as the typing has stopped. */
export function SearchField({ label, value, onSearch, placeholder }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => {
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => {
      latest.current(text);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
    };
    // Only what is typed starts the pause anew.
  }, [text]);
  return (
    <TextField
      label={label}
      type="search"
      value={text}
      isUnrequired
      {...(placeholder !== undefined && { placeholder })}
      onInput={setText}
    />
  );
}

interface NewPasswordProps {
  readonly label: string;
  readonly hint: string;
  /** For programs that keep passwords, where the form has no other. */
  readonly name?: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onInput: (value: string) => void;
}

/** Where a password is chosen: its bounds are those of the service. */
export function NewPasswordField(props: NewPasswordProps) {
  return <TextField {...props} type="password" autocomplete="new-password" lengthMin={10} lengthMax={128} />;
}
