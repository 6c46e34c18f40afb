import { useLanguage } from '../i18n/language.ts';
import { inSwedish } from './swedish-messages.ts';

interface MessageProps {
  /** As the service tells it, in English. */
  readonly text: string;
  readonly class?: string;
}

/** What happened, in the reader's language where it is known there. */
export function Message({ text, class: look }: MessageProps) {
  const language = useLanguage();
  const swedish = language === 'sv' ? inSwedish(text) : undefined;
  return (
    <span class={look} lang={swedish === undefined ? 'en' : 'sv'}>
      {swedish ?? text}
    </span>
  );
}
