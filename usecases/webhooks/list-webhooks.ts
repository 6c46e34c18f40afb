import type { Scope } from '../../core/scope.ts';
import { listEndpoints } from '../../store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { describeWebhook, type WebhookView } from './describe-webhook.ts';

/** Oldest first, secrets masked. */
export async function listWebhooks(context: Pick<Context, 'store'>, scope: Scope): Promise<readonly WebhookView[]> {
  const rows = await listEndpoints(context.store, scope.actingAccountId);
  return rows.map(describeWebhook);
}
