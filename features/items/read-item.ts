import { describeItem, describeListEntry, describeStatus, type ListedItem } from './rules/describe-item.ts';
import { problem } from '../rules/field-problems.ts';
import type { Item } from './rules/item.ts';
import type { Processing } from './rules/processing.ts';
import { canRetry } from './rules/retry-item.ts';
import { blockedReasonOf } from '../operations/rules/explain-wait.ts';
import { describeTimeline, type TimelinePage } from './rules/timeline.ts';
import type { Scope } from '../rules/scope.ts';
import { writeItemListCursor, type ItemListQuery } from '../../schemas/items/item-list.ts';
import { badQuery } from '../../schemas/query.ts';
import { isOperator } from '../accounts/store/accounts.ts';
import type { ItemStore } from './store/items.ts';
import { listNewestEntries } from './store/journal.ts';
import type { Context } from '../context.ts';
import { imageAddress } from '../images/hosted-image.ts';
import { itemTag, requireItem, wholeItemTag } from './write-item.ts';

/** Status from the database alone. Throws Refusal NOT_FOUND for an id the account has no item under. */
export async function readItemStatus({ items }: Pick<Context, 'items'>, scope: Scope, externalId: string) {
  const item = await requireVisible(items, scope, externalId);
  return { status: describeStatus(item), tag: itemTag(item) };
}

/** Everything about the item. Throws as {@link readItemStatus}. */
export async function readItem(
  { items, imagesUrl }: Pick<Context, 'items' | 'imagesUrl'>,
  scope: Scope,
  externalId: string,
) {
  const item = await requireVisible(items, scope, externalId);
  return { item: describeFully(item, imagesUrl), tag: wholeItemTag(item) };
}

const describeFully = (item: Item, imagesUrl: string) =>
  describeItem(item, (hash, size) => imageAddress(imagesUrl, item.accountId, hash, size));

/** The current item, else the newest archived one. Throws Refusal NOT_FOUND. */
export const requireVisible = async (items: ItemStore, scope: Scope, externalId: string): Promise<Item> =>
  requireItem(await items.findVisible(scope.accountId, externalId), externalId);

/** Returns the full description of the item, as the dashboard shows it to the signed-in user. Throws Refusal NOT_FOUND. */
export async function readPartnerItem(
  { store, items, imagesUrl, now, workflowOf }: Pick<Context, 'store' | 'items' | 'imagesUrl' | 'now' | 'workflowOf'>,
  scope: Scope,
  externalId: string,
) {
  const [item, seesWorkflow] = await Promise.all([
    requireVisible(items, scope, externalId),
    isOperator(store, scope.actingAccountId),
  ]);
  const workflow = seesWorkflow ? workflowOf(item) : null;
  const description = describeFully(item, imagesUrl);
  const processing = { ...description.processing, ...timesOf(item.processing) };
  return {
    item: {
      ...description,
      processing,
      problem: blockedReasonOf(item)?.reason ?? null,
      canRetry: canRetry(item, now()),
      workflow,
    },
    tag: wholeItemTag(item),
  };
}

const timesOf = ({ since, waitingFor, notBefore }: Processing) => ({
  since: since?.toISOString() ?? null,
  nextTryAt: waitingFor === null ? null : (notBefore?.toISOString() ?? null),
});

/**
 * Returns the history of the item under the external id, newest first. The item is read before the journal, so an entry that is
 * being moved between them is found in at least one. Throws Refusal NOT_FOUND.
 */
export async function readTimeline(
  { items, store }: Pick<Context, 'items' | 'store'>,
  scope: Scope,
  { externalId, ...page }: TimelinePage & { readonly externalId: string },
) {
  const item = requireItem(await items.findVisible(scope.accountId, externalId), externalId);
  const before = page.before ?? Number.MAX_SAFE_INTEGER;
  // One more than the page shows, to tell whether there is a next page.
  const stored = await listNewestEntries(store, item, { before, limit: page.limit + 1 });
  return describeTimeline(item, stored, page);
}

export type ItemListPage = Awaited<ReturnType<typeof listItems>>;

/**
 * Returns one page of an account's items, newest first. An item that exists and matches the filter throughout comes exactly once,
 * because its time of creation never changes. With `updatedSince` the order is that of the changes, oldest first. Then a changed
 * item comes again, and a reader that continues with `nextUpdatedSince` misses no change.
 * Throws Refusal BAD_REQUEST for the cursor of another account.
 */
export async function listItems(context: Pick<Context, 'itemList' | 'imagesUrl'>, scope: Scope, query: ItemListQuery) {
  const { items, ...next } = await walkItems(context, scope, query);
  const tellsProblem = query.filter.problem !== undefined;
  const thumbnailUrl = (item: ListedItem) => (contentHash: string) =>
    imageAddress(context.imagesUrl, item.accountId, contentHash, 'thumb');
  return { items: items.map((item) => describeListEntry(item, thumbnailUrl(item), { tellsProblem })), ...next };
}

/** The same page with the items themselves. */
export async function walkItems(
  { itemList }: Pick<Context, 'itemList'>,
  { accountId: account }: Scope,
  { cursor, filter, limit }: ItemListQuery,
) {
  if (cursor !== null && cursor.account !== account) throw badQuery([problem('cursor', 'foreign_cursor')]);
  const { updatedSince } = filter;
  // Read before the items: a reader that pauses between two pages must not miss writes from the meantime.
  const settledUntil = cursor?.settledUntil ?? (updatedSince && (await itemList.settledUntil(account)));
  const { items, end } = await itemList.walk(account, filter, { after: cursor?.place, limit });
  return {
    items,
    nextCursor: end === null ? null : writeItemListCursor({ account, place: end, settledUntil }, filter),
    nextUpdatedSince: end === null ? (settledUntil?.toISOString() ?? null) : null,
  };
}
