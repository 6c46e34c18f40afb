import { readNewWebhook } from '../../schemas/webhooks/webhook-endpoint.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function postWebhook({ scope, body, dependencies }: ScopedCall): Promise<Answer> {
  const webhook = await dependencies.webhooks.create(scope, readNewWebhook(body));
  return { status: 201, body: webhook, headers: { Location: `/integration/webhooks/${webhook.id}` } };
}
