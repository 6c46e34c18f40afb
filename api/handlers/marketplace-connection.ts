import { readMarketplaceCredentials } from '../../schemas/partner/marketplace-connection.ts';
import {
  readMarketplaceConnection,
  removeMarketplaceConnection,
  setMarketplaceConnection,
} from '../../usecases/marketplace-connection/marketplace-connection.ts';
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
