import type { ComponentChild, ComponentType } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useTexts } from '../i18n/define-texts.ts';
import { shellTexts } from '../shell/texts.ts';
import { Icon } from '../ui/icon.tsx';

interface DialogProps {
  readonly onClose: () => void;
}

export interface Finder {
  readonly open: () => void;
  /**
   * The search over everything, while it is open. It must be outside the page's header, because it has a header of its
   * own.
   */
  readonly dialog: ComponentChild;
}

/** Ctrl-K and Cmd-K open it, too. Its code is loaded when it is first opened. */
export function useFinder(): Finder {
  const [Dialog, setDialog] = useState<ComponentType<DialogProps>>();
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((): void => {
    setOpen(true);
    import('./finder-dialog.tsx').then(
      ({ FinderDialog }) => {
        setDialog(() => FinderDialog);
      },
      // Without a network the next key press tries again.
      () => {
        setOpen(false);
      },
    );
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isAsked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey;
      // It would cover another open dialog.
      if (!isAsked || event.shiftKey || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
    };
  }, [open]);
  const close = (): void => {
    setOpen(false);
  };
  return { open, dialog: isOpen && Dialog !== undefined && <Dialog onClose={close} /> };
}

/** The button that opens the search. */
export function FinderButton({ onClick }: { readonly onClick: () => void }) {
  const t = useTexts(shellTexts);
  return (
    <button
      type="button"
      class="layout-find"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onClick}
    >
      <Icon name="search" />
      <span>{t.find}</span>
      <kbd aria-hidden="true">{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}
