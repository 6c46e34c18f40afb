import type { AccountId } from '../../rules/ids.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import {
  findMarketplaceConnection,
  marketplaceConnections,
  type MarketplaceConnectionRow,
} from './marketplace-connections.ts';
import type { Session } from '../../../platform/database/transaction.ts';
import { listEndingTokens, markExpired, warnOfEnd, type EndingConnection } from './ending-tokens.ts';

/** How far looks at a seller have come. */
export type LookMarks = Pick<MarketplaceConnectionRow, 'lookedAt' | 'salesReadAt' | 'changeMark'>;

/** The connections as the looks at sellers and the publisher use them (protocol 8). */
export interface MarketplaceWatch {
  find(account: AccountId): Promise<MarketplaceConnectionRow | null>;
  /** No effect unless the refused token is still the stored one, because a reconnection may have replaced it. */
  markExpired(account: AccountId, tokenEncrypted: string, now: Date): Promise<void>;
  /**
   * A listing of this account is about to go live as `marketplaceUserId`: its feeds are read from `at` on, at the latest. Returns
   * false when the account isn't connected, or is connected as another marketplace user.
   */
  watch(account: AccountId, as: { marketplaceUserId: string; at: Date }): Promise<boolean>;
  /** Claims the connection whose poll is due longest, with a lease until `leaseUntil`; null when none is due. */
  claimLook(now: Date, leaseUntil: Date): Promise<MarketplaceConnectionRow | null>;
  /** Number of accounts whose feeds at the real marketplace are read, without those that are looked at once a day. */
  countWatched(): Promise<number>;
  saveLook(account: AccountId, marks: LookMarks): Promise<void>;
  /** All that came up after a backup belongs to an item, unless the database was restored once more since `row` was read. */
  endRestore(row: MarketplaceConnectionRow): Promise<void>;
  scheduleLook(account: AccountId, at: Date): Promise<void>;
  /** Connections whose token has ended, or ends until then and nothing was said about it; the next to end first. */
  listEndingTokens(when: { readonly now: Date; readonly until: Date }, limit: number): Promise<EndingConnection[]>;
  /** Sends the notice of a token that ends, once. */
  warnOfEnd(row: EndingConnection, now: Date): Promise<void>;
  /** Looks again at `at`, because nothing is live since `quietSince`, unless a listing went live since `row` was read. */
  lookSeldom(row: MarketplaceConnectionRow, next: { readonly at: Date; readonly quietSince: Date }): Promise<void>;
  /** Stops polling because nothing is live, unless a listing went live since `row` was read. */
  stopLooking(row: MarketplaceConnectionRow): Promise<void>;
  /** Connections whose items must be made due, the longest waiting first. */
  listResumeOwed(limit: number): Promise<MarketplaceConnectionRow[]>;
  /** The connection had its turn and needs more turns: the others come first now. */
  endResumeTurn(row: MarketplaceConnectionRow, now: Date): Promise<void>;
  clearResumeOwed(row: MarketplaceConnectionRow): Promise<void>;
}

/** Makes the account's next look due at once, because the marketplace must be told or asked something. */
export async function requestLook(
  store: StoreConnection,
  account: AccountId,
  { at, session }: { at: Date; session: Session },
): Promise<void> {
  await marketplaceConnections(store).updateOne(
    { _id: account, state: 'connected' },
    { $min: { nextLookAt: at }, $inc: { liveMark: 1 } },
    { session },
  );
}

/** Makes a look at each connected seller due, also where nothing is believed to be up; the others are looked at once connected. Returns the number of the first. */
export async function lookAtAllSellers(store: StoreConnection, now: Date): Promise<number> {
  const { matchedCount } = await marketplaceConnections(store).updateMany(
    { state: 'connected' },
    { $set: { restoredAt: now, nextLookAt: now }, $inc: { liveMark: 1 }, $unset: { changeMark: 1, quietSince: 1 } },
  );
  await marketplaceConnections(store).updateMany({ state: { $ne: 'connected' } }, { $set: { restoredAt: now } });
  return matchedCount;
}

/** The connections, for the feed reader and the publisher. */
export function createMarketplaceWatch(store: StoreConnection): MarketplaceWatch {
  const connections = marketplaceConnections(store);
  return {
    find: (account) => findMarketplaceConnection(store, account),
    markExpired: (account, tokenEncrypted, now) => markExpired(store, { account, tokenEncrypted, now }),
    watch: async (account, { marketplaceUserId, at }) => {
      const filter = { _id: account, state: 'connected' as const, marketplaceUserId };
      const change = { $min: { nextLookAt: at }, $inc: { liveMark: 1 }, $unset: { quietSince: 1 } };
      return (await connections.updateOne(filter, change)).matchedCount === 1;
    },
    claimLook: (now, leaseUntil) =>
      connections
        .findOneAndUpdate(
          { state: 'connected', nextLookAt: { $lte: now } },
          { $set: { nextLookAt: leaseUntil } },
          { sort: { nextLookAt: 1 } },
        )
        .lean<MarketplaceConnectionRow>(),
    countWatched: () =>
      connections.countDocuments({
        nextLookAt: { $exists: true },
        quietSince: { $exists: false },
        isSandbox: { $ne: true },
      }),
    saveLook: async (account, marks) => {
      await connections.updateOne({ _id: account }, { $set: marks });
    },
    endRestore: async ({ _id, restoredAt }) => {
      if (restoredAt !== undefined) await connections.updateOne({ _id, restoredAt }, { $unset: { restoredAt: 1 } });
    },
    scheduleLook: async (account, at) => {
      await connections.updateOne({ _id: account }, { $set: { nextLookAt: at } });
    },
    listEndingTokens: (times, limit) => listEndingTokens(store, times, limit),
    warnOfEnd: (connection, now) => warnOfEnd(store, connection, now),
    lookSeldom: async ({ _id, liveMark }, { at, quietSince }) => {
      await connections.updateOne({ _id, liveMark }, { $set: { nextLookAt: at, quietSince } });
    },
    stopLooking: async ({ _id, liveMark }) => {
      await connections.updateOne({ _id, liveMark }, { $unset: { nextLookAt: 1, quietSince: 1 } });
    },
    listResumeOwed: (limit) =>
      connections
        .find({ resumeOwed: true })
        .sort({ resumeTurnAt: 1 })
        .limit(limit)
        .lean<MarketplaceConnectionRow[]>()
        .exec(),
    endResumeTurn: async (row, now) => {
      await connections.updateOne({ _id: row._id, connectedAt: row.connectedAt }, { $set: { resumeTurnAt: now } });
    },
    clearResumeOwed: async (row) => {
      await connections.updateOne({ _id: row._id, connectedAt: row.connectedAt }, { $set: { resumeOwed: false } });
    },
  };
}
