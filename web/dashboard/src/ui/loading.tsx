import { useTexts } from '../i18n/define-texts.ts';
import { uiTexts } from './texts.ts';
import './loading.css';

/** Shows itself only after a moment: what comes at once needs no word. */
export function Loading() {
  const t = useTexts(uiTexts);
  return (
    <p class="loading" role="status">
      {t.loading}
    </p>
  );
}
