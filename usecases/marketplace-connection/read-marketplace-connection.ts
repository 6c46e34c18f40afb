import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { findMarketplaceConnection } from '../../store/marketplace/marketplace-connections.ts';
import type { Context } from '../context.ts';
import { describeConnection, isLiveConnection, type MarketplaceConnectionView } from './describe-connection.ts';

/** Never shows the token. Throws {@link Refusal} NOT_FOUND when nothing is connected. */
export async function readMarketplaceConnection(
  context: Pick<Context, 'store'>,
  scope: Scope,
): Promise<MarketplaceConnectionView> {
  const row = await findMarketplaceConnection(context.store, scope.actingAccountId);
  if (!isLiveConnection(row)) throw new Refusal('NOT_FOUND', 'No marketplace account is connected');
  return describeConnection(row);
}
