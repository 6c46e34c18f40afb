import type { Answer, ScopedCall } from '../http/route.ts';

export async function getWebhookDeliveries({ scope, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { deliveries: await dependencies.webhooks.listDeliveries(scope) } };
}
