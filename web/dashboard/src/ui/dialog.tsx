import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useTexts } from '../i18n/define-texts.ts';
import { focusHeading } from './focus-heading.ts';
import { Icon } from './icon.tsx';
import { uiTexts } from './texts.ts';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  /** By Escape and the cross too; afterwards don't draw the dialog any more. */
  readonly onClose: () => void;
  /** Something is being done whose outcome belongs here: it can't be closed until then. */
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
  /** Buttons, the main one last. */
  readonly actions?: ComponentChildren;
}

/** In front of everything while it is drawn. The browser keeps the focus inside; afterwards it is where it was. */
export function Dialog({ title, onClose, isBusy = false, children, actions }: DialogProps) {
  const t = useTexts(uiTexts);
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      // The browser does so only for a dialog that is still in the page.
      if (opener instanceof HTMLElement) opener.focus();
      // What opened it may be gone with what was done in it.
      if (document.activeElement !== opener || opener === document.body) focusHeading();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
    >
      <header class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="dialog-close" aria-label={t.close} disabled={isBusy} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
      {actions !== undefined && <footer class="dialog-actions">{actions}</footer>}
    </dialog>
  );
}
