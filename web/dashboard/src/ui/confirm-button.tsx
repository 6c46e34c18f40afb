import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { Button, type ButtonKind } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { focusHeadingWhenLost } from './focus-heading.ts';
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
