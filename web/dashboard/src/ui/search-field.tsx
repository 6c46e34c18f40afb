import { useEffect, useRef, useState } from 'preact/hooks';
import { TextField } from './field.tsx';

interface SearchFieldProps {
  readonly label: string;
  /** What is being searched for now. */
  readonly value: string;
  /** When the person has stopped typing, or presses Enter. */
  readonly onSearch: (value: string) => void;
  readonly placeholder?: string;
}

const pauseMs = 350;

/** A field whose words are searched for as soon as nobody types any more. */
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
