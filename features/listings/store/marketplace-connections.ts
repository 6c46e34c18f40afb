import { Schema, type ClientSession } from 'mongoose';
import type { AccountId } from '../../rules/ids.ts';
import type { ListingDefaults } from '../rules/listing-terms.ts';
import { batchReads, perStore } from '../../../platform/database/batch.ts';
import { defineCollection, type StoreConnection } from '../../../platform/database/connection.ts';
import { readFeedEpoch } from '../../webhooks/store/feed-epoch.ts';

/** A partner's account on the marketplace, and how far looks at it have come. */
export interface MarketplaceConnectionRow {
  readonly _id: AccountId;
  readonly marketplaceUserId: string;
  /** Only in a sandbox's row: the user belongs to the simulated marketplace. */
  readonly isSandbox?: true;
  readonly tokenEncrypted: string;
  /** `removed`: the token is erased; the row stays, because the feeds' cursors are still valid. */
  readonly state: 'connected' | 'expired' | 'removed';
  /** Items that waited for a connection must still be made due. A loop clears the mark when that is done. */
  readonly resumeOwed: boolean;
  /** When its waiting items last had a turn, or began to wait for one. The account that has waited longest is next. */
  readonly resumeTurnAt?: Date;
  /** When the feeds are read next; absent when nothing is live and nothing was for long. */
  readonly nextLookAt?: Date;
  /**
   * When the database was found restored to an earlier moment. Nothing of the account is published until a look has found what came up
   * since. The mark stays while auctions run that belong to no item: one that is pushed again takes its own over.
   */
  readonly restoredAt?: Date;
  /** Since when nothing is live. */
  readonly quietSince?: Date;
  /**
   * Raised whenever a listing of this account goes live, so that a poll that saw none live can't stop polling for a newer one.
   */
  readonly liveMark: number;
  /** When the last complete look at the seller began, and when its sales were read last. */
  readonly lookedAt?: Date;
  readonly salesReadAt?: Date;
  /** The marketplace's highest row version at the last look: a number of any length. */
  readonly changeMark?: string;
  /** When the marketplace ends the token; absent when it did not say. */
  readonly tokenExpiresAt?: Date;
  /** The end of which the account was warned. */
  readonly warnedOf?: Date;
  readonly connectedAt: Date;
  readonly updatedAt: Date;
}

const schema = new Schema(
  {
    _id: { type: String, required: true },
    marketplaceUserId: { type: String, required: true },
    isSandbox: Boolean,
    tokenEncrypted: { type: String, default: '' },
    state: { type: String, required: true, enum: ['connected', 'expired', 'removed'] },
    resumeOwed: { type: Boolean, required: true },
    resumeTurnAt: Date,
    nextLookAt: Date,
    restoredAt: Date,
    quietSince: Date,
    liveMark: { type: Number, required: true },
    lookedAt: Date,
    salesReadAt: Date,
    changeMark: String,
    tokenExpiresAt: Date,
    warnedOf: Date,
    connectedAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw' },
);
schema.index({ nextLookAt: 1 }, { partialFilterExpression: { nextLookAt: { $exists: true } } });
schema.index({ resumeTurnAt: 1 }, { partialFilterExpression: { resumeOwed: true } });
schema.index({ tokenExpiresAt: 1 }, { partialFilterExpression: { tokenExpiresAt: { $type: 'date' } } });
// For the operator's counts of connections.
schema.index({ state: 1 });

/** The database was restored, and no look has read since what is up. */
export const isUnseen = ({
  restoredAt,
  lookedAt,
}: Pick<MarketplaceConnectionRow, 'restoredAt' | 'lookedAt'>): boolean =>
  restoredAt !== undefined && (lookedAt === undefined || lookedAt < restoredAt);

export const marketplaceConnections = defineCollection<MarketplaceConnectionRow>('marketplace_connections', schema);

/** The account's connection, `removed` ones included; null when it never had one. */
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

/** null when no marketplace account is connected. Read for each push that asks for publication. */
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

/** So long after a restore, auctions of a connection that it has forgotten may still run, or be sold. */
const forgottenMs = 30 * 86_400_000;

/**
 * Stores new credentials. The same write marks that work stopped by an expired token must be retried, and makes the feeds due at
 * once. The cursors of the feeds stay, so that events from the time without a token are still read. In a transaction that has
 * read the row, any other write in between (a reconnection, a listing that goes live) restarts the transaction.
 */
export async function connectMarketplace(
  store: StoreConnection,
  accountId: AccountId,
  credentials: {
    marketplaceUserId: string;
    isSandbox?: true;
    tokenEncrypted: string;
    /** When the marketplace ends the token; null when it did not say. */
    tokenExpiresAt: Date | null;
    now: Date;
    session?: ClientSession;
  },
): Promise<MarketplaceConnectionRow> {
  const { now, session, tokenExpiresAt, ...given } = credentials;
  // A restored database may have forgotten an earlier connection, under which auctions came up.
  const { restoredTo, drawnAt } = await readFeedEpoch(store);
  const first =
    restoredTo === null || drawnAt === null || now.getTime() - drawnAt.getTime() > forgottenMs
      ? { lookedAt: now, salesReadAt: now }
      : { lookedAt: restoredTo, salesReadAt: restoredTo, restoredAt: now };
  return marketplaceConnections(store)
    .findOneAndUpdate(
      { _id: accountId },
      {
        $set: {
          ...given,
          state: 'connected',
          nextLookAt: now,
          connectedAt: now,
          updatedAt: now,
          resumeOwed: true,
          resumeTurnAt: now,
          ...(tokenExpiresAt !== null && { tokenExpiresAt }),
        },
        ...(tokenExpiresAt === null && { $unset: { tokenExpiresAt: 1, warnedOf: 1 } }),
        // Set at the first connection only: a later one continues from there, however long the account was disconnected.
        $setOnInsert: { liveMark: 0, ...first },
      },
      { upsert: true, returnDocument: 'after', session: session ?? null },
    )
    .lean<MarketplaceConnectionRow>()
    .exec();
}

/**
 * Erases the token. The cursors stay, so that auctions that end meanwhile are still found after a new connection. Returns false
 * when no account was connected.
 */
export async function removeMarketplaceConnection(
  store: StoreConnection,
  accountId: AccountId,
  { now, session }: { now: Date; session?: ClientSession },
): Promise<boolean> {
  const result = await marketplaceConnections(store).updateOne(
    { _id: accountId, state: { $ne: 'removed' } },
    // Items that wait for a reconnection are made due, because their reason to wait has changed.
    { $set: { state: 'removed', tokenEncrypted: '', resumeOwed: true, resumeTurnAt: now, updatedAt: now } },
    session === undefined ? {} : { session },
  );
  return result.modifiedCount === 1;
}

/** The terms of an account's auctions. An account without a row has set none. */
interface ListingDefaultsRow {
  readonly _id: AccountId;
  readonly terms: ListingDefaults;
  readonly updatedAt: Date;
}

const defaultsSchema = new Schema(
  {
    _id: { type: String, required: true },
    terms: { type: Schema.Types.Mixed, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', minimize: false },
);

const listingDefaults = defineCollection<ListingDefaultsRow>('listing_defaults', defaultsSchema);

/** The account's terms; `{}` when it has set none. */
export async function findListingDefaults(store: StoreConnection, accountId: AccountId): Promise<ListingDefaults> {
  const row = await listingDefaults(store).findById(accountId).lean<ListingDefaultsRow>().exec();
  return row?.terms ?? {};
}

/** Part of a transaction. All terms are replaced. */
export async function setListingDefaults(
  store: StoreConnection,
  accountId: AccountId,
  { terms, now, session }: { terms: ListingDefaults; now: Date; session: ClientSession },
): Promise<void> {
  const change = { $set: { terms, updatedAt: now } };
  await listingDefaults(store).updateOne({ _id: accountId }, change, { upsert: true, session });
}
