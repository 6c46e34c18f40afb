import { auditBy } from '../../core/audit/audit-by.ts';
import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import type { MarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import { Refusal } from '../../core/errors.ts';
import { recordAudit } from '../../store/accounts/audit.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { createItemStore } from '../../store/items/items.ts';
import {
  connectMarketplace,
  findMarketplaceConnection,
  type MarketplaceConnectionRow,
} from '../../store/marketplace/marketplace-connections.ts';
import { inTransaction, type Session } from '../../store/database/transaction.ts';
import type { Context } from '../context.ts';
import { describeConnection, isLiveConnection, type MarketplaceConnectionView } from './describe-connection.ts';

/**
 * Connects, or connects again: the sweep then retries what an expired token had stopped (protocol 4).
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
      message: `The account was connected to the marketplace${isFirst ? '' : ' again'}, as its user ${marketplaceUserId}`,
    });
    await context.confirmCredential(scope);
    await recordAudit(context.store, audit, session);
    return connectMarketplace(context.store, account, { marketplaceUserId, tokenEncrypted, now: at, session });
  });
  if (!isLiveConnection(row)) throw new Error('a connection was removed while it was being made');
  return describeConnection(row);
}

/** After so long without a connection every auction is over: whoever lost the old user must be able to go on with another. */
const auctionsOverMs = 14 * 86_400_000;

/**
 * Auctions are followed as the user who put them up; as another one they could neither be changed nor taken down. What goes
 * live first stores that it may be, then writes the connection: seen here, or it makes this transaction begin anew, or it
 * comes after and finds another seller.
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
