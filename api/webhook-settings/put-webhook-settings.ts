import { readWebhookSettingsChange } from '../../schemas/webhooks/webhook-settings.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function putWebhookSettings({ scope, body, dependencies }: ScopedCall): Promise<Answer> {
  await dependencies.webhooks.setUrl(scope, readWebhookSettingsChange(body).webhookUrl);
  return { status: 200, body: { success: true } };
}
