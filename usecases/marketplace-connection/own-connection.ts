import { auditBy } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import type { MarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { inTransaction, type Session } from '../../store/database/transaction.ts';
import { createItemStore } from '../../store/items/items.ts';
import {
  connectMarketplace,
  findMarketplaceConnection,
  type MarketplaceConnectionRow,
  removeMarketplaceConnection as removeRow,
} from '../../store/marketplace/marketplace-connections.ts';
import type { Context } from '../context.ts';

/**
 * Connects or reconnects the account; the sweep then retries work that an expired token had stopped (protocol 4).
 * Throws {@link Refusal} CONFLICT for another user while auctions of the present one are up.
 */
export async function setMarketplaceConnection(
  context: Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'now'>,
  scope: Scope,
  { marketplaceUserId, token }: MarketplaceCredentials,
): Promise<MarketplaceConnectionView> {
  const account = scope.actingAccountId;
  const tokenEncrypted = context.encryption.encrypt(token, secretContexts.marketplaceToken(account));
  const at = context.now();
  const row = await inTransaction(context.store, async (session) => {
    const replaced = await findMarketplaceConnection(context.store, account, session);
    await requireSameSeller(context.store, replaced, { marketplaceUserId, at, session });
    const isFirst = !isLiveConnection(replaced);
    const audit = auditBy(scope, {
      ...{ kind: isFirst ? 'marketplace_connected' : 'marketplace_reconnected', at, details: { marketplaceUserId } },
    });
    await context.confirmCredential(scope);
    await recordAudit(context.store, audit, session);
    return connectMarketplace(context.store, account, { marketplaceUserId, tokenEncrypted, now: at, session });
  });
  if (!isLiveConnection(row)) throw new Error('a connection was removed while it was being made');
  return describeConnection(row);
}

/** After this time without a connection all auctions are over. So an account that lost the old user can connect another one. */
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

export interface MarketplaceConnectionView {
  readonly marketplaceUserId: string;
  readonly state: 'connected' | 'expired';
  readonly connectedAt: string;
  readonly updatedAt: string;
}

type LiveConnectionRow = MarketplaceConnectionRow & { readonly state: 'connected' | 'expired' };

/** False for a removed connection, which counts as none. */
const isLiveConnection = (row: MarketplaceConnectionRow | null): row is LiveConnectionRow =>
  row !== null && row.state !== 'removed';

const describeConnection = (row: LiveConnectionRow): MarketplaceConnectionView => ({
  marketplaceUserId: row.marketplaceUserId,
  state: row.state,
  connectedAt: row.connectedAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
