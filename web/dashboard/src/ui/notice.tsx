import type { ComponentChildren } from 'preact';
import { useTexts } from '../i18n/define-texts.ts';
import { Button } from './button.tsx';
import { describeProblem } from './describe-problem.ts';
import './empty.css';
import { Icon, type IconName } from './icon.tsx';
import './notice.css';
import { uiTexts } from './texts.ts';

export type NoticeTone = 'info' | 'ok' | 'wait' | 'bad';

interface NoticeProps {
  readonly tone: NoticeTone;
  readonly title?: string;
  readonly children?: ComponentChildren;
  /** Buttons to act on it. */
  readonly actions?: ComponentChildren;
  /** It appeared while the person was here, so screen readers announce it. */
  readonly isNews?: boolean;
}

const icons: Readonly<Record<NoticeTone, IconName>> = { info: 'info', ok: 'check', wait: 'info', bad: 'warning' };

/** Information within the page. */
export function Notice({ tone, title, children, actions, isNews = false }: NoticeProps) {
  return (
    <div class={`notice notice-${tone}`} role={isNews ? (tone === 'bad' ? 'alert' : 'status') : undefined}>
      <Icon name={icons[tone]} />
      <div class="notice-text">
        {title !== undefined && <p class="notice-title">{title}</p>}
        {children}
        {actions !== undefined && <div class="notice-actions">{actions}</div>}
      </div>
    </div>
  );
}

interface ErrorNoteProps {
  /** The thrown error; undefined draws nothing. */
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** The meaning of a conflict here. */
  readonly conflict?: string;
}

/** An error, with the code and request id that support needs. */
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

interface EmptyProps {
  /** Says that there is nothing, and of what. */
  readonly title: string;
  /** What to do about it: words, a link, a curl in `<pre>`. */
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** Shown instead of a list without rows: says what to do next. */
export function Empty({ title, children, actions }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {actions !== undefined && <div class="row">{actions}</div>}
    </div>
  );
}
