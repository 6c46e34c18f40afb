import {
  dryRunParameter,
  madeDeliverySchema,
  previewSchema,
  recoveryListSchema,
  recoverySchema,
  recoveryWishSchema,
  testWishSchema,
} from '../../schemas/webhooks/webhook-recovery.ts';
import type { Route } from '../http/route.ts';
import { postWebhookDeliveryRedeliver } from '../webhook-deliveries/post-webhook-delivery-redeliver.ts';
import { getWebhookRecoveries } from '../webhooks/get-webhook-recoveries.ts';
import { postWebhookRecover } from '../webhooks/post-webhook-recover.ts';
import { postWebhookTest } from '../webhooks/post-webhook-test.ts';

const credential = 'jwt';
const tag = 'Webhooks';
const made = { description: 'It is on its way; the log says how it went', schema: madeDeliverySchema };
const preview = { description: 'With `dryRun=true`: how many there would be', schema: previewSchema };

interface TargetPaths {
  /** `/integration/webhooks/{id}` or the path of the account-level URL. */
  readonly base: string;
  readonly name: string;
  readonly params?: Route['params'];
}

/** The same three for an endpoint and for the account-level URL, which is a target like any other. */
const targetRoutes = ({ base, name, params }: TargetPaths): readonly Route[] => [
  {
    ...{ method: 'post', path: `${base}/test`, credential, tag, idempotent: true, ...(params && { params }) },
    summary: `Send a test event to ${name}`,
    request: { schema: testWishSchema, isOptional: true },
    answers: { 202: made },
    refusals: ['NOT_FOUND', 'CONFLICT'],
    handle: postWebhookTest,
  },
  {
    ...{ method: 'post', path: `${base}/recover`, credential, tag, idempotent: true, ...(params && { params }) },
    summary: `Send again what ${name} missed`,
    query: dryRunParameter,
    request: { schema: recoveryWishSchema },
    answers: { 200: preview, 202: { description: 'The run that has begun', schema: recoverySchema } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT'],
    handle: postWebhookRecover,
  },
  {
    ...{ method: 'get', path: `${base}/recoveries`, credential, tag, ...(params && { params }) },
    summary: `List the latest recoveries of ${name}`,
    answers: { 200: { description: 'The 20 newest, newest first', schema: recoveryListSchema } },
    refusals: ['NOT_FOUND', 'CONFLICT'],
    handle: getWebhookRecoveries,
  },
];

export const webhookRecoveryRoutes: readonly Route[] = [
  ...targetRoutes({
    base: '/integration/webhooks/{id}',
    name: 'a webhook endpoint',
    params: { id: 'Id of the endpoint' },
  }),
  ...targetRoutes({ base: '/integration/webhook-settings', name: 'the account-level webhook URL' }),
  {
    ...{ method: 'post', path: '/integration/webhook-deliveries/{id}/redeliver', credential, tag, idempotent: true },
    summary: 'Send an event once more to the same target',
    params: { id: 'Id of a record in the log, or a deliveryId' },
    query: dryRunParameter,
    answers: { 200: preview, 202: made },
    refusals: ['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT'],
    handle: postWebhookDeliveryRedeliver,
  },
];
