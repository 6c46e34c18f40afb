import { Schema } from 'mongoose';
import { itemId, type AccountId, type ItemId } from '../../rules/ids.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';
import type { ItemRow } from '../../items/store/item-row.ts';
import { itemCollection } from '../../items/store/item-collection.ts';

/** External ids of a snapshot, some hundred per row. Rows are small, because the search for left-out items rereads them. */
interface IdsRow {
  readonly _id: string;
  readonly uploadId: string;
  readonly externalIds: readonly string[];
  readonly purgeAt: Date;
}

const schema = new Schema();
schema.set('shardKey', { uploadId: 1 });
schema.index({ uploadId: 1, externalIds: 1 });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
const idRows = defineRows<IdsRow>('bulk_ids', schema);

/** Needed only while the upload is being accepted. */
const keptMs = 86_400_000;

export async function insertIds(
  store: StoreConnection,
  { uploadId, number }: { uploadId: string; number: number },
  { externalIds, now }: { externalIds: readonly string[]; now: Date },
): Promise<void> {
  const purgeAt = new Date(now.getTime() + keptMs);
  await idRows(store).insertOne({ _id: `${uploadId}:${number}`, uploadId, externalIds, purgeAt });
}

export async function deleteIds(store: StoreConnection, uploadId: string): Promise<void> {
  await idRows(store).deleteMany({ uploadId });
}

export interface SnapshotItem {
  readonly itemId: ItemId;
  readonly externalId: string;
  readonly acceptedAt: Date | null;
}

const pageRows = 500;

/**
 * The account's current items of source `integration` that the snapshot leaves out, page by page in the order of their external
 * ids. `seen` is the number of items read for the page.
 */
export async function* findLeftOut(
  store: StoreConnection,
  { accountId, uploadId }: { accountId: AccountId; uploadId: string },
): AsyncGenerator<{ readonly seen: number; readonly leftOut: readonly SnapshotItem[] }> {
  let after = '';
  for (;;) {
    const page = await readPage(store, accountId, after);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.externalId;
    const kept = await findKept(
      store,
      uploadId,
      page.map(({ externalId }) => externalId),
    );
    yield { seen: page.length, leftOut: page.filter(({ externalId }) => !kept.has(externalId)) };
  }
}

async function readPage(store: StoreConnection, accountId: AccountId, after: string): Promise<SnapshotItem[]> {
  const rows = await itemCollection(store)
    .find<Pick<ItemRow, '_id' | 'externalId'> & Partial<Pick<ItemRow, 'acceptedAt'>>>(
      { accountId, externalId: { $gt: after }, current: true, 'extendedAttributes.source': 'integration' },
      { sort: { externalId: 1 }, limit: pageRows, projection: { externalId: 1, acceptedAt: 1 } },
    )
    .toArray();
  return rows.map(({ _id, externalId, acceptedAt = null }) => ({ itemId: itemId(_id), externalId, acceptedAt }));
}

async function findKept(
  store: StoreConnection,
  uploadId: string,
  externalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = [...externalIds];
  const rows = await idRows(store)
    .aggregate<{ found: string[] }>([
      { $match: { uploadId, externalIds: { $in: wanted } } },
      { $project: { _id: 0, found: { $setIntersection: ['$externalIds', { $literal: wanted }] } } },
    ])
    .toArray();
  return new Set(rows.flatMap(({ found }) => found));
}
