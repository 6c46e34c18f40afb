import { describeTimeline, type Timeline, type TimelinePage } from '../../core/items/timeline.ts';
import type { Scope } from '../../core/scope.ts';
import type { Context } from '../context.ts';
import { requireItem } from './require-item.ts';

/**
 * Returns the history of the item under the external id, newest first. The item is read before the journal, so an entry that is
 * being moved between them is found in at least one. Throws Refusal NOT_FOUND.
 */
export async function readTimeline(
  { items, journal }: Pick<Context, 'items' | 'journal'>,
  scope: Scope,
  { externalId, ...page }: TimelinePage & { readonly externalId: string },
): Promise<Timeline> {
  const item = requireItem(await items.findVisible(scope.accountId, externalId), externalId);
  const before = page.before ?? Number.MAX_SAFE_INTEGER;
  // One more than the page shows, to tell whether there is a next page.
  const stored = await journal.listNewest(scope.accountId, item.id, { before, limit: page.limit + 1 });
  return describeTimeline(item, stored, page);
}
