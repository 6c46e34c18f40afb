import { endpointId, type EndpointId } from '../../core/ids.ts';
import { readNewWebhook, readWebhookChange } from '../../schemas/webhooks/webhook-endpoint.ts';
import { readDryRun, readRecoverySince, readTestWish } from '../../schemas/webhooks/webhook-recovery.ts';
import { listTargetRecoveries, previewRecovery, recoverTarget } from '../../usecases/recoveries/recover-target.ts';
import {
  changeWebhook,
  deleteWebhook as removeWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhookSecret,
} from '../../usecases/webhooks/manage-webhooks.ts';
import { createWebhookOnce, sendTestEvent } from '../../usecases/webhooks/register-webhook.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

export async function getWebhooks({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: { webhooks: await listWebhooks(context, scope) } };
}

/** @param base path of the list, under which the new endpoint stands */
export const postWebhookUnder =
  (base: string) =>
  async ({ scope, body, context }: ScopedCall): Promise<Answer> => {
    const webhook = await createWebhookOnce(context, scope, readNewWebhook(body));
    return { status: 201, body: webhook, headers: { Location: `${base}/${webhook.id}` } };
  };

export async function getWebhook(call: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readWebhook(call.context, call.scope, endpointId(param(call, 'id'))) };
}

export async function patchWebhook(call: ScopedCall): Promise<Answer> {
  const change = readWebhookChange(call.body);
  const wanted = { endpointId: endpointId(param(call, 'id')), change };
  return { status: 200, body: await changeWebhook(call.context, call.scope, wanted) };
}

export async function deleteWebhook(call: ScopedCall): Promise<Answer> {
  await removeWebhook(call.context, call.scope, endpointId(param(call, 'id')));
  return { status: 204 };
}

export async function postWebhookRotateSecret(call: ScopedCall): Promise<Answer> {
  const webhook = await rotateWebhookSecret(call.context, call.scope, endpointId(param(call, 'id')));
  return { status: 200, body: webhook };
}

export async function postWebhookTest(call: ScopedCall): Promise<Answer> {
  const { eventType } = readTestWish(call.body);
  const made = await sendTestEvent(call.context, call.scope, { endpointId: targetOf(call), eventType });
  return { status: 202, body: made };
}

export async function postWebhookRecover(call: ScopedCall): Promise<Answer> {
  const isDryRun = readDryRun(call.query);
  const wish = { endpointId: targetOf(call), since: readRecoverySince(call.body, new Date()) };
  if (isDryRun) return { status: 200, body: await previewRecovery(call.context, call.scope, wish) };
  return { status: 202, body: await recoverTarget(call.context, call.scope, wish) };
}

export async function getWebhookRecoveries(call: ScopedCall): Promise<Answer> {
  const recoveries = await listTargetRecoveries(call.context, call.scope, targetOf(call));
  return { status: 200, body: { recoveries } };
}

/** The endpoint of the path; null on the paths of the account-level URL, which have no id. */
const targetOf = ({ params }: ScopedCall): EndpointId | null =>
  params['id'] === undefined ? null : endpointId(params['id']);
