import { listWebhooks } from '../../usecases/webhooks/list-webhooks.ts';
import type { Answer, ScopedCall } from '../http/route.ts';

export async function getWebhooks({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { webhooks: await listWebhooks(context, scope) } };
}
