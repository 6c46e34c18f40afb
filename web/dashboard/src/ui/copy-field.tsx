import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../i18n/define-texts.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';
import { uiTexts } from './texts.ts';
import './copy-field.css';

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
