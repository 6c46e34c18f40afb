import { readWebhookSettings } from '../../usecases/webhooks/read-webhook-settings.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getWebhookSettings({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readWebhookSettings(context, scope) };
}
