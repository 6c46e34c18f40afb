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
  /** The text of the button, and of the confirming one unless `confirm` is given. */
  readonly children: string;
  /** The question to the person. */
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly body: ComponentChildren;
  readonly confirm?: string;
  readonly onConfirm: () => Promise<unknown>;
  /** Called after success. */
  readonly onDone?: () => void;
  /** A toast after success. */
  readonly toast?: string;
  readonly kind?: ButtonKind;
  /** For buttons whose words do not name their object. */
  readonly label?: string;
  /** false: no button now. An open dialog stays, so that its message can be read. */
  readonly isOffered?: boolean;
  /** The meaning of a conflict here. */
  readonly conflict?: string;
}

/** Asks for a confirmation before the action; a failure is shown in the dialog, which then stays open. */
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

/** Keeps the focus when a used button disappears, because its action is done. */
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
  /** Called by Escape and the cross, too; the dialog must then no longer be drawn. */
  readonly onClose: () => void;
  /** An action runs whose outcome is shown here, so the dialog can't be closed. */
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
  /** Buttons; the main one is the last. */
  readonly actions?: ComponentChildren;
}

/**
 * Covers everything while it is drawn. The browser keeps the focus inside; afterwards the focus returns to its former
 * place.
 */
export function Dialog({ title, onClose, isBusy = false, children, actions }: DialogProps) {
  const t = useTexts(uiTexts);
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    if (element !== null) focusStart(element);
    return () => {
      element?.close();
      // The browser does so only while the dialog is still in the page.
      if (opener instanceof HTMLElement) opener.focus();
      // The element that opened it may have disappeared with the action.
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
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="dialog-close" aria-label={t.close} disabled={isBusy} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
      {actions !== undefined && <footer class="dialog-actions">{actions}</footer>}
    </dialog>
  );
}

/**
 * Focuses the first field, else the first button below the text, which is the safe one, else the title. By itself the
 * browser would take the cross.
 */
function focusStart(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea):enabled');
  const start = field ?? dialog.querySelector<HTMLElement>('.dialog-actions button') ?? dialog.querySelector('h2');
  start?.focus();
}

interface FormButtonsProps {
  readonly onClose: () => void;
  readonly isPending: boolean;
  /** The text of the main button. */
  readonly children: string;
}

/** The buttons of a form in a dialog, in the order of every dialog: the safe one first, the main one last. */
export function FormButtons({ onClose, isPending, children }: FormButtonsProps) {
  const t = useTexts(uiTexts);
  return (
    <div class="dialog-actions">
      <Button onClick={onClose} isDisabled={isPending}>
        {t.cancel}
      </Button>
      <Button kind="primary" isSubmit isPending={isPending}>
        {children}
      </Button>
    </div>
  );
}

/**
 * Moves the focus to the page's heading when the focused element is gone, so that keyboard and screen reader continue
 * there.
 */
function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}

/** The same, unless another element has the focus. */
function focusHeadingWhenLost(): void {
  if (document.activeElement === document.body) focusHeading();
}
