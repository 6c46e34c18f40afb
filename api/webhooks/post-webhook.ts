import { createWebhookOnce } from '../../usecases/webhooks/create-webhook-once.ts';
import { readNewWebhook } from '../../schemas/webhooks/webhook-endpoint.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function postWebhook({ scope, body, context }: ScopedCall): Promise<Answer> {
  const webhook = await createWebhookOnce(context, scope, readNewWebhook(body));
  return { status: 201, body: webhook, headers: { Location: `/integration/webhooks/${webhook.id}` } };
}
