import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import { Icon } from './icon.tsx';
import './toasts.css';

/** Shows the messages of `showToast`. Always present, because screen readers watch only places that exist already. */
export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <p key={id} class="toast">
          <Icon name="check" />
          {text}
        </p>
      ))}
    </div>
  );
}

export interface ToastMessage {
  readonly id: number;
  readonly text: string;
}

const toasts = createStore<readonly ToastMessage[]>([]);

const shownMs = 6_000;
let last = 0;

/**
 * A short message of success at the edge of the page, for some seconds. Errors are shown where they occurred instead.
 */
export function showToast(text: string): void {
  const toast = { id: (last += 1), text };
  toasts.set([...toasts.get(), toast]);
  setTimeout(() => {
    toasts.set(toasts.get().filter(({ id }) => id !== toast.id));
  }, shownMs);
}
