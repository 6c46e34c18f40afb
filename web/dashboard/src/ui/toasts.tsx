import { useStore } from '../state/use-store.ts';
import { toasts } from './toast-store.ts';
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
