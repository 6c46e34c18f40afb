import type { mongo } from 'mongoose';
import pLimit from 'p-limit';
import { itemId, type AccountId } from '../../core/ids.ts';
import type { Item } from '../../core/items/item.ts';
import type { ItemRow } from './item-row.ts';

/** What is asked of an item that is not current any more. */
export type FormerItem = Pick<Item, 'id' | 'externalId' | 'revision' | 'sequence' | 'acceptedAt' | 'appliedChunks'>;

/** Of one external id, and of several: the order of the index, so that no more is read than is wanted. */
export const newestFirst = { sort: { sequence: -1 } } as const;

const newestOfEach = { sort: { externalId: 1, sequence: -1 } } as const;

const formerFields = { externalId: 1, revision: 1, sequence: 1, acceptedAt: 1, appliedChunks: 1 } as const;
type FormerRow = Pick<ItemRow, '_id' | keyof typeof formerFields>;
type StoredFormer = Partial<FormerRow> & Omit<FormerRow, 'acceptedAt' | 'appliedChunks'>;

/**
 * Of one external id. The newest has the highest sequence and was accepted last; the one that an earlier attempt of a chunk wrote
 * is further back only when the item was deleted and pushed anew that often in the meantime.
 */
export const formersMax = 20;
const readsAtOnce = 8;

async function eachOf<Row>(ids: readonly string[], read: (id: string) => Promise<Row[]>): Promise<Row[]> {
  const limit = pLimit(readsAtOnce);
  const found = await Promise.all(ids.map((id) => limit(() => read(id))));
  return found.flat();
}

/** By majority: the newest alone, of each external id that has one. */
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

/** By majority. Of each external id the newest `formersMax` at least, in no order of the ids, the newest of each first. */
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
  // Some id has been deleted again and again: as many of it as were read would keep the others' from being read.
  const rows = together.length < limit ? together : await eachOf(externalIds, (id) => read([id], formersMax));
  return rows.map(({ _id, acceptedAt = null, appliedChunks = [], ...row }) => ({
    ...row,
    id: itemId(_id),
    acceptedAt,
    appliedChunks,
  }));
}
