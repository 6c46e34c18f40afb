import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import './notice.css';

export type NoticeTone = 'info' | 'ok' | 'wait' | 'bad';

interface NoticeProps {
  readonly tone: NoticeTone;
  readonly title?: string;
  readonly children?: ComponentChildren;
  /** What to do about it. */
  readonly actions?: ComponentChildren;
  /** Came up while the person was here: screen readers say it. */
  readonly isNews?: boolean;
}

const icons: Readonly<Record<NoticeTone, IconName>> = { info: 'info', ok: 'check', wait: 'info', bad: 'warning' };

/** Something to know in the course of the page. */
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
