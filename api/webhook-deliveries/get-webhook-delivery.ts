import { param, type Answer, type ScopedCall } from '../http/route.ts';

/** One attempt with what was sent and answered. */
export async function getWebhookDelivery(call: ScopedCall): Promise<Answer> {
  const { dependencies, scope } = call;
  return { status: 200, body: await dependencies.webhooks.readDelivery(scope, param(call, 'id')) };
}
