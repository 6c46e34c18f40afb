import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useTexts } from '../i18n/define-texts.ts';
import { Button } from './button.tsx';
import { CopyField } from './copy-field.tsx';
import { Notice } from './notice.tsx';
import { shownOnceTexts } from './shown-once-texts.ts';
import './shown-once.css';

interface ShownOnceProps {
  readonly title: string;
  /** What the value is, such as “API key”. */
  readonly label: string;
  /** The secret. */
  readonly value: string;
  /** What to do with it. */
  readonly children?: ComponentChildren;
  /** The person has put it away: don't draw this any more. */
  readonly onSaved: () => void;
}

/**
 * A key or secret that the service tells only now. Stands in the page, not in a dialog: no stray key or click takes it away.
 * Takes the focus, because it came up while the person was elsewhere on the page.
 */
export function ShownOnce({ title, label, value, children, onSaved }: ShownOnceProps) {
  const t = useTexts(shownOnceTexts);
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, [value]);
  return (
    <section class="card shown-once" aria-labelledby={titleId}>
      <h2 id={titleId} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <Notice tone="wait" title={t.warning} />
      <CopyField label={label} value={value} />
      {children}
      <div class="row">
        <Button kind="primary" onClick={onSaved}>
          {t.saved}
        </Button>
      </div>
    </section>
  );
}
