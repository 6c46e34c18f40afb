import { deliveredTypes, testEventType, type DeliveredType } from '../../features/webhooks/rules/event-types.ts';
import { accountId } from '../../features/rules/ids.ts';
import type { Envelope } from '../../features/webhooks/rules/envelope.ts';
import { disableAfterFailures } from '../../features/webhooks/rules/disable-after-failures.ts';
import { attemptsMax, attemptTimeoutMs } from '../../features/webhooks/rules/retry-schedule.ts';
import { sampleEvent } from '../../features/webhooks/rules/sample-event.ts';
import { deliveredSchemas } from '../../schemas/events/event-schemas.ts';
import type { Components } from './components.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Differs from the tag of the operations, because some generators write one file for each tag, and one would overwrite
 * the other.
 */
export const webhookEventTag = 'Webhook events';

/** `webhooks` of the document: the requests to a registered endpoint, one entry per event type. */
export const describeWebhooks = (components: Components): Json =>
  Object.fromEntries(deliveredTypes.map((type) => [type, { post: describeWebhook(type, components) }]));

function describeWebhook(type: DeliveredType, components: Components): Json {
  const schema = deliveredSchemas[type];
  return {
    operationId: operationId(type),
    tags: [webhookEventTag],
    summary: 'description' in schema ? schema.description : type,
    description: type === testEventType ? testText : deliveryText,
    // The signatures identify the sender.
    security: [],
    parameters: [...signatureHeaders, causeHeader],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.refer(schema), example: exampleOf(type) } },
    },
    responses,
  };
}

/** `item.images_ready` → `onItemImagesReady`. */
const operationId = (type: DeliveredType): string =>
  `on${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

const attempts = [
  'An attempt counts as delivered when a 2xx has come, with its body to the end,',
  `within ${attemptTimeoutMs / 1000} seconds; redirects are not followed.`,
].join(' ');

const deliveryText = [
  `${attempts} Otherwise it is made again after 1, 2, 4 and 8 seconds, ${attemptsMax} in all; 410 ends the delivery at once.`,
  'A delivery may come more than once: `eventId` and `webhook-id` stay the same. It may come late:',
  '`data.sequence` tells which of two events of an item is newer. Fields may be added over time and are never taken away.',
  `After ${disableAfterFailures} deliveries in a row that were given up, an endpoint is disabled.`,
].join(' ');

const testText = `${attempts} A test is sent once. \`data.test\` is true on it, as on a sample of another type that was asked for as a test.`;

/** Not a component: generators do not follow references to parameters in this section. */
const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
});

const signatureHeaders = [
  header(
    'X-Service-Signature',
    '`sha256=` and the lowercase hex HMAC-SHA256 of the raw body, keyed by the whole `whsec_` secret of the endpoint as text',
    { pattern: '^sha256=[0-9a-f]{64}$' },
  ),
  header('webhook-id', 'The eventId (Standard Webhooks)', { pattern: '^evt_.+$' }),
  header(
    'webhook-timestamp',
    'When this attempt was signed, in seconds since 1970; refuse what is older than 5 minutes',
    {
      pattern: '^[0-9]+$',
    },
  ),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the bytes that the secret encodes in base64 after `whsec_` (Standard Webhooks)',
    { pattern: '^v1,[A-Za-z0-9+/]{43}=$' },
  ),
];

/** Not signed: only for searches, never for decisions. */
const causeHeader = {
  ...header(
    'X-Request-Id',
    '`X-Request-Id` of the call that caused the event, or an id of the service when the marketplace did; the same in every attempt. Absent where that is not known. To be quoted to support; it is not signed',
    { pattern: '^[\\w.:-]{1,128}$' },
  ),
  required: false,
};

const responses = {
  '2XX': {
    description: `Taken. The whole answer has to come within ${attemptTimeoutMs / 1000} seconds; its body is not read for meaning.`,
  },
  '410': { description: 'Not wanted any more: the delivery is given up at once' },
  default: { description: 'Any other answer, or none in time, is a failed attempt' },
};

/** An example of a real event; a test of the type has `data.test` in addition. */
function exampleOf(type: DeliveredType): Envelope {
  const sample = sampleEvent(type, {
    accountId: accountId('7d1f6a0e-2a55-4c3b-8f0e-5d2b9c7a4e10'),
    eventId: type === testEventType ? 'evt_test_9f3c2b71' : 'evt_0b5c1c5e6b0a4d1f9a550a1f0c9d7e11',
    now: new Date('2026-03-02T09:15:04.120Z'),
  });
  if (type === testEventType) return sample;
  const { test: _onlyOnTests, ...data } = sample.data;
  const item = { externalId: 'BX-1042', serviceItemId: '0b5c1c5e-6b0a-4d1f-9a55-0a1f0c9d7e11' };
  return { ...sample, data: { ...data, ...item } };
}
