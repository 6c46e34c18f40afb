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

/** A value to copy, such as a key or an address. */
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

/** `label` names the value for screen readers. */
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
      // The browser refused; the text can still be selected.
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
  /** The purpose of the command, for screen readers. */
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
  /** The kind of value, such as “API key”. */
  readonly label: string;
  /** The secret. */
  readonly value: string;
  /** What to do with the value. */
  readonly children?: ComponentChildren;
  /** The person has saved it, so this must no longer be drawn. */
  readonly onSaved: () => void;
}

/**
 * A key or secret that the service shows only once. It is part of the page and not a dialog, so that no accidental key
 * or click removes it. It takes the focus, because it appears while the person is elsewhere on the page.
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
