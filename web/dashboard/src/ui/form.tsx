import type { ComponentChildren } from 'preact';

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
