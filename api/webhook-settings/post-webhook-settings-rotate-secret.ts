import type { Answer, ScopedCall } from '../http/route.ts';

export async function postWebhookSettingsRotateSecret({ scope, dependencies }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await dependencies.webhooks.rotateSettingsSecret(scope) };
}
