import { readMarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import { readMarketplaceConnection } from '../../usecases/marketplace-connection/read-marketplace-connection.ts';
import { removeMarketplaceConnection } from '../../usecases/marketplace-connection/remove-marketplace-connection.ts';
import { setMarketplaceConnection } from '../../usecases/marketplace-connection/set-marketplace-connection.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getMarketplaceConnection({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readMarketplaceConnection(context, scope) };
}

export async function putMarketplaceConnection({ scope, body, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await setMarketplaceConnection(context, scope, readMarketplaceCredentials(body)) };
}

export async function deleteMarketplaceConnection({ scope, context }: ScopedCall): Promise<Answer> {
  await removeMarketplaceConnection(context, scope);
  return { status: 204 };
}
