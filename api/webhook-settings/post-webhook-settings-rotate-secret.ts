import { rotateSettingsSecret } from '../../usecases/webhooks/rotate-settings-secret.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function postWebhookSettingsRotateSecret({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await rotateSettingsSecret(context, scope) };
}
