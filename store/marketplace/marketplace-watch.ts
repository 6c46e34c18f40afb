import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { theMarketplace } from '../../core/items/journal.ts';
import type { AccountId } from '../../core/ids.ts';
import { recordAudit } from '../accounts/audit.ts';
import type { StoreConnection } from '../database/connection.ts';
import {
  findMarketplaceConnection,
  marketplaceConnections,
  type MarketplaceConnectionRow,
} from './marketplace-connections.ts';
import { insertNotice } from '../mail/mails.ts';
import { inTransaction, type Session } from '../database/transaction.ts';

export type EndingConnection = MarketplaceConnectionRow & { readonly tokenExpiresAt: Date };

/** How far looks at a seller have come. */
export type LookMarks = Pick<MarketplaceConnectionRow, 'lookedAt' | 'salesReadAt' | 'changeMark'>;

/** The connections as the feed reader, the publisher and the dispatcher use them (protocol 4, 8). */
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
  /** Number of accounts whose feeds at the real marketplace are read. */
  countWatched(): Promise<number>;
  saveLook(account: AccountId, marks: LookMarks): Promise<void>;
  scheduleLook(account: AccountId, at: Date): Promise<void>;
  /** Connections whose token has ended, or ends until then and nothing was said about it; the next to end first. */
  listEndingTokens(when: { readonly now: Date; readonly until: Date }, limit: number): Promise<EndingConnection[]>;
  /** Sends the notice of a token that ends, once. */
  warnOfEnd(row: EndingConnection, now: Date): Promise<void>;
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

/** The connections, for the feed reader and the publisher. */
export function createMarketplaceWatch(store: StoreConnection): MarketplaceWatch {
  const connections = marketplaceConnections(store);
  return {
    find: (account) => findMarketplaceConnection(store, account),
    markExpired: (account, tokenEncrypted, now) =>
      inTransaction(store, async (session) => {
        const { modifiedCount } = await connections.updateOne(
          { _id: account, tokenEncrypted, state: 'connected' },
          // Items that wait for a first connection are made due, because their reason to wait has changed.
          { $set: { state: 'expired', resumeOwed: true, resumeTurnAt: now, updatedAt: now } },
          { session },
        );
        if (modifiedCount === 0) return;
        await recordAudit(store, expiredEntry(account, now), session);
        const told = { accountId: account, occurrence: now.toISOString(), at: now };
        await insertNotice(store, { ...told, notice: { what: 'token_expired' } }, session);
      }),
    watch: async (account, { marketplaceUserId, at }) => {
      const filter = { _id: account, state: 'connected' as const, marketplaceUserId };
      return (
        (await connections.updateOne(filter, { $min: { nextLookAt: at }, $inc: { liveMark: 1 } })).matchedCount === 1
      );
    },
    claimLook: (now, leaseUntil) =>
      connections
        .findOneAndUpdate(
          { state: 'connected', nextLookAt: { $lte: now } },
          { $set: { nextLookAt: leaseUntil } },
          { sort: { nextLookAt: 1 } },
        )
        .lean<MarketplaceConnectionRow>(),
    countWatched: () => connections.countDocuments({ nextLookAt: { $exists: true }, isSandbox: { $ne: true } }),
    saveLook: async (account, marks) => {
      await connections.updateOne({ _id: account }, { $set: marks });
    },
    scheduleLook: async (account, at) => {
      await connections.updateOne({ _id: account }, { $set: { nextLookAt: at } });
    },
    listEndingTokens: async ({ now, until }, limit) =>
      connections
        .find({
          state: 'connected',
          tokenExpiresAt: { $type: 'date', $lte: until },
          $or: [{ tokenExpiresAt: { $lte: now } }, { $expr: { $ne: ['$tokenExpiresAt', '$warnedOf'] } }],
        })
        .sort({ tokenExpiresAt: 1 })
        .limit(limit)
        .lean<EndingConnection[]>()
        .exec(),
    warnOfEnd: ({ _id: accountId, tokenExpiresAt }, now) =>
      inTransaction(store, async (session) => {
        const { modifiedCount } = await connections.updateOne(
          { _id: accountId, state: 'connected', tokenExpiresAt, warnedOf: { $ne: tokenExpiresAt } },
          { $set: { warnedOf: tokenExpiresAt } },
          { session },
        );
        if (modifiedCount === 0) return;
        const endsAt = tokenExpiresAt.toISOString();
        const notice = { what: 'token_expires', endsAt } as const;
        await insertNotice(store, { accountId, occurrence: endsAt, notice, at: now }, session);
      }),
    stopLooking: async (row) => {
      await connections.updateOne({ _id: row._id, liveMark: row.liveMark }, { $unset: { nextLookAt: 1 } });
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

const expiredEntry = (accountId: AccountId, at: Date): AuditEntry => ({
  ...{ accountId, actor: theMarketplace, kind: 'marketplace_expired', at },
  details: {},
});
