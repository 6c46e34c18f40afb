import { useTexts } from '../i18n/define-texts.ts';
import { eventTexts } from './event-texts.ts';
import { deliveredTypes } from './event-types.ts';

/** What an event is called, with the name that programs know it by. */
export function EventName({ type }: { readonly type: string }) {
  const words = useEventWords()(type);
  return (
    <span>
      {words !== type && `${words} `}
      <code class="muted small">{type}</code>
    </span>
  );
}

/** What events are called; one that is not known here by its own name. */
export function useEventWords(): (type: string) => string {
  const words = useTexts(eventTexts);
  return (type) => {
    const known = deliveredTypes.find((one) => one === type);
    return known === undefined ? type : words[known];
  };
}
