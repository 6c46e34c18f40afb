import type { AuditEntry } from '../../accounts/rules/audit-entry.ts';
import type { AccountId } from '../../rules/ids.ts';
import { theMarketplace } from '../../items/rules/journal.ts';
import { recordAudit } from '../../accounts/store/audit.ts';
import type { StoreConnection } from '../../../platform/database/connection.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { insertNotice } from '../../mail/store/mails.ts';
import { marketplaceConnections, type MarketplaceConnectionRow } from './marketplace-connections.ts';

export type EndingConnection = MarketplaceConnectionRow & { readonly tokenExpiresAt: Date };

interface RefusedToken {
  readonly account: AccountId;
  readonly tokenEncrypted: string;
  readonly now: Date;
}

/** The refused token may have been replaced meanwhile: then there is no effect. */
export function markExpired(store: StoreConnection, { account, tokenEncrypted, now }: RefusedToken): Promise<void> {
  return inTransaction(store, async (session) => {
    const { modifiedCount } = await marketplaceConnections(store).updateOne(
      { _id: account, tokenEncrypted, state: 'connected' },
      // Items that wait for a first connection are made due, because their reason to wait has changed.
      { $set: { state: 'expired', resumeOwed: true, resumeTurnAt: now, updatedAt: now } },
      { session },
    );
    if (modifiedCount === 0) return;
    await recordAudit(store, expiredEntry(account, now), session);
    const told = { accountId: account, occurrence: now.toISOString(), at: now };
    await insertNotice(store, { ...told, notice: { what: 'token_expired' } }, session);
  });
}

/** Connections whose token has ended, or ends until then and nothing was said about it; the next to end first. */
export function listEndingTokens(
  store: StoreConnection,
  { now, until }: { readonly now: Date; readonly until: Date },
  limit: number,
): Promise<EndingConnection[]> {
  return marketplaceConnections(store)
    .find({
      state: 'connected',
      tokenExpiresAt: { $type: 'date', $lte: until },
      $or: [{ tokenExpiresAt: { $lte: now } }, { $expr: { $ne: ['$tokenExpiresAt', '$warnedOf'] } }],
    })
    .sort({ tokenExpiresAt: 1 })
    .limit(limit)
    .lean<EndingConnection[]>()
    .exec();
}

export function warnOfEnd(
  store: StoreConnection,
  { _id: accountId, tokenExpiresAt }: EndingConnection,
  now: Date,
): Promise<void> {
  return inTransaction(store, async (session) => {
    const { modifiedCount } = await marketplaceConnections(store).updateOne(
      { _id: accountId, state: 'connected', tokenExpiresAt, warnedOf: { $ne: tokenExpiresAt } },
      { $set: { warnedOf: tokenExpiresAt } },
      { session },
    );
    if (modifiedCount === 0) return;
    const endsAt = tokenExpiresAt.toISOString();
    await insertNotice(
      store,
      { accountId, occurrence: endsAt, notice: { what: 'token_expires', endsAt }, at: now },
      session,
    );
  });
}

const expiredEntry = (accountId: AccountId, at: Date): AuditEntry => ({
  accountId,
  actor: theMarketplace,
  kind: 'marketplace_expired',
  at,
  details: {},
});
