import { readMarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function putMarketplaceConnection({ scope, body, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await dependencies.marketplaceConnection.set(scope, readMarketplaceCredentials(body)) };
}
