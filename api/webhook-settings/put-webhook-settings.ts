import { setWebhookUrl } from '../../usecases/webhooks/set-webhook-url.ts';
import { readWebhookSettingsChange } from '../../schemas/webhooks/webhook-settings.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function putWebhookSettings({ scope, body, context }: ScopedCall): Promise<Answer> {
  await setWebhookUrl(context, scope, readWebhookSettingsChange(body).webhookUrl);
  return { status: 200, body: { success: true } };
}
