import { removeMarketplaceConnection } from '../../usecases/marketplace-connection/remove-marketplace-connection.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function deleteMarketplaceConnection({ scope, context }: ScopedCall): Promise<Answer> {
  await removeMarketplaceConnection(context, scope);
  return { status: 204 };
}
