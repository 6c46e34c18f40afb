import {
  dryRunParameter,
  madeDeliverySchema,
  previewSchema,
  recoveryListSchema,
  recoverySchema,
  recoveryWishSchema,
  testWishSchema,
  readDryRun,
  readRecoverySince,
  readTestWish,
} from '../../schemas/webhooks/webhook-recovery.ts';
import { deliveryParam, endpointParams } from './parameters.ts';
import { type Answer, type Route, ok, param, type ScopedCall } from '../http/route.ts';
import { endpointId, type EndpointId } from '../../features/rules/ids.ts';
import { listTargetRecoveries, previewRecovery, recoverTarget } from '../../features/webhooks/recover-target.ts';
import { sendTestEvent } from '../../features/webhooks/register-webhook.ts';
import { previewRedelivery, redeliver } from '../../features/webhooks/webhook-deliveries.ts';

const credential = 'jwt';
const tag = 'Webhooks';
const made = { description: 'It is on its way; the log says how it went', schema: madeDeliverySchema };
const preview = { description: 'With `dryRun=true`: how many there would be', schema: previewSchema };

const redeliveryId = deliveryParam(
  'AttemptOrDeliveryId',
  'Either the `id` of a record in the log, or its `deliveryId`',
  'dlv_0b5c1c5e-6b0a-4d1f-9a55-0a1f0c9d7e11_sold_ord_90019_0d9c8f6e-3c1b-4e7d-9a52-6f1e2b3c4d5e_1',
);
const noUrl = '- 409 `CONFLICT` on the paths of the account-level URL: there is none; set it first.';

/** The endpoint of the path; null on the paths of the account-level URL, which have no id. */
const targetOf = ({ params }: ScopedCall): EndpointId | null =>
  params['id'] === undefined ? null : endpointId(params['id']);

async function sendTest(call: ScopedCall): Promise<Answer> {
  const { eventType } = readTestWish(call.body);
  const wish = { endpointId: targetOf(call), eventType };
  return { status: 202, body: await sendTestEvent(call.context, call.scope, wish) };
}

async function recover(call: ScopedCall): Promise<Answer> {
  const isDryRun = readDryRun(call.query);
  const wish = { endpointId: targetOf(call), since: readRecoverySince(call.body, new Date()) };
  if (isDryRun) return ok(previewRecovery(call.context, call.scope, wish));
  return { status: 202, body: await recoverTarget(call.context, call.scope, wish) };
}

async function listRecoveries(call: ScopedCall): Promise<Answer> {
  const recoveries = await listTargetRecoveries(call.context, call.scope, targetOf(call));
  return { status: 200, body: { recoveries } };
}

interface TargetPaths {
  /** `/integration/webhooks/{id}`, or the path of the account-level URL. */
  readonly base: string;
  /** Part of the operations' names: `testWebhook`. */
  readonly noun: 'Webhook' | 'AccountWebhook';
  /** Part of their summaries. */
  readonly target: string;
  readonly params?: Route['params'];
}

/** The same three routes for an endpoint and for the account-level URL, which is a target as well. */
const targetRoutes = ({ base, noun, target, params }: TargetPaths): readonly Route[] => [
  {
    method: 'post',
    path: `${base}/test`,
    credential,
    tag,
    idempotent: true,
    ...(params && { params }),
    name: `test${noun}`,
    summary: `Send a test event to ${target}`,
    description: [
      'One signed attempt, without retries, also to a disabled endpoint and whatever its `eventTypes`. Its body has `data.test: true`, it is in no feed, and a failure never counts in `failCount`.',
      'One that gets through begins the recovery of an enabled endpoint with `autoRecover`.',
      noUrl,
    ].join('\n'),
    request: { schema: testWishSchema, isOptional: true },
    answers: { 202: made },
    refusals: ['NOT_FOUND', 'CONFLICT'],
    handle: sendTest,
  },
  {
    method: 'post',
    path: `${base}/recover`,
    credential,
    tag,
    idempotent: true,
    ...(params && { params }),
    name: `recover${noun}`,
    summary: `Send again what ${target} missed`,
    description: [
      'A run in the background sends what was given up or held back since then and has not got through: one at a time, at most 20 a second, oldest first in the order in which events were stored. Live events overtake it.',
      'An event that fails all its attempts again is passed over and stays missed; 10 in a row that fail stop the run (answers 400, 409, 413, 415 and 422 are about the event and do not count there). `failCount` is never touched.',
      '',
      '- With `dryRun=true`: 200 with how many events there are now, and no effect; also where the call itself would be 409 because of a disabled endpoint or a run.',
      '- Without: 202 with the run; the list of recoveries shows how far it is.',
      '- 409 `CONFLICT`: the endpoint is disabled, or a recovery of it is running.',
      noUrl,
    ].join('\n'),
    query: dryRunParameter,
    request: { schema: recoveryWishSchema },
    answers: { 200: preview, 202: { description: 'The run that has begun', schema: recoverySchema } },
    refusals: ['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT'],
    handle: recover,
  },
  {
    method: 'get',
    path: `${base}/recoveries`,
    credential,
    tag,
    ...(params && { params }),
    name: `list${noun}Recoveries`,
    summary: `List the latest recoveries of ${target}`,
    description: ['Runs are kept for 30 days.', noUrl].join('\n'),
    answers: { 200: { description: 'The 20 newest, newest first', schema: recoveryListSchema } },
    refusals: ['NOT_FOUND', 'CONFLICT'],
    handle: listRecoveries,
  },
];

export const webhookRecoveryRoutes: readonly Route[] = [
  ...targetRoutes({
    base: '/integration/webhooks/{id}',
    noun: 'Webhook',
    target: 'a webhook endpoint',
    params: endpointParams,
  }),
  ...targetRoutes({
    base: '/integration/webhook-settings',
    noun: 'AccountWebhook',
    target: 'the account-level webhook URL',
  }),
  {
    method: 'post',
    path: '/integration/webhook-deliveries/{id}/redeliver',
    credential,
    tag,
    idempotent: true,
    name: 'redeliverWebhookDelivery',
    summary: 'Send an event once more to the same target',
    description: [
      'A new delivery of the same event with its own attempts, also when an earlier one got through, and also to a disabled endpoint; `failCount` is never touched. A test is sent again as a test.',
      "It has the same `eventId` and the same body, but for a member's event the reference that the member has now.",
      '',
      '- With `dryRun=true`: 200 with `count` 1, the same refusals, and no effect. Without: 202.',
      '- 403 `PARTNER_ACCOUNT_FORBIDDEN`: it is an event of an order, and the member does not share its orders with you.',
      '- 404 `NOT_FOUND`: no such record, or the event is older than 30 days.',
      '- 409 `CONFLICT`: the event is on its way to the same target; or the target is gone, has no URL or another `scope`, or the member is no longer yours.',
    ].join('\n'),
    params: { id: redeliveryId },
    query: dryRunParameter,
    answers: { 200: preview, 202: made },
    refusals: ['PARTNER_ACCOUNT_FORBIDDEN', 'BAD_REQUEST', 'NOT_FOUND', 'CONFLICT'],
    handle: async (call: ScopedCall) => {
      const id = param(call, 'id');
      if (readDryRun(call.query)) return ok(previewRedelivery(call.context, call.scope, id));
      return { status: 202, body: await redeliver(call.context, call.scope, id) };
    },
  },
];
