import { endpointId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { secretContexts } from '../../core/secret-contexts.ts';
import type { NewWebhook } from '../../schemas/webhooks/webhook-endpoint.ts';
import { isDuplicateKey } from '../../store/database/connection.ts';
import { findEndpoint } from '../../store/webhooks/webhook-endpoints.ts';
import type { Context } from '../context.ts';
import { createWebhook } from './create-webhook.ts';
import { describeWebhookWithSecret, type WebhookWithSecret } from './describe-webhook.ts';

type Needs = Pick<Context, 'store' | 'encryption' | 'addressPolicy' | 'confirmCredential' | 'now' | 'newId'>;

/**
 * createWebhook for calls with an `Idempotency-Key`: what an attempt that died has created is answered as it stands, its
 * secret in full, because nobody has seen it. Refuses as createWebhook does.
 */
export async function createWebhookOnce(context: Needs, scope: Scope, wish: NewWebhook): Promise<WebhookWithSecret> {
  const earlier = await findReserved(context, scope);
  if (earlier !== undefined) return earlier;
  try {
    return await createWebhook(context, scope, wish);
  } catch (error) {
    // An attempt that had been taken for dead was faster.
    const created = isDuplicateKey(error) ? await findReserved(context, scope) : undefined;
    if (created === undefined) throw error;
    return created;
  }
}

async function findReserved(
  { store, encryption }: Needs,
  { actingAccountId, reserved }: Scope,
): Promise<WebhookWithSecret | undefined> {
  if (reserved === undefined) return undefined;
  const row = await findEndpoint(store, actingAccountId, endpointId(reserved.id));
  if (row === null) return undefined;
  return describeWebhookWithSecret(
    row,
    encryption.decrypt(row.secretEncrypted, secretContexts.webhookEndpoint(row._id)),
  );
}
