import { Schema, type ClientSession } from 'mongoose';
import type { AccountId, OrderId } from '../../rules/ids.ts';
import type { Buyer } from '../rules/order.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';

/**
 * The buyer of an order and the delivery address. Only these rows name a buyer; of a shipment the order itself has carrier
 * and tracking number. The database deletes a row at `purgeAt`, or the operator does at the buyer's request
 * (docs/personal-data.md).
 */
export interface BuyerRow extends Buyer {
  readonly _id: OrderId;
  readonly accountId: AccountId;
  /** The email address in lower case, for searches. */
  readonly emailKey: string | null;
  /** Days from the order's last step until the row is deleted. */
  readonly keptDays: number;
  readonly storedAt: Date;
  readonly purgeAt: Date;
  /** `<credential>/<YYYY-MM-DD>` of each reading that the account's log contains. */
  readonly readBy: readonly string[];
}

const schema = new Schema();
schema.set('shardKey', { accountId: 1 });
schema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });
// A buyer who asks for stored data is searched over all sellers.
schema.index({ emailKey: 1 });
schema.index({ marketplaceUserId: 1 });
const buyers = defineRows<BuyerRow>('order_buyers', schema);

const dayMs = 86_400_000;

interface OfOrder {
  readonly orderId: OrderId;
  readonly session?: ClientSession;
}

/**
 * Stores or replaces the buyer of an order; logged readings stay. Returns false, and stores nothing, when the retention
 * time has passed.
 */
export async function storeBuyer(
  store: StoreConnection,
  { _id, accountId, ...buyer }: Omit<BuyerRow, 'readBy' | 'purgeAt' | 'emailKey'>,
  { lastStepAt, now, session }: { lastStepAt: Date; now: Date; session: ClientSession },
): Promise<boolean> {
  const purgeAt = new Date(lastStepAt.getTime() + buyer.keptDays * dayMs);
  if (purgeAt <= now) return false;
  const set = { ...buyer, emailKey: buyer.email?.toLowerCase() ?? null, purgeAt };
  const change = { $set: set, $setOnInsert: { readBy: [] } };
  await buyers(store).updateOne({ _id, accountId }, change, { upsert: true, session });
  return true;
}

/** Each step of an order restarts the retention, because the seller may need the buyer until the order is over. */
export async function keepBuyerLonger(
  store: StoreConnection,
  accountId: AccountId,
  { orderId, lastStepAt, session }: OfOrder & { readonly lastStepAt: Date; readonly session: ClientSession },
): Promise<void> {
  const purgeAt = { $add: [lastStepAt, { $multiply: ['$keptDays', dayMs] }] };
  await buyers(store).updateOne({ _id: orderId, accountId }, [{ $set: { purgeAt } }], { session });
}

/**
 * The buyer of an order; null when it is unknown, or its retention has passed. The database deletes up to a minute late, so
 * the time is checked here, too.
 */
export function findBuyer(
  store: StoreConnection,
  account: AccountId,
  { orderId, now }: OfOrder & { readonly now: Date },
): Promise<BuyerRow | null> {
  return buyers(store).findOne({ _id: orderId, accountId: account, purgeAt: { $gt: now } });
}

/** Marks a reading. Returns false when a reading of the same credential and day is marked already. */
export async function markBuyerRead(
  store: StoreConnection,
  account: AccountId,
  { orderId, reading, session }: OfOrder & { readonly reading: string; readonly session: ClientSession },
): Promise<boolean> {
  const unread = { _id: orderId, accountId: account, readBy: { $ne: reading } };
  return (await buyers(store).updateOne(unread, { $push: { readBy: reading } }, { session })).matchedCount === 1;
}

/** How a buyer is identified: by email address in any case, or by the marketplace's user id. */
export type BuyerKey = { readonly email: string } | { readonly marketplaceUserId: string };

/** Every row of one buyer, of all sellers: for operators only. */
export function findRowsOfBuyer(store: StoreConnection, key: BuyerKey): Promise<BuyerRow[]> {
  const by = 'email' in key ? { emailKey: key.email.trim().toLowerCase() } : key;
  return buyers(store).find(by).sort({ accountId: 1, _id: 1 }).toArray();
}

/** Deletes the buyer of one order; a buyer with several orders has more rows. For operators only. */
export async function deleteBuyer(
  store: StoreConnection,
  accountId: AccountId,
  { orderId, session }: OfOrder & { readonly session: ClientSession },
): Promise<void> {
  await buyers(store).deleteOne({ _id: orderId, accountId }, { session });
}
