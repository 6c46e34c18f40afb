import { auditBy } from '../../core/audit/audit-by.ts';
import { Refusal } from '../../core/errors.ts';
import type { EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { reviseEndpoint } from '../../store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { describeWebhookWithSecret, type WebhookWithSecret } from './describe-webhook.ts';
import { originOf } from './origin-of.ts';
import { prepareSecret } from './prepare-secret.ts';

/** The old secret signs nothing from now on. Throws {@link Refusal} NOT_FOUND for an endpoint the account does not have. */
export async function rotateWebhookSecret(
  context: Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'now'>,
  scope: Scope,
  id: EndpointId,
): Promise<WebhookWithSecret> {
  const { secret, stored } = prepareSecret(context.encryption, secretContexts.webhookEndpoint(id));
  const now = context.now();
  await context.confirmCredential(scope);
  const row = await reviseEndpoint(context.store, scope.actingAccountId, {
    endpointId: id,
    plan: () => stored,
    audit: ({ url }) =>
      auditBy(scope, {
        ...{ kind: 'webhook_secret_rotated', at: now, details: { webhookId: id, secretHint: stored.secretHint } },
        message: `The secret of the webhook endpoint at ${originOf(url)} was replaced`,
      }),
    now,
  });
  if (row === null) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
  return describeWebhookWithSecret(row, secret);
}
