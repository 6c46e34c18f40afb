import type { Answer, ScopedCall } from '../http/route.ts';

export async function getMarketplaceConnection({ scope, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await dependencies.marketplaceConnection.read(scope) };
}
