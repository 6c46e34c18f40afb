import { Schema } from 'mongoose';
import { defineRows } from '../../../platform/database/connection.ts';
import { accountsIndex, listIndex, problemIndex, termIndex } from './item-list-fields.ts';
import type { ItemRow } from './item-row.ts';

export const classIndex = { accountId: 1, isListed: 1, inventoryClass: 1 } as const;

const schema = new Schema();
schema.set('shardKey', { accountId: 1, externalId: 1 });
// A partial index is used only by a query that repeats its condition, which is the reason for each `$type` in the queries.
// Partial, so that any number of tombstones may carry an external id that is in use again (protocol 5).
schema.index({ accountId: 1, externalId: 1 }, { unique: true, partialFilterExpression: { current: true } });
schema.index({ accountId: 1, externalId: 1, sequence: -1 }, { partialFilterExpression: { current: false } });
// What a relay starts, of all accounts, and how much bulk work is under way. Then bulk work that waits, by account.
schema.index({ bulk: 1, startAt: 1 }, { name: 'owed', partialFilterExpression: { startAt: { $type: 'date' } } });
schema.index({ accountId: 1, startAt: 1 }, { name: 'bulk', partialFilterExpression: { bulk: 'waits' } });
schema.index({ accountId: 1, 'listings.adId': 1 }, { partialFilterExpression: { 'listings.adId': { $exists: true } } });
schema.index(
  { accountId: 1, 'processing.waitingFor': 1, 'processing.notBefore': 1 },
  { partialFilterExpression: { 'processing.waitingFor': { $type: 'string' } } },
);

// For operators (operations/stuck-rows.ts): the longest blocked first, of all accounts or of one.
const isBlocked = { partialFilterExpression: { blockedReason: { $type: 'string' } } } as const;
schema.index({ blockedReason: 1, blockedSince: 1, _id: 1 }, isBlocked);
schema.index({ accountId: 1, blockedReason: 1, blockedSince: 1, _id: 1 }, isBlocked);

schema.index({ accountId: 1 }, { partialFilterExpression: { isWatched: true } });
// The database deletes tombstones at rest (protocol 5).
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0, partialFilterExpression: { purgeAt: { $type: 'date' } } });
// With `purgeAt`, so that the search for an image reads one document even when thousands of tombstones used that image.
schema.index(
  { accountId: 1, 'imageSet.images.contentHash': 1, purgeAt: 1 },
  { partialFilterExpression: { 'imageSet.images.contentHash': { $type: 'string' } } },
);

// The list (item-list.ts).
for (const order of ['created', 'changed'] as const)
  for (const hasDomain of [false, true])
    schema.index(listIndex(order, hasDomain), { partialFilterExpression: { isListed: true } });
schema.index(termIndex);
schema.index(problemIndex, isBlocked);
schema.index(accountsIndex, { partialFilterExpression: { isListed: true } });

// The inventory, without tombstones: it covers the query, so no document is read.
schema.index(classIndex, { partialFilterExpression: { isListed: true } });

/** For the files of this folder and for operators' queries. */
export const itemCollection = defineRows<ItemRow>('items', schema);
