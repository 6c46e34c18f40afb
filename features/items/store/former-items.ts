import pLimit from 'p-limit';
import type { AccountId } from '../../rules/ids.ts';
import type { Item } from '../rules/item.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { firstSequence } from '../../webhooks/store/feed-epoch.ts';
import { itemCollection } from './item-collection.ts';

/** What is read of an item that is no longer current. */
export type FormerItem = Pick<Item, 'externalId' | 'sequence' | 'acceptedAt'>;

/** Sort orders for one external id and for several. Both follow the index, so that only the wanted rows are read. */
export const newestFirst = { sort: { sequence: -1 } } as const;

const newestOfEach = { sort: { externalId: 1, sequence: -1 } } as const;

/** The rows that are read beyond one of each external id, before each is read by itself. */
export const formersMax = 20;
const readsAtOnce = 8;

/** The newest former item of each external id that has one, or may have had one before a restore. A majority read. */
export async function findNewestFormer(
  store: StoreConnection,
  account: AccountId,
  externalIds: readonly string[],
): Promise<Map<string, FormerItem>> {
  if (externalIds.length === 0) return new Map();
  const read = (ids: readonly string[], limit: number): Promise<FormerItem[]> =>
    itemCollection(store)
      .find(
        { accountId: account, externalId: { $in: [...ids] }, current: false },
        { ...newestOfEach, projection: { _id: 0, externalId: 1, sequence: 1, acceptedAt: 1 }, limit },
      )
      .toArray();
  const limit = externalIds.length === 1 ? 1 : externalIds.length + formersMax;
  const together = await read(externalIds, limit);
  const isWhole = externalIds.length === 1 || together.length < limit;
  // The limit was reached: an id that was deleted many times may crowd out the others, so each id is read by itself.
  const alone = pLimit(readsAtOnce);
  const rows = isWhole ? together : (await Promise.all(externalIds.map((id) => alone(() => read([id], 1))))).flat();
  const newestOf = new Map<string, FormerItem>();
  for (const row of rows) if (!newestOf.has(row.externalId)) newestOf.set(row.externalId, row);
  const sequence = await firstSequence(store);
  for (const externalId of sequence > 0 ? externalIds : [])
    if (!newestOf.has(externalId)) newestOf.set(externalId, { externalId, sequence, acceptedAt: null });
  return newestOf;
}
