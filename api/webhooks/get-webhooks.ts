import type { Answer, ScopedCall } from '../http/route.ts';

export async function getWebhooks({ scope, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { webhooks: await dependencies.webhooks.list(scope) } };
}
