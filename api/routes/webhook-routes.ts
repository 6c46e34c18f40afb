import {
  webhookDeliveryDetailsSchema,
  webhookDeliveryListSchema,
  webhookDeliveryParameters,
  readWebhookDeliveryQuery,
  readWebhookStatisticsQuery,
} from '../../schemas/webhooks/webhook-delivery.ts';
import { webhookStatisticsSchema } from '../../schemas/webhooks/webhook-statistics.ts';
import {
  newWebhookSchema,
  successSchema,
  webhookChangeSchema,
  webhookListSchema,
  webhookSchema,
  webhookSettingsChangeSchema,
  webhookSettingsSchema,
  webhookWithSecretSchema,
  readNewWebhook,
  readWebhookChange,
  readWebhookSettingsChange,
} from '../../schemas/webhooks/webhook-endpoint.ts';
import { createWebhookOnce } from '../../features/webhooks/register-webhook.ts';
import {
  type Answer,
  type KeyRoute,
  type Route,
  type SessionRoute,
  ok,
  noContent,
  param,
  type ScopedCall,
} from '../http/route.ts';
import { deliveryParam, endpointParams as params } from './parameters.ts';
import { webhookRecoveryRoutes } from './webhook-recovery-routes.ts';
import { endpointId } from '../../features/rules/ids.ts';
import {
  changeWebhook,
  deleteWebhook,
  readWebhook,
  readWebhookList,
  rotateWebhookSecret,
} from '../../features/webhooks/manage-webhooks.ts';
import { listWebhookDeliveries, readWebhookDelivery } from '../../features/webhooks/webhook-deliveries.ts';
import { readWebhookStatistics } from '../../features/webhooks/webhook-statistics.ts';
import { readWebhookSettings, rotateSettingsSecret, setWebhookUrl } from '../../features/webhooks/webhook-settings.ts';

const credential = 'jwt';
const tag = 'Webhooks';

/** @param list path of the list, below which the new endpoint is found */
const postWebhookUnder =
  (list: string) =>
  async ({ scope, body, context }: ScopedCall): Promise<Answer> => {
    const webhook = await createWebhookOnce(context, scope, readNewWebhook(body));
    return { status: 201, body: webhook, headers: { Location: `${list}/${webhook.id}` } };
  };

export const webhookRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/integration/webhooks',
    credential,
    tag,
    name: 'listWebhooks',
    summary: 'List the webhook endpoints',
    description:
      'All endpoints of the account, with how their deliveries go: what went wrong last, and whether and why one was disabled.',
    answers: { 200: { description: 'Oldest first, secrets masked', schema: webhookListSchema } },
    handle: async ({ scope, context }: ScopedCall) => ok(readWebhookList(context, scope)),
  },
  {
    method: 'post',
    path: '/integration/webhooks',
    credential,
    tag,
    idempotent: true,
    name: 'createWebhook',
    summary: 'Register a webhook endpoint',
    description: [
      'It gets the events that happen from now on. The address is resolved and checked at each attempt; one that names a private address is 422 here.',
      '',
      '- 403 `RESELLER_AGREEMENT_REQUIRED`: `scope` is `members`, and the account has no reseller agreement.',
      '- 409 `CONFLICT`: the account has 20 endpoints.',
    ].join('\n'),
    request: { schema: newWebhookSchema },
    answers: { 201: { description: 'The endpoint with its secret, shown only here', schema: webhookWithSecretSchema } },
    refusals: ['RESELLER_AGREEMENT_REQUIRED', 'CONFLICT'],
    handle: postWebhookUnder('/integration/webhooks'),
  },
  {
    method: 'get',
    path: '/integration/webhooks/{id}',
    credential,
    tag,
    params,
    name: 'getWebhook',
    summary: 'Read one webhook endpoint',
    description: 'With how its deliveries go, as in the list. The secret is masked: it is shown once, at creation.',
    answers: { 200: { description: 'The endpoint, its secret masked', schema: webhookSchema } },
    refusals: ['NOT_FOUND'],
    handle: async (call: ScopedCall) => ok(readWebhook(call.context, call.scope, endpointId(param(call, 'id')))),
  },
  {
    method: 'patch',
    path: '/integration/webhooks/{id}',
    credential,
    tag,
    params,
    name: 'updateWebhook',
    summary: 'Change a webhook endpoint',
    description: [
      'What is left out stays as it is. `active: true` enables it and sets `failCount` to 0; with `autoRecover` it then gets what it missed in the last 72 hours. `active: false` holds its events back, to be recovered once it is enabled.',
      'A new `url` is used from the next attempt on, also by deliveries on their way. A new `scope` ends deliveries on their way, which are not sent later.',
    ].join('\n'),
    request: { schema: webhookChangeSchema },
    answers: { 200: { description: 'The endpoint as it is now', schema: webhookSchema } },
    refusals: ['RESELLER_AGREEMENT_REQUIRED', 'NOT_FOUND'],
    handle: async (call: ScopedCall) => {
      const wanted = { endpointId: endpointId(param(call, 'id')), change: readWebhookChange(call.body) };
      return ok(changeWebhook(call.context, call.scope, wanted));
    },
  },
  {
    method: 'delete',
    path: '/integration/webhooks/{id}',
    credential,
    tag,
    params,
    name: 'deleteWebhook',
    summary: 'Remove a webhook endpoint',
    description: 'What it missed can no longer be sent again; the events stay in the feed.',
    answers: { 204: { description: 'Removed; deliveries on their way to it stop' } },
    refusals: ['NOT_FOUND'],
    handle: async (call: ScopedCall) =>
      noContent(deleteWebhook(call.context, call.scope, endpointId(param(call, 'id')))),
  },
  {
    method: 'post',
    path: '/integration/webhooks/{id}/rotate-secret',
    credential,
    tag,
    params,
    name: 'rotateWebhookSecret',
    summary: 'Replace the signing secret of an endpoint',
    description: 'The old one signs nothing from now on, not even the retries of deliveries on their way.',
    answers: {
      200: { description: 'The endpoint with its new secret, shown only here', schema: webhookWithSecretSchema },
    },
    refusals: ['NOT_FOUND'],
    handle: async (call: ScopedCall) =>
      ok(rotateWebhookSecret(call.context, call.scope, endpointId(param(call, 'id')))),
  },
  {
    method: 'get',
    path: '/integration/webhook-settings',
    credential,
    tag,
    name: 'getWebhookSettings',
    summary: 'Read the account-level webhook URL and its secret',
    description:
      'The first call ever shows the secret in full, whether or not a URL is set; all later ones show it masked. Who missed it replaces it.',
    answers: { 200: { description: 'The secret is shown in full the first time', schema: webhookSettingsSchema } },
    handle: async ({ scope, context }: ScopedCall) => ok(readWebhookSettings(context, scope)),
  },
  {
    method: 'put',
    path: '/integration/webhook-settings',
    credential,
    tag,
    name: 'updateWebhookSettings',
    summary: 'Set or remove the account-level webhook URL',
    description: [
      "It gets every specified event of the account's own items, is never disabled and does not recover by itself. Setting it does not show the secret: read it or replace it.",
      'With null nothing is sent, and events that happen meanwhile are not kept for it; the feed has them.',
    ].join('\n'),
    request: { schema: webhookSettingsChangeSchema },
    answers: { 200: { description: 'Done', schema: successSchema } },
    handle: async ({ scope, body, context }: ScopedCall) => {
      await setWebhookUrl(context, scope, readWebhookSettingsChange(body).webhookUrl);
      return { status: 200, body: { success: true } };
    },
  },
  {
    method: 'post',
    path: '/integration/webhook-settings/rotate-secret',
    credential,
    tag,
    name: 'rotateAccountWebhookSecret',
    summary: 'Replace the secret of the account-level webhook URL',
    description: 'The old one signs nothing from now on, not even the retries of deliveries on their way.',
    answers: { 200: { description: 'The new secret, shown only here', schema: webhookSettingsSchema } },
    handle: async ({ scope, context }: ScopedCall) => ok(rotateSettingsSecret(context, scope)),
  },
  {
    method: 'get',
    path: '/integration/webhook-deliveries',
    credential,
    tag,
    name: 'listWebhookDeliveries',
    summary: 'Read the log of webhook attempts',
    description:
      'One record for each attempt, kept for 30 days. What was never attempted (held back because the endpoint is disabled) is not in it. With `limit`, `cursor`, `from`, `to` or `sort` it comes in pages.',
    query: webhookDeliveryParameters,
    answers: {
      200: {
        description: 'The most recent that match, newest first, or as `sort` says',
        schema: webhookDeliveryListSchema,
      },
    },
    refusals: ['BAD_REQUEST'],
    handle: async ({ scope, context, query }: ScopedCall) =>
      ok(listWebhookDeliveries(context, scope, readWebhookDeliveryQuery(query))),
  },
  {
    method: 'get',
    path: '/integration/webhook-deliveries/{id}',
    credential,
    tag,
    name: 'getWebhookDelivery',
    summary: 'Read one webhook attempt with what was sent and answered',
    description:
      '`request` is what this attempt sent, signatures included, and `delivery` how all of its attempts stand; kept for 30 days, then null.',
    params: {
      id: deliveryParam(
        'AttemptId',
        'The `id` of a record in the log; a `deliveryId` is not taken here',
        'dlv_0b5c1c5e-6b0a-4d1f-9a55-0a1f0c9d7e11_sold_ord_90019_0d9c8f6e-3c1b-4e7d-9a52-6f1e2b3c4d5e_1:2',
      ),
    },
    answers: { 200: { description: 'The record in full', schema: webhookDeliveryDetailsSchema } },
    refusals: ['NOT_FOUND'],
    handle: async (call: ScopedCall) => ok(readWebhookDelivery(call.context, call.scope, param(call, 'id'))),
  },
  {
    method: 'get',
    path: '/integration/webhook-statistics',
    credential,
    tag,
    name: 'getWebhookStatistics',
    summary: 'Read success rates and response times',
    description:
      'Of each receiver, over the attempts of the last seven days, the newest 500 at most. Response times are of the attempts that were answered; one that timed out or was not connected counts as failed and has none.',
    query: { endpointId: webhookDeliveryParameters.endpointId },
    answers: { 200: { description: 'The account-level URL, then every endpoint', schema: webhookStatisticsSchema } },
    refusals: ['BAD_REQUEST'],
    handle: async ({ scope, query, context }: ScopedCall) =>
      ok(readWebhookStatistics(context, scope, readWebhookStatisticsQuery(query))),
  },
];

const base = '/integration/v1/webhooks';

/**
 * Endpoints and deliveries for programs: the session's routes again, under paths of their own and with a key. The
 * specified paths still refuse keys. The account-level URL needs a session, because its first read shows its secret.
 */
const sameByKey = ({ forMembers: _forMembers, ...route }: SessionRoute): KeyRoute => ({
  ...route,
  path: route.path.replace('/integration/', '/integration/v1/'),
  name: `${route.name}ByKey`,
  summary: `${route.summary}, with an API key`,
  credential: 'api-key',
  keyScope: route.method === 'get' ? 'webhooks:read' : 'webhooks:write',
  isOwnAlone: true,
  ...(route.name === 'createWebhook' && { handle: postWebhookUnder(base) }),
});

const isSession = (route: Route): route is SessionRoute => route.credential === 'jwt';
const isOfSettings = ({ path }: Route): boolean => path.startsWith('/integration/webhook-settings');

/** The routes of {@link webhookRoutes} and of recoveries, for keys. */
export const webhookKeyRoutes: readonly KeyRoute[] = [...webhookRoutes, ...webhookRecoveryRoutes]
  .filter(isSession)
  .filter((route) => !isOfSettings(route))
  .map(sameByKey);
