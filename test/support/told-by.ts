import { inEnglish } from '../../features/items/rules/history-in-english.ts';
import type { Item } from '../../features/items/rules/item.ts';

/** What the newest entry that the item carries says, in English; empty when it carries none. */
export function toldBy({ journal }: Item): string {
  const newest = journal.at(-1);
  return newest === undefined ? '' : inEnglish(newest);
}
