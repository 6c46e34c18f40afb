import type { ComponentChildren } from 'preact';
import { useTexts } from '../i18n/define-texts.ts';
import './button.css';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { uiTexts } from './texts.ts';

export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => void;
  readonly kind?: ButtonKind;
  /** Submits the form that contains it. */
  readonly isSubmit?: boolean;
  /** The action runs: the button keeps the focus, says so, and ignores presses. */
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  /** For buttons whose words do not name their object, such as several “Remove” in a table. */
  readonly label?: string;
}

export function Button({ children, onClick, kind = 'secondary', label, ...props }: ButtonProps) {
  const { isSubmit = false, isPending = false, isDisabled = false } = props;
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      class={classNames('button', `button-${kind}`)}
      aria-busy={isPending}
      aria-disabled={isPending}
      aria-label={label}
      disabled={isDisabled}
      onClick={(event) => {
        if (isPending) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}

interface LinkButtonProps {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly kind?: ButtonKind;
}

/** A link that looks like a button. */
export function LinkButton({ href, children, kind = 'secondary' }: LinkButtonProps) {
  return (
    <a class={classNames('button', `button-${kind}`)} href={href}>
      {children}
    </a>
  );
}

/** A link out of the dashboard, opened in a tab of its own. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const t = useTexts(uiTexts);
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      {/* On one line with the last word. */}
      {'\u00a0'}
      <Icon name="external" />
      <span class="unseen"> {t.opensElsewhere}</span>
    </a>
  );
}
