import type { ComponentChildren } from 'preact';
import './empty.css';

interface EmptyProps {
  /** That there is nothing, and of what. */
  readonly title: string;
  /** What to do so that there is: words, a link, a curl in `<pre>`. */
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** In place of a list without rows: says what to do next. */
export function Empty({ title, children, actions }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {actions !== undefined && <div class="row">{actions}</div>}
    </div>
  );
}
