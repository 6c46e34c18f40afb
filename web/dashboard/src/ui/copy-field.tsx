import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { defineTexts, useTexts } from '../i18n/define-texts.ts';
import { Button } from './button.tsx';
import './copy-field.css';
import './curl.css';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';
import './shown-once.css';
import { uiTexts } from './texts.ts';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
}

/** Something to take elsewhere, such as a key or an address. */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  return (
    <Field
      label={label}
      {...(hint !== undefined && { hint })}
      control={(attributes) => (
        <div class="copy-field">
          <input
            {...attributes}
            class="control code"
            value={value}
            readOnly
            onFocus={({ currentTarget }) => {
              currentTarget.select();
            }}
          />
          <CopyButton value={value} label={label} />
        </div>
      )}
    />
  );
}

/** `label` says of what, for screen readers. */
export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const t = useTexts(uiTexts);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => {
      setCopied(false);
    }, 2_500);
    return () => {
      clearTimeout(timer);
    };
  }, [isCopied]);
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => {
        setCopied(true);
      },
      // Refused by the browser: the text can still be selected.
      () => undefined,
    );
  };
  return (
    <Button onClick={copy} label={`${isCopied ? t.copied : t.copy}: ${label}`}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      {isCopied ? t.copied : t.copy}
    </Button>
  );
}

interface CurlProps {
  /** What the command does; said by screen readers. */
  readonly label: string;
  readonly command: string;
}

/** A command to try in a terminal. */
export function Curl({ label, command }: CurlProps) {
  return (
    <div class="curl">
      <pre tabIndex={0} role="region" aria-label={label}>
        {command}
      </pre>
      <CopyButton value={command} label={label} />
    </div>
  );
}

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

const shownOnceTexts = defineTexts({
  sv: {
    warning: 'Kopiera och spara den nu. Den visas bara en gång.',
    saved: 'Jag har sparat den',
  },
  en: {
    warning: 'Copy and save it now. It is shown only once.',
    saved: 'I’ve saved it',
  },
});
