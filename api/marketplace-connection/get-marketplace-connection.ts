import { readMarketplaceConnection } from '../../usecases/marketplace-connection/read-marketplace-connection.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getMarketplaceConnection({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readMarketplaceConnection(context, scope) };
}
