import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useQuery } from '../routing/use-query.ts';
import { TextField } from './field.tsx';

interface FormProps {
  /** Called after the browser has found every required field filled in. */
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

/** A column of fields, submitted by Enter or its button. */
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
  /** The present search text. */
  readonly value: string;
  /** Called when the person pauses typing, or presses Enter. */
  readonly onSearch: (value: string) => void;
  readonly placeholder?: string;
}

const pauseMs = 350;

/** A text field that searches when the person pauses typing. */
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
    // Only typing restarts the pause.
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

/** A {@link SearchField} for a word without spaces around it, kept in the address under `name`. */
export function AddressSearch({ name, label }: { readonly name: string; readonly label: string }) {
  const [query, setQuery] = useQuery();
  return (
    <SearchField
      label={label}
      value={query[name] ?? ''}
      onSearch={(text) => {
        setQuery({ [name]: text.trim() });
      }}
    />
  );
}

interface NewPasswordProps {
  readonly label: string;
  readonly hint: string;
  /** For password managers, when the form has no other name. */
  readonly name?: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onInput: (value: string) => void;
}

/** A field for a new password, with the service's limits. */
export function NewPasswordField(props: NewPasswordProps) {
  return <TextField {...props} type="password" autocomplete="new-password" lengthMin={10} lengthMax={128} />;
}
