import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { roundDuration } from '../bulk-syncs/bulk-progress.ts';
import { bulkSyncTexts } from './texts.ts';

/** `40 s`, `3 min` from seconds. */
export function useDuration(): (seconds: number) => string {
  const t = useTexts(bulkSyncTexts);
  const format = useFormat();
  return (seconds) => {
    const { unit, count } = roundDuration(seconds);
    return t[unit](format.number(count));
  };
}
