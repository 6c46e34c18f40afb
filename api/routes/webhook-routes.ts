import {
  webhookDeliveryDetailsSchema,
  webhookDeliveryListSchema,
  webhookDeliveryParameters,
} from '../../schemas/webhooks/webhook-delivery.ts';
import {
  newWebhookSchema,
  webhookChangeSchema,
  webhookListSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from '../../schemas/webhooks/webhook-endpoint.ts';
import {
  successSchema,
  webhookSettingsChangeSchema,
  webhookSettingsSchema,
} from '../../schemas/webhooks/webhook-settings.ts';
import type { Route } from '../http/route.ts';
import { getWebhookDeliveries } from '../webhook-deliveries/get-webhook-deliveries.ts';
import { getWebhookDelivery } from '../webhook-deliveries/get-webhook-delivery.ts';
import { getWebhookSettings } from '../webhook-settings/get-webhook-settings.ts';
import { postWebhookSettingsRotateSecret } from '../webhook-settings/post-webhook-settings-rotate-secret.ts';
import { putWebhookSettings } from '../webhook-settings/put-webhook-settings.ts';
import { deleteWebhook } from '../webhooks/delete-webhook.ts';
import { getWebhooks } from '../webhooks/get-webhooks.ts';
import { patchWebhook } from '../webhooks/patch-webhook.ts';
import { postWebhook } from '../webhooks/post-webhook.ts';
import { postWebhookRotateSecret } from '../webhooks/post-webhook-rotate-secret.ts';

const credential = 'jwt';
const tag = 'Webhooks';
const params = { id: 'Id of the endpoint' };

export const webhookRoutes: readonly Route[] = [
  {
    ...{ method: 'get', path: '/integration/webhooks', credential, tag },
    summary: 'List the webhook endpoints',
    answers: { 200: { description: 'Oldest first, secrets masked', schema: webhookListSchema } },
    handle: getWebhooks,
  },
  {
    ...{ method: 'post', path: '/integration/webhooks', credential, tag, idempotent: true },
    summary: 'Register a webhook endpoint',
    request: { schema: newWebhookSchema },
    answers: { 201: { description: 'The endpoint with its secret, shown only here', schema: webhookWithSecretSchema } },
    refusals: ['RESELLER_AGREEMENT_REQUIRED', 'CONFLICT'],
    handle: postWebhook,
  },
  {
    ...{ method: 'patch', path: '/integration/webhooks/{id}', credential, tag, params },
    summary: 'Change a webhook endpoint',
    request: { schema: webhookChangeSchema },
    answers: { 200: { description: 'The endpoint as it is now', schema: webhookSchema } },
    refusals: ['RESELLER_AGREEMENT_REQUIRED', 'NOT_FOUND'],
    handle: patchWebhook,
  },
  {
    ...{ method: 'delete', path: '/integration/webhooks/{id}', credential, tag, params },
    summary: 'Remove a webhook endpoint',
    answers: { 204: { description: 'Removed; deliveries on their way to it stop' } },
    refusals: ['NOT_FOUND'],
    handle: deleteWebhook,
  },
  {
    ...{ method: 'post', path: '/integration/webhooks/{id}/rotate-secret', credential, tag, params },
    summary: 'Replace the signing secret of an endpoint',
    answers: {
      200: { description: 'The endpoint with its new secret, shown only here', schema: webhookWithSecretSchema },
    },
    refusals: ['NOT_FOUND'],
    handle: postWebhookRotateSecret,
  },
  {
    ...{ method: 'get', path: '/integration/webhook-settings', credential, tag },
    summary: 'Read the account-level webhook URL and its secret',
    answers: { 200: { description: 'The secret is shown in full the first time', schema: webhookSettingsSchema } },
    handle: getWebhookSettings,
  },
  {
    ...{ method: 'put', path: '/integration/webhook-settings', credential, tag },
    summary: 'Set or remove the account-level webhook URL',
    request: { schema: webhookSettingsChangeSchema },
    answers: { 200: { description: 'Done', schema: successSchema } },
    handle: putWebhookSettings,
  },
  {
    ...{ method: 'post', path: '/integration/webhook-settings/rotate-secret', credential, tag },
    summary: 'Replace the secret of the account-level webhook URL',
    answers: { 200: { description: 'The new secret, shown only here', schema: webhookSettingsSchema } },
    handle: postWebhookSettingsRotateSecret,
  },
  {
    ...{ method: 'get', path: '/integration/webhook-deliveries', credential, tag },
    summary: 'Read the log of webhook attempts',
    query: webhookDeliveryParameters,
    answers: {
      200: { description: 'The 100 most recent that match, newest first', schema: webhookDeliveryListSchema },
    },
    refusals: ['BAD_REQUEST'],
    handle: getWebhookDeliveries,
  },
  {
    ...{ method: 'get', path: '/integration/webhook-deliveries/{id}', credential, tag },
    summary: 'Read one webhook attempt with what was sent and answered',
    params: { id: 'Id of the record in the log' },
    answers: { 200: { description: 'The record in full', schema: webhookDeliveryDetailsSchema } },
    refusals: ['NOT_FOUND'],
    handle: getWebhookDelivery,
  },
];
