import { endpointId, type EndpointId } from '../../features/rules/ids.ts';
import { readWebhookDeliveryQuery, readWebhookStatisticsQuery } from '../../schemas/webhooks/webhook-delivery.ts';
import {
  readNewWebhook,
  readWebhookChange,
  readWebhookSettingsChange,
} from '../../schemas/webhooks/webhook-endpoint.ts';
import { readDryRun, readRecoverySince, readTestWish } from '../../schemas/webhooks/webhook-recovery.ts';
import { listTargetRecoveries, previewRecovery, recoverTarget } from '../../features/webhooks/recover-target.ts';
import {
  changeWebhook,
  deleteWebhook as removeWebhook,
  readWebhook,
  readWebhookList,
  rotateWebhookSecret,
} from '../../features/webhooks/manage-webhooks.ts';
import { createWebhookOnce, sendTestEvent } from '../../features/webhooks/register-webhook.ts';
import {
  listWebhookDeliveries,
  previewRedelivery,
  readWebhookDelivery,
  redeliver,
} from '../../features/webhooks/webhook-deliveries.ts';
import { readWebhookStatistics } from '../../features/webhooks/webhook-statistics.ts';
import { readWebhookSettings, rotateSettingsSecret, setWebhookUrl } from '../../features/webhooks/webhook-settings.ts';
import { param, type Answer, type ScopedCall } from '../http/route.ts';

/** `GET …/webhooks`: 200 with the endpoints, oldest first, secrets masked. */
export async function getWebhooks({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readWebhookList(context, scope) };
}

/**
 * `POST` of a new endpoint: 201 with its secret in full. @param base path of the list, below which the endpoint is
 * found
 */
export const postWebhookUnder =
  (base: string) =>
  async ({ scope, body, context }: ScopedCall): Promise<Answer> => {
    const webhook = await createWebhookOnce(context, scope, readNewWebhook(body));
    return { status: 201, body: webhook, headers: { Location: `${base}/${webhook.id}` } };
  };

/** `GET …/webhooks/{id}`: 200 with the endpoint, its secret masked. */
export async function getWebhook(call: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readWebhook(call.context, call.scope, endpointId(param(call, 'id'))) };
}

/** `PATCH …/webhooks/{id}`: 200 with the changed endpoint. */
export async function patchWebhook(call: ScopedCall): Promise<Answer> {
  const change = readWebhookChange(call.body);
  const wanted = { endpointId: endpointId(param(call, 'id')), change };
  return { status: 200, body: await changeWebhook(call.context, call.scope, wanted) };
}

/** `DELETE …/webhooks/{id}`: 204; nothing more is sent to it. */
export async function deleteWebhook(call: ScopedCall): Promise<Answer> {
  await removeWebhook(call.context, call.scope, endpointId(param(call, 'id')));
  return { status: 204 };
}

/** `POST …/webhooks/{id}/rotate-secret`: 200 with the new secret in full. */
export async function postWebhookRotateSecret(call: ScopedCall): Promise<Answer> {
  const webhook = await rotateWebhookSecret(call.context, call.scope, endpointId(param(call, 'id')));
  return { status: 200, body: webhook };
}

/** `POST …/test`, for an endpoint or the account-level URL: 202; the outcome is in the log of deliveries. */
export async function postWebhookTest(call: ScopedCall): Promise<Answer> {
  const { eventType } = readTestWish(call.body);
  const made = await sendTestEvent(call.context, call.scope, { endpointId: targetOf(call), eventType });
  return { status: 202, body: made };
}

/** `POST …/recover`, for an endpoint or the account-level URL: 202; 200 with a count for a dry run. */
export async function postWebhookRecover(call: ScopedCall): Promise<Answer> {
  const isDryRun = readDryRun(call.query);
  const wish = { endpointId: targetOf(call), since: readRecoverySince(call.body, new Date()) };
  if (isDryRun) return { status: 200, body: await previewRecovery(call.context, call.scope, wish) };
  return { status: 202, body: await recoverTarget(call.context, call.scope, wish) };
}

/** `GET …/recoveries`, for an endpoint or the account-level URL: 200 with the 20 newest. */
export async function getWebhookRecoveries(call: ScopedCall): Promise<Answer> {
  const recoveries = await listTargetRecoveries(call.context, call.scope, targetOf(call));
  return { status: 200, body: { recoveries } };
}

/** The endpoint of the path; null on the paths of the account-level URL, which have no id. */
const targetOf = ({ params }: ScopedCall): EndpointId | null =>
  params['id'] === undefined ? null : endpointId(params['id']);

/** `GET /integration/webhook-settings`: 200; the first read shows the secret in full. */
export async function getWebhookSettings({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readWebhookSettings(context, scope) };
}

/** `PUT /integration/webhook-settings`: 200; null removes the URL. */
export async function putWebhookSettings({ scope, body, context }: ScopedCall): Promise<Answer> {
  await setWebhookUrl(context, scope, readWebhookSettingsChange(body).webhookUrl);
  return { status: 200, body: { success: true } };
}

/** `POST /integration/webhook-settings/rotate-secret`: 200 with the new secret in full. */
export async function postWebhookSettingsRotateSecret({ scope, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await rotateSettingsSecret(context, scope) };
}

/** `GET …/webhook-deliveries`: 200 with attempts, newest first. */
export async function getWebhookDeliveries({ scope, context, query }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await listWebhookDeliveries(context, scope, readWebhookDeliveryQuery(query)) };
}

/** `GET …/webhook-statistics`: 200 with success rates and durations by receiver. */
export async function getWebhookStatistics({ scope, query, context }: ScopedCall): Promise<Answer> {
  return { status: 200, body: await readWebhookStatistics(context, scope, readWebhookStatisticsQuery(query)) };
}

/** Returns one attempt with its request and answer. */
export async function getWebhookDelivery(call: ScopedCall): Promise<Answer> {
  const { context, scope } = call;
  return { status: 200, body: await readWebhookDelivery(context, scope, param(call, 'id')) };
}

/** `POST …/webhook-deliveries/{id}/redeliver`: 202; 200 for a dry run. */
export async function postWebhookDeliveryRedeliver(call: ScopedCall): Promise<Answer> {
  const id = param(call, 'id');
  if (readDryRun(call.query)) return { status: 200, body: await previewRedelivery(call.context, call.scope, id) };
  return { status: 202, body: await redeliver(call.context, call.scope, id) };
}
