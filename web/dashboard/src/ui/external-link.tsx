import type { ComponentChildren } from 'preact';
import { useTexts } from '../i18n/define-texts.ts';
import { Icon } from './icon.tsx';
import { uiTexts } from './texts.ts';

/** A link out of the dashboard, in a tab of its own. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const t = useTexts(uiTexts);
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      {/* On one line with the last word. */}
      {'\u00a0'}
      <Icon name="external" />
      <span class="unseen"> {t.opensElsewhere}</span>
    </a>
  );
}
