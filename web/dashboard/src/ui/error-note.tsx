import { useTexts } from '../i18n/define-texts.ts';
import { Button } from './button.tsx';
import { describeProblem } from './describe-problem.ts';
import { Notice } from './notice.tsx';
import { uiTexts } from './texts.ts';

interface ErrorNoteProps {
  /** Whatever was thrown; undefined draws nothing. */
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** What a conflict means here. */
  readonly conflict?: string;
}

/** What went wrong, with the code and request id by which support finds it. */
export function ErrorNote({ error, onRetry, conflict }: ErrorNoteProps) {
  const t = useTexts(uiTexts);
  if (error === undefined) return null;
  const { message, fields, code, requestId } = describeProblem(error);
  return (
    <Notice
      tone="bad"
      title={code === 'CONFLICT' && conflict !== undefined ? conflict : message}
      isNews
      {...(onRetry !== undefined && { actions: <Button onClick={onRetry}>{t.retry}</Button> })}
    >
      {fields.length > 0 && (
        <ul>
          {fields.map((field) => (
            <li key={field.field}>
              <code>{field.field}</code> {field.message}
            </li>
          ))}
        </ul>
      )}
      {(code !== undefined || requestId !== undefined) && (
        <p class="small muted">
          {code !== undefined && <code>{code}</code>}
          {requestId !== undefined && (
            <>
              {' '}
              {t.requestId} <code>{requestId}</code>
            </>
          )}
        </p>
      )}
    </Notice>
  );
}
