import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { mongo } from 'mongoose';
import pLimit from 'p-limit';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { ItemRow } from '../../features/items/store/item-row.ts';

/** Runs chunks of work, so many at once; the time until the last one has ended, in ms. */
export async function timedChunks(chunks: readonly (() => Promise<unknown>)[], atOnce: number): Promise<number> {
  const limit = pLimit(atOnce);
  const startedAt = performance.now();
  await Promise.all(chunks.map((chunk) => limit(chunk)));
  return performance.now() - startedAt;
}

/** The floor for many items at once: upserts by `bulkWrite` into a collection of its own with the indexes of the product's. */
export interface BareCollection {
  /** One `bulkWrite` of upserts, journaled by a majority. */
  upsert(rows: readonly ItemRow[]): () => Promise<unknown>;
  drop(): Promise<unknown>;
}

export async function bareCollection({ connection }: StoreConnection): Promise<BareCollection> {
  const collection = connection.collection<ItemRow>(`bare${randomBytes(5).toString('hex')}`);
  await collection.createIndexes(await ownIndexes(connection.collection('items')));
  return {
    upsert: (rows) => {
      const upserts = rows.map(({ _id, accountId, externalId, current, ...rest }) => ({
        updateOne: {
          filter: { accountId, externalId, current },
          update: { $set: rest, $setOnInsert: { _id } },
          upsert: true,
        },
      }));
      return () => collection.bulkWrite(upserts, { ordered: false, writeConcern: { w: 'majority', journal: true } });
    },
    drop: () => collection.drop(),
  };
}

/** A collection's indexes, without what the server adds when it lists them, and does not take when it makes them. */
export async function ownIndexes(collection: {
  indexes(): Promise<mongo.IndexDescriptionInfo[]>;
}): Promise<mongo.IndexDescription[]> {
  const indexes = (await collection.indexes()) as mongo.IndexDescription[];
  return indexes
    .filter(({ name }) => name !== '_id_')
    .map(({ key, unique, partialFilterExpression, expireAfterSeconds, name }) => ({
      key,
      ...(name !== undefined && { name }),
      ...(unique === true && { unique }),
      ...(partialFilterExpression !== undefined && { partialFilterExpression }),
      ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
    }));
}
