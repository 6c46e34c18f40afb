import type { Answer, ScopedCall } from '../http/route.ts';

export async function deleteMarketplaceConnection({ scope, dependencies }: ScopedCall): Promise<Answer> {
  await dependencies.marketplaceConnection.remove(scope);
  return { status: 204 };
}
