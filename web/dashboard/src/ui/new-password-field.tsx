import { TextField } from './field.tsx';

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
