import { createStore } from '../state/store.ts';
import { useStore } from '../state/use-store.ts';
import { Icon } from './icon.tsx';
import './toasts.css';

/** Where `showToast` speaks; always there, because a screen reader listens to places that it knows. */
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

/** A short word that something was done, at the edge of the page for some seconds. Never for what went wrong: that stays where it happened. */
export function showToast(text: string): void {
  const toast = { id: (last += 1), text };
  toasts.set([...toasts.get(), toast]);
  setTimeout(() => {
    toasts.set(toasts.get().filter(({ id }) => id !== toast.id));
  }, shownMs);
}
