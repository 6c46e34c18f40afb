import { createStore } from '../state/store.ts';

export interface ToastMessage {
  readonly id: number;
  readonly text: string;
}

export const toasts = createStore<readonly ToastMessage[]>([]);

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
