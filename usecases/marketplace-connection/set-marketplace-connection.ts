import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import type { MarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import { connectMarketplace } from '../../store/marketplace-connections.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { describeConnection, isLiveConnection, type MarketplaceConnectionView } from './describe-connection.ts';

/** Connects, or connects again: the sweep then retries what an expired token had stopped (protocol 4). */
export async function setMarketplaceConnection(
  context: Pick<AccountSideContext, 'store' | 'encryption' | 'now'>,
  scope: Scope,
  { marketplaceUserId, token }: MarketplaceCredentials,
): Promise<MarketplaceConnectionView> {
  const account = scope.actingAccountId;
  const tokenEncrypted = context.encryption.encrypt(token, secretContexts.marketplaceToken(account));
  const credentials = { marketplaceUserId, tokenEncrypted, now: context.now() };
  const row = await connectMarketplace(context.store, account, credentials);
  if (!isLiveConnection(row)) throw new Error('a connection was removed while it was being made');
  return describeConnection(row);
}
