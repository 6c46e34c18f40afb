import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { Button, type ButtonKind } from './button.tsx';
import './dialog.css';
import { Icon } from './icon.tsx';
import { ErrorNote } from './notice.tsx';
import { uiTexts } from './texts.ts';

interface ConfirmButtonProps {
  /** Of the button, and of the one that confirms unless `confirm` is given. */
  readonly children: string;
  /** The question. */
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly body: ComponentChildren;
  readonly confirm?: string;
  readonly onConfirm: () => Promise<unknown>;
  /** After it went well. */
  readonly onDone?: () => void;
  /** Said when it went well. */
  readonly toast?: string;
  readonly kind?: ButtonKind;
  /** When the words alone don't say of what. */
  readonly label?: string;
  /** false: there is no button now. A dialog that is open stays, with what it has to say. */
  readonly isOffered?: boolean;
  /** What a conflict means here. */
  readonly conflict?: string;
}

/** Asks before it does it; what goes wrong is said in the dialog, which then stays. */
export function ConfirmButton({ children, title, body, onConfirm, onDone, toast, ...props }: ConfirmButtonProps) {
  const t = useTexts(uiTexts);
  const { confirm = children, kind = 'secondary', label, isOffered = true, conflict } = props;
  const [isOpen, setOpen] = useState(false);
  const used = useKeptFocus(isOffered);
  const action = useAction(onConfirm, {
    ...(toast !== undefined && { toast }),
    onDone: () => {
      setOpen(false);
      onDone?.();
    },
  });
  const close = (): void => {
    setOpen(false);
    action.clearError();
  };
  return (
    <>
      {isOffered && (
        <Button
          kind={kind}
          {...(label !== undefined && { label })}
          onClick={() => {
            used.current = true;
            setOpen(true);
          }}
        >
          {children}
        </Button>
      )}
      {isOpen && (
        <Dialog
          title={title}
          onClose={close}
          isBusy={action.isPending}
          actions={
            <>
              <Button onClick={close} isDisabled={action.isPending}>
                {t.back}
              </Button>
              <Button kind={kind === 'danger' ? 'danger' : 'primary'} isPending={action.isPending} onClick={action.run}>
                {confirm}
              </Button>
            </>
          }
        >
          <div>{body}</div>
          <ErrorNote error={action.error} {...(conflict !== undefined && { conflict })} />
        </Dialog>
      )}
    </>
  );
}

/** A button that was used and then goes, because what it offered is done, doesn't take the focus with it. */
function useKeptFocus(isOffered: boolean): { current: boolean } {
  const used = useRef(false);
  useEffect(() => {
    if (!isOffered && used.current) focusHeadingWhenLost();
  }, [isOffered]);
  useEffect(
    () => () => {
      if (used.current) setTimeout(focusHeadingWhenLost);
    },
    [],
  );
  return used;
}

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

/** For when what had the focus is gone: the page's heading takes it, so that the keyboard and a screen reader go on there. */
function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}

/** The same, unless something has the focus. */
function focusHeadingWhenLost(): void {
  if (document.activeElement === document.body) focusHeading();
}
