import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import { defineRows, type StoreConnection } from '../../../platform/database/connection.ts';

/**
 * An account asks to become the member of a reseller that approves its members. An account asks one reseller at a time. The
 * row is deleted when the account joins, is declined or gives up, and 30 days after it was stored.
 */
export interface JoinRequestRow {
  /** The account that asks. */
  readonly _id: AccountId;
  readonly resellerAccountId: AccountId;
  /** The invitation with which it came, which the joining uses up; null without one. */
  readonly invitationId: string | null;
  /** The reference in that invitation; null: the member's user id. */
  readonly externalId: string | null;
  readonly sharesOrders: boolean;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
}

const schema = new Schema();
schema.index({ resellerAccountId: 1, requestedAt: 1, _id: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const requests = defineRows<JoinRequestRow>('join_requests', schema);

/** With the name and the address of the account that asks. */
export interface ListedJoinRequest extends JoinRequestRow {
  readonly name: string;
  readonly email: string;
}

/** The requests to a reseller, the oldest first. */
export const listJoinRequests = (store: StoreConnection, resellerAccountId: AccountId): Promise<ListedJoinRequest[]> =>
  requests(store)
    .aggregate<ListedJoinRequest>([
      { $match: { resellerAccountId } },
      { $sort: { requestedAt: 1, _id: 1 } },
      { $lookup: { from: 'accounts', localField: '_id', foreignField: '_id', as: 'account' } },
      { $unwind: '$account' },
      { $set: { name: '$account.name', email: '$account.email' } },
      { $unset: 'account' },
    ])
    .toArray();

/** What the account asks for now; null when it asks no reseller. */
export const findJoinRequest = (
  store: StoreConnection,
  account: AccountId,
  session?: ClientSession,
): Promise<JoinRequestRow | null> => requests(store).findOne({ _id: account }, { ...(session && { session }) });

/** In place of an earlier request of the account. */
export async function storeJoinRequest(
  store: StoreConnection,
  { _id, ...row }: JoinRequestRow,
  session: ClientSession,
): Promise<void> {
  await requests(store).replaceOne({ _id }, row, { upsert: true, session });
}

/** No effect for an account that asks no reseller. */
export async function removeJoinRequest(
  store: StoreConnection,
  account: AccountId,
  session: ClientSession,
): Promise<void> {
  await requests(store).deleteOne({ _id: account }, { session });
}
