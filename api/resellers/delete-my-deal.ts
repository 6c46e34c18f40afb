import type { Answer, ScopedCall } from '../http/route.ts';

export async function deleteMyDeal({ scope, dependencies }: ScopedCall): Promise<Answer> {
  await dependencies.resellers.disconnect(scope);
  return { status: 204 };
}
