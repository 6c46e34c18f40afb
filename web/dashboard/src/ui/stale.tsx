import { useTexts } from '../i18n/define-texts.ts';
import { Button } from './button.tsx';
import { describeProblem } from './describe-problem.ts';
import { Notice } from './notice.tsx';
import { uiTexts } from './texts.ts';

interface StaleProps {
  /** Why the last look failed; undefined draws nothing. */
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Above what was there before: it could not be brought up to date. */
export function Stale({ error, onRetry }: StaleProps) {
  const t = useTexts(uiTexts);
  if (error === undefined) return null;
  return (
    <Notice tone="wait" title={t.notUpToDate} isNews actions={<Button onClick={onRetry}>{t.retry}</Button>}>
      <p>{describeProblem(error).message}</p>
    </Notice>
  );
}
