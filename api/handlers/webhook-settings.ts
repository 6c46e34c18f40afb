import { readWebhookSettingsChange } from '../../schemas/webhooks/webhook-endpoint.ts';
import { readWebhookSettings, rotateSettingsSecret, setWebhookUrl } from '../../usecases/webhooks/webhook-settings.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getWebhookSettings({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readWebhookSettings(context, scope) };
}

export async function putWebhookSettings({ scope, body, context }: ScopedCall): Promise<Answer> {
  await setWebhookUrl(context, scope, readWebhookSettingsChange(body).webhookUrl);
  return { status: 200, body: { success: true } };
}

export async function postWebhookSettingsRotateSecret({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await rotateSettingsSecret(context, scope) };
}
