import { setMarketplaceConnection } from '../../usecases/marketplace-connection/set-marketplace-connection.ts';
import { readMarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function putMarketplaceConnection({ scope, body, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await setMarketplaceConnection(context, scope, readMarketplaceCredentials(body)) };
}
