import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import type { MarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { createItemStore } from '../../store/items.ts';
import { connectMarketplace, findMarketplaceConnection } from '../../store/marketplace-connections.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { describeConnection, isLiveConnection, type MarketplaceConnectionView } from './describe-connection.ts';

/**
 * Connects, or connects again: the sweep then retries what an expired token had stopped (protocol 4).
 * Throws {@link Refusal} CONFLICT for another user while auctions of the present one are up.
 */
export async function setMarketplaceConnection(
  context: Pick<AccountSideContext, 'store' | 'encryption' | 'now'>,
  scope: Scope,
  { marketplaceUserId, token }: MarketplaceCredentials,
): Promise<MarketplaceConnectionView> {
  const account = scope.actingAccountId;
  await requireSameSeller(context, account, marketplaceUserId);
  const tokenEncrypted = context.encryption.encrypt(token, secretContexts.marketplaceToken(account));
  const credentials = { marketplaceUserId, tokenEncrypted, now: context.now() };
  const row = await connectMarketplace(context.store, account, credentials);
  if (!isLiveConnection(row)) throw new Error('a connection was removed while it was being made');
  return describeConnection(row);
}

/** After so long without a connection every auction is over: whoever lost the old user must be able to go on with another. */
const auctionsOverMs = 14 * 86_400_000;

/** Auctions are followed as the user who put them up; as another one they could neither be changed nor taken down. */
async function requireSameSeller(
  { store, now }: Pick<AccountSideContext, 'store' | 'now'>,
  account: AccountId,
  marketplaceUserId: string,
): Promise<void> {
  const row = await findMarketplaceConnection(store, account);
  if (row === null || row.marketplaceUserId === marketplaceUserId) return;
  if (row.state !== 'connected' && now().getTime() - row.updatedAt.getTime() > auctionsOverMs) return;
  if (!(await createItemStore(store).hasWatchedListings(account))) return;
  throw new Refusal(
    'CONFLICT',
    'Auctions of the connected marketplace user are still up or unpaid; connect as the same user, or take them down first',
  );
}
