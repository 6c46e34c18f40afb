import { endpointId, type EndpointId } from '../../core/ids.ts';
import { readWebhookDeliveryQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import {
  readNewWebhook,
  readWebhookChange,
  readWebhookSettingsChange,
} from '../../schemas/webhooks/webhook-endpoint.ts';
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
import {
  listWebhookDeliveries,
  previewRedelivery,
  readWebhookDelivery,
  redeliver,
} from '../../usecases/webhooks/webhook-deliveries.ts';
import { readWebhookStatistics } from '../../usecases/webhooks/webhook-statistics.ts';
import { readWebhookSettings, rotateSettingsSecret, setWebhookUrl } from '../../usecases/webhooks/webhook-settings.ts';
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

export async function getWebhookDeliveries({ scope, context, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listWebhookDeliveries(context, scope, readWebhookDeliveryQuery(query)) };
}

export async function getWebhookStatistics({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readWebhookStatistics(context, scope) };
}

/** Returns one attempt with its request and answer. */
export async function getWebhookDelivery(call: ScopedCall): Promise<Answer> {
  const { context, scope } = call;
  return { status: 200, body: await readWebhookDelivery(context, scope, param(call, 'id')) };
}

export async function postWebhookDeliveryRedeliver(call: ScopedCall): Promise<Answer> {
  const id = param(call, 'id');
  if (readDryRun(call.query)) return { status: 200, body: await previewRedelivery(call.context, call.scope, id) };
  return { status: 202, body: await redeliver(call.context, call.scope, id) };
}
