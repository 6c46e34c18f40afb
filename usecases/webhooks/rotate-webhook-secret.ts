import { Refusal } from '../../core/errors.ts';
import type { EndpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import { changeEndpoint } from '../../store/webhook-endpoints.ts';
import type { AccountSideContext } from '../account-side-context.ts';
import { describeWebhookWithSecret, type WebhookWithSecret } from './describe-webhook.ts';
import { prepareSecret } from './prepare-secret.ts';

/** The old secret signs nothing from now on. Throws {@link Refusal} NOT_FOUND for an endpoint the account does not have. */
export async function rotateWebhookSecret(
  context: Pick<AccountSideContext, 'store' | 'encryption' | 'now'>,
  scope: Scope,
  id: EndpointId,
): Promise<WebhookWithSecret> {
  const { secret, stored } = prepareSecret(context.encryption, secretContexts.webhookEndpoint(id));
  const change = { endpointId: id, set: stored, now: context.now() };
  const row = await changeEndpoint(context.store, scope.actingAccountId, change);
  if (row === null) throw new Refusal('NOT_FOUND', 'No webhook endpoint with this id');
  return describeWebhookWithSecret(row, secret);
}
