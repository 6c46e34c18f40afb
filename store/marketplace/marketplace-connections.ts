import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../core/ids.ts';
import { defineCollection, type StoreConnection } from '../database/connection.ts';
import { batchReads, perStore } from '../batching/batch.ts';

/** A partner's account on the marketplace, and how far its feeds have been read. */
export interface MarketplaceConnectionRow {
  readonly _id: AccountId;
  readonly marketplaceUserId: string;
  readonly tokenEncrypted: string;
  /** `removed`: the token is forgotten; the row stays, because what the feeds had told is still true. */
  readonly state: 'connected' | 'expired' | 'removed';
  /** Items that waited for a connection are still to be made due; the sweep clears it when that is done (protocol 4). */
  readonly resumeOwed: boolean;
  /** When its waiting items last had their turn, or began to wait for one: whoever waits longest is next. */
  readonly resumeTurnAt?: Date;
  /** When the feeds are read next; absent while nothing is live. */
  readonly nextLookAt?: Date;
  /** Raised whenever something of this account goes live, so that a look that saw nothing live can't switch off a newer one. */
  readonly liveMark: number;
  readonly updatesCursor?: Date;
  readonly transactionsCursor?: Date;
  readonly connectedAt: Date;
  readonly updatedAt: Date;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    marketplaceUserId: { type: String, required: true },
    tokenEncrypted: { type: String, default: '' },
    state: { type: String, required: true, enum: ['connected', 'expired', 'removed'] },
    resumeOwed: { type: Boolean, required: true },
    resumeTurnAt: Date,
    nextLookAt: Date,
    liveMark: { type: Number, required: true },
    updatesCursor: Date,
    transactionsCursor: Date,
    connectedAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ nextLookAt: 1 }, { partialFilterExpression: { nextLookAt: { $exists: true } } });
schema.index({ resumeTurnAt: 1 }, { partialFilterExpression: { resumeOwed: true } });
// Counted for those who run the service.
schema.index({ state: 1 });

/** The feed reader and the sweep work on the same model. */
export const marketplaceConnections = defineCollection<MarketplaceConnectionRow>('marketplace_connections', schema);

export function findMarketplaceConnection(
  store: StoreConnection,
  accountId: AccountId,
  session?: ClientSession,
): Promise<MarketplaceConnectionRow | null> {
  return marketplaceConnections(store)
    .findById(accountId)
    .session(session ?? null)
    .lean<MarketplaceConnectionRow>()
    .exec();
}

/** null: no marketplace account is connected. Asked for each push that wants to be published. */
export async function findConnectionState(
  store: StoreConnection,
  accountId: AccountId,
): Promise<'connected' | 'expired' | null> {
  return (await connectionStates(store)(accountId, accountId)) ?? null;
}

const connectionStates = perStore((store: StoreConnection) =>
  batchReads<AccountId, 'connected' | 'expired'>(async (accountId) => {
    const { state = 'removed' } = (await findMarketplaceConnection(store, accountId)) ?? {};
    return new Map(state === 'removed' ? [] : [[accountId, state]]);
  }),
);

/**
 * Stores new credentials and, in the same write, that what an expired token had stopped is owed another try and that the feeds are read at once. The cursors of
 * the feeds stay: what happened while the token was expired is still read. In a transaction that has read the row, it replaces
 * just what was read: any other write in between (a reconnection, something that goes live) makes the transaction begin anew.
 */
export function connectMarketplace(
  store: StoreConnection,
  accountId: AccountId,
  credentials: { marketplaceUserId: string; tokenEncrypted: string; now: Date; session?: ClientSession },
): Promise<MarketplaceConnectionRow> {
  const { now, session, ...given } = credentials;
  return marketplaceConnections(store)
    .findOneAndUpdate(
      { _id: accountId },
      {
        $set: {
          ...{ ...given, state: 'connected', nextLookAt: now, connectedAt: now, updatedAt: now },
          ...{ resumeOwed: true, resumeTurnAt: now },
        },
        // Fixed at the first connection: a later one reads on from there, however long it was away.
        $setOnInsert: { liveMark: 0, updatesCursor: now, transactionsCursor: now },
      },
      { upsert: true, returnDocument: 'after', session: session ?? null },
    )
    .lean<MarketplaceConnectionRow>()
    .exec();
}

/**
 * Forgets the token. The cursors stay, so that auctions that end meanwhile are still learnt of after a new connection.
 * Answers false when nothing was connected.
 */
export async function removeMarketplaceConnection(
  store: StoreConnection,
  accountId: AccountId,
  { now, session }: { now: Date; session?: ClientSession },
): Promise<boolean> {
  const result = await marketplaceConnections(store).updateOne(
    { _id: accountId, state: { $ne: 'removed' } },
    // Items that wait for a reconnection look again: what they wait for is another one now.
    { $set: { state: 'removed', tokenEncrypted: '', resumeOwed: true, resumeTurnAt: now, updatedAt: now } },
    session === undefined ? {} : { session },
  );
  return result.modifiedCount === 1;
}
