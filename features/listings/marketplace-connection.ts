import { auditBy } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import type { ListingDefaults } from './rules/listing-terms.ts';
import type { Scope } from '../rules/scope.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import type { MarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import { runExclusive } from '../accounts/store/accounts.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction, type Session } from '../../platform/database/transaction.ts';
import { createItemStore, type ItemStore } from '../items/store/items.ts';
import {
  connectMarketplace,
  findListingDefaults,
  findMarketplaceConnection,
  removeMarketplaceConnection as removeRow,
  setListingDefaults,
  type MarketplaceConnectionRow,
} from './store/marketplace-connections.ts';
import type { MarketplaceWatch } from './store/marketplace-watch.ts';
import type { Context } from '../context.ts';
import { connectionReasons } from './seller-access.ts';

/**
 * Connects or reconnects the account. A loop then retries the work that an expired token had stopped.
 * Throws {@link Refusal} CONFLICT for another user while auctions of the present one are up.
 */
export async function setMarketplaceConnection(
  context: Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'now'>,
  scope: Scope,
  { marketplaceUserId, token, expiresAt }: MarketplaceCredentials,
): Promise<MarketplaceConnectionView> {
  const account = scope.actingAccountId;
  const tokenEncrypted = context.encryption.encrypt(token, secretContexts.marketplaceToken(account));
  const at = context.now();
  const row = await inTransaction(context.store, async (session) => {
    await runExclusive(context.store, account, session);
    const replaced = await findMarketplaceConnection(context.store, account, session);
    await requireSameSeller(context.store, replaced, { marketplaceUserId, at, session });
    const isFirst = !isLiveConnection(replaced);
    const audit = auditBy(scope, {
      kind: isFirst ? 'marketplace_connected' : 'marketplace_reconnected',
      at,
      details: { marketplaceUserId },
    });
    await context.confirmCredential(scope);
    await recordAudit(context.store, audit, session);
    const tokenExpiresAt = expiresAt === undefined ? null : new Date(expiresAt);
    const given = { marketplaceUserId, tokenEncrypted, tokenExpiresAt };
    return connectMarketplace(context.store, account, { ...given, now: at, session });
  });
  if (!isLiveConnection(row)) throw new Error('a connection was removed while it was being made');
  return describeConnection(row);
}

/**
 * After this time without a connection all auctions are over. So an account that lost the old user can connect another
 * one.
 */
const auctionsOverMs = 14 * 86_400_000;

/**
 * Auctions are followed as the user who put them up; another user could neither change nor remove them. A step that goes live
 * first stores that it may be live, then writes the connection. So this transaction sees it, is repeated because of it, or comes
 * first, and then that step finds another seller.
 */
async function requireSameSeller(
  store: StoreConnection,
  replaced: MarketplaceConnectionRow | null,
  { marketplaceUserId, at, session }: { marketplaceUserId: string; at: Date; session: Session },
): Promise<void> {
  if (replaced === null || replaced.marketplaceUserId === marketplaceUserId) return;
  if (replaced.state !== 'connected' && at.getTime() - replaced.updatedAt.getTime() > auctionsOverMs) return;
  if (!(await createItemStore(store).hasWatchedListings(replaced._id, session))) return;
  throw new Refusal(
    'CONFLICT',
    'Auctions of the connected marketplace user are still up or unpaid; connect as the same user, or take them down first',
  );
}

/** Never returns the token. Throws {@link Refusal} NOT_FOUND when no marketplace account is connected. */
export async function readMarketplaceConnection(
  context: Pick<Context, 'store'>,
  scope: Scope,
): Promise<MarketplaceConnectionView> {
  const row = await findMarketplaceConnection(context.store, scope.actingAccountId);
  if (!isLiveConnection(row)) throw new Refusal('NOT_FOUND', 'No marketplace account is connected');
  return describeConnection(row);
}

/** Deletes the token. Succeeds without a connection, too. */
export function removeMarketplaceConnection(
  { store, confirmCredential, now }: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
): Promise<void> {
  const at = now();
  return inTransaction(store, async (session) => {
    await confirmCredential(scope);
    if (await removeRow(store, scope.actingAccountId, { now: at, session }))
      await recordAudit(store, auditBy(scope, { kind: 'marketplace_removed', details: {}, at }), session);
  });
}

export type MarketplaceConnectionView = ReturnType<typeof describeConnection>;

type LiveConnectionRow = MarketplaceConnectionRow & { readonly state: 'connected' | 'expired' };

/** False for a removed connection, which counts as none. */
const isLiveConnection = (row: MarketplaceConnectionRow | null): row is LiveConnectionRow =>
  row !== null && row.state !== 'removed';

const describeConnection = (row: LiveConnectionRow) => ({
  marketplaceUserId: row.marketplaceUserId,
  state: row.state,
  connectedAt: row.connectedAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  expiresAt: row.tokenExpiresAt?.toISOString() ?? null,
});

/** The terms of the account's auctions; `{}` when it has set none. */
export const readListingDefaults = ({ store }: Pick<Context, 'store'>, scope: Scope): Promise<ListingDefaults> =>
  findListingDefaults(store, scope.accountId);

/** Replaces all terms. They apply to auctions whose draft is made afterwards. */
export async function changeListingDefaults(
  { store, confirmCredential, now }: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  terms: ListingDefaults,
): Promise<ListingDefaults> {
  const at = now();
  await inTransaction(store, async (session) => {
    await confirmCredential(scope);
    await setListingDefaults(store, scope.accountId, { terms, now: at, session });
    const details = { fields: Object.keys(terms) };
    await recordAudit(store, auditBy(scope, { kind: 'listing_defaults_changed', details, at }), session);
  });
  return terms;
}

/**
 * Items of reconnected accounts that one round makes due, for all accounts together. A seller may have tens of
 * thousands waiting; each of them starts a workflow, and the engine starts some dozens a second.
 */
export const resumedPerRound = 30;

/** The waits that no longer apply to a connection in this state: items with them are made due. */
const staleReasons = {
  connected: connectionReasons,
  expired: ['marketplace_connection'],
  removed: ['marketplace_reconnection'],
} as const;

export interface ResumeDependencies extends Pick<Context, 'now'> {
  readonly items: ItemStore;
  readonly watch: MarketplaceWatch;
}

/**
 * Makes some items due of each account whose connection has changed. The mark that the change left is cleared only when no item
 * is left waiting (protocol 4). So the next round completes the work of a dead worker. When more accounts are marked than a
 * round has items, they take turns. Returns the number of items.
 */
export async function resumeReconnected({ items, watch, now }: ResumeDependencies): Promise<number> {
  const owed = await watch.listResumeOwed(resumedPerRound);
  const limit = Math.floor(resumedPerRound / Math.max(1, owed.length));
  let resumed = 0;
  for (const row of owed) {
    const count = await items.makeWaitingDue(row._id, { reasons: staleReasons[row.state], now: now(), limit });
    if (count < limit) await watch.clearResumeOwed(row);
    else await watch.endResumeTurn(row, now());
    resumed += count;
  }
  return resumed;
}
