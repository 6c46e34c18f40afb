import type { mongo } from 'mongoose';
import pLimit from 'p-limit';
import { itemId, type AccountId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import type { ItemRow } from './item-row.ts';

/** The fields that are read of an item that is no longer current. */
export type FormerItem = Pick<Item, 'id' | 'externalId' | 'revision' | 'sequence' | 'acceptedAt' | 'appliedChunks'>;

/** Sort orders for one external id and for several. Both follow the index, so that only the wanted rows are read. */
export const newestFirst = { sort: { sequence: -1 } } as const;

const newestOfEach = { sort: { externalId: 1, sequence: -1 } } as const;

const formerFields = { externalId: 1, revision: 1, sequence: 1, acceptedAt: 1, appliedChunks: 1 } as const;
type FormerRow = Pick<ItemRow, '_id' | keyof typeof formerFields>;
type StoredFormer = Partial<FormerRow> & Omit<FormerRow, 'acceptedAt' | 'appliedChunks'>;

/**
 * Former items that are read for each external id. The newest has the highest sequence and was accepted last. The item
 * that an earlier attempt of a chunk wrote is among them, unless the item was deleted and pushed again that often
 * meanwhile.
 */
export const formersMax = 20;
const readsAtOnce = 8;

async function eachOf<Row>(ids: readonly string[], read: (id: string) => Promise<Row[]>): Promise<Row[]> {
  const limit = pLimit(readsAtOnce);
  const found = await Promise.all(ids.map((id) => limit(() => read(id))));
  return found.flat();
}

/** The newest former item of each external id that has one. A majority read. */
export async function findNewestFormer(
  items: mongo.Collection<ItemRow>,
  account: AccountId,
  externalIds: readonly string[],
): Promise<Map<string, Pick<Item, 'sequence'>>> {
  const read = (ids: readonly string[], limit: number): Promise<Pick<ItemRow, 'externalId' | 'sequence'>[]> =>
    items
      .find(
        { accountId: account, externalId: { $in: [...ids] }, current: false },
        { ...newestOfEach, projection: { _id: 0, externalId: 1, sequence: 1 }, limit },
      )
      .toArray();
  const limit = externalIds.length === 1 ? 1 : externalIds.length + formersMax;
  const together = await read(externalIds, limit);
  const isWhole = externalIds.length === 1 || together.length < limit;
  const rows = isWhole ? together : (await Promise.all(externalIds.map((id) => read([id], 1)))).flat();
  const newestOf = new Map<string, Pick<Item, 'sequence'>>();
  for (const { externalId, sequence } of rows) if (!newestOf.has(externalId)) newestOf.set(externalId, { sequence });
  return newestOf;
}

/** At least the newest `formersMax` of each external id, newest first; the ids are in no order. A majority read. */
export async function findFormer(
  items: mongo.Collection<ItemRow>,
  account: AccountId,
  externalIds: readonly string[],
): Promise<FormerItem[]> {
  if (externalIds.length === 0) return [];
  const read = (ids: readonly string[], limit: number): Promise<StoredFormer[]> =>
    items
      .find<StoredFormer>(
        { accountId: account, externalId: { $in: [...ids] }, current: false },
        { ...newestOfEach, projection: formerFields, limit },
      )
      .toArray();
  const limit = externalIds.length + formersMax;
  const together = await read(externalIds, limit);
  // The limit was reached: an id that was deleted many times may crowd out the others, so each id is read by itself.
  const rows = together.length < limit ? together : await eachOf(externalIds, (id) => read([id], formersMax));
  return rows.map(({ _id, acceptedAt = null, appliedChunks = [], ...row }) => ({
    ...row,
    id: itemId(_id),
    acceptedAt,
    appliedChunks,
  }));
}
