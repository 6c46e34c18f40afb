import Type from 'typebox';
import { told } from '../../features/rules/field-problems.ts';
import { deliveredTypes, type DeliveredType } from '../../features/webhooks/rules/event-types.ts';
import { deliveryId, endpointId, type DeliveryId, type EndpointId } from '../../features/rules/ids.ts';
import { externalIdLengthMax } from '../items/external-id.ts';
import {
  BadValue,
  createdSortParameter,
  createdSorts,
  cursorParameter,
  isoTime,
  oneOf,
  readListCursor,
  readQuery,
  timeAndId,
  wholeNumber,
  writeListCursor,
  type CreatedSort,
  type ParameterReader,
} from '../query.ts';
import { time } from '../fields.ts';

export const webhookDeliveryStatuses = ['success', 'failed'] as const;
const statusSchema = Type.Enum([...webhookDeliveryStatuses], {
  $id: 'WebhookDeliveryStatus',
  description: 'How an attempt ended',
});

/** One attempt. Source: specification "Webhook delivery log record". */
export const webhookDeliverySchema = Type.Object(
  {
    id: Type.String(),
    externalId: Type.String(),
    eventType: Type.String(),
    status: statusSchema,
    errorMessage: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Network or HTTP error' }),
    createdAt: time('When it was attempted'),
    endpointId: Type.Optional(Type.String({ description: 'Left out for the account-level URL' })),
    deliveryId: Type.String({ description: 'The same for all attempts of one delivery' }),
    eventId: Type.String(),
    attempt: Type.Integer({ minimum: 1, description: 'Which attempt of its delivery it was' }),
    httpStatus: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    durationMs: Type.Integer(),
  },
  { $id: 'WebhookDelivery' },
);

export const webhookDeliveryListSchema = Type.Object(
  {
    deliveries: Type.Array(webhookDeliverySchema),
    nextCursor: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description:
          '`cursor` of the next page, null at the end; there when `limit`, `cursor`, `from`, `to` or `sort` is given',
      }),
    ),
  },
  { $id: 'WebhookDeliveryList' },
);

const states = ['pending', 'succeeded', 'given_up', 'held', 'stopped'];
const purposes = ['event', 'test', 'redelivery', 'recovery'];

const deliverySchema = Type.Object(
  {
    state: Type.Enum(states, {
      $id: 'WebhookDeliveryState',
      description:
        '`given_up` after its last attempt; `held` because the endpoint was disabled; `stopped` because it went away',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Attempts so far, with one that is on its way' }),
    purpose: Type.Optional(Type.Enum(purposes, { $id: 'WebhookDeliveryPurpose', description: 'Why it was made' })),
  },
  { $id: 'WebhookDeliveryStanding', description: 'How all attempts of a delivery stand' },
);

/** The answer of `GET /integration/webhook-deliveries/{id}`. */
export const webhookDeliveryDetailsSchema = Type.Object(
  {
    ...webhookDeliverySchema.properties,
    response: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The first KB of what the receiver answered; null when it answered nothing',
    }),
    request: Type.Object(
      {
        headers: Type.Unsafe<unknown>({
          type: ['object', 'null'],
          additionalProperties: { type: 'string' },
          examples: [{ 'webhook-id': 'evt_1', 'webhook-timestamp': '1764157000', 'X-Service-Signature': 'sha256=…' }],
          description:
            'The headers that this attempt sent, signatures included; null where they are not known: the sending process stopped, or it was sent before headers were kept',
        }),
        body: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'What was signed and sent, byte for byte; null when it is no longer kept',
        }),
      },
      { $id: 'WebhookDeliveryRequest', description: 'What was sent' },
    ),
    delivery: Type.Unsafe<unknown>({
      anyOf: [deliverySchema, { type: 'null' }],
      description: 'How all of the delivery stands now; null when it is no longer kept',
    }),
  },
  { $id: 'WebhookDeliveryDetails' },
);

/** `standard` is the default. Source: specification "Limits". */
const limits = { min: 1, max: 200, standard: 100 } as const;

/** Value of the filter `endpointId` for the account-level URL. It can't collide with an endpoint's id, which is a UUID. */
const accountLevelUrl = 'account';
const receiverOf = (value: string): EndpointId | null => (value === accountLevelUrl ? null : endpointId(value));
const deliveredTypeSchema = Type.Enum([...deliveredTypes], {
  $id: 'DeliveredType',
  description: 'An event type, or a test',
});
const text = (description: string, maxLength: number) => ({
  description,
  schema: Type.String({ minLength: 1, maxLength }),
});
/** Longest id of a record or a delivery. */
export const idLengthMax = 500;

export const webhookDeliveryParameters = {
  endpointId: {
    component: 'AttemptsAtEndpoint',
    ...text(`Only attempts at this endpoint; \`${accountLevelUrl}\` for the account-level URL`, idLengthMax),
  },
  status: { component: 'AttemptsEnded', description: 'Only attempts that ended so', schema: statusSchema },
  eventType: {
    component: 'AttemptsOfType',
    description: 'Only attempts for events of this type',
    schema: deliveredTypeSchema,
  },
  externalId: { component: 'AttemptsOfItem', ...text('Only attempts for events of this item', externalIdLengthMax) },
  deliveryId: { component: 'AttemptsOfDelivery', ...text('Only the attempts of this delivery', idLengthMax) },
  from: {
    component: 'AttemptsFrom',
    description: 'ISO 8601: only attempts made then or later',
    schema: Type.String({ examples: ['2026-11-21T12:00:00Z'] }),
  },
  to: {
    component: 'AttemptsTo',
    description: 'ISO 8601: only attempts made before then',
    schema: Type.String({ examples: ['2026-11-22T12:00:00Z'] }),
  },
  sort: createdSortParameter,
  limit: {
    component: 'AttemptsLimit',
    description: `At most so many records; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
  cursor: cursorParameter,
};

export interface WebhookDeliveryQuery {
  readonly filter: WebhookDeliveryFilter;
  readonly limit: number;
  /** The last record of the previous page. */
  readonly behind: { readonly at: Date; readonly id: string } | undefined;
  /** A parameter was used that the specification lacks; only then does the answer have more fields than specified. */
  readonly isPaged: boolean;
}

export interface WebhookDeliveryFilter {
  /** null for the account-level URL. */
  readonly endpointId?: EndpointId | null;
  readonly status?: (typeof webhookDeliveryStatuses)[number];
  readonly eventType?: DeliveredType;
  readonly externalId?: string;
  readonly deliveryId?: DeliveryId;
  readonly from?: Date;
  readonly to?: Date;
  readonly sort?: CreatedSort;
}

const words =
  (lengthMax: number): ParameterReader<string> =>
  (raw) =>
    raw !== '' && [...raw].length <= lengthMax ? raw : new BadValue(told('wrong_length', { max: lengthMax }));

const readers = {
  endpointId: words(idLengthMax),
  status: oneOf(webhookDeliveryStatuses),
  eventType: oneOf(deliveredTypes),
  externalId: words(externalIdLengthMax),
  deliveryId: words(idLengthMax),
  from: isoTime,
  to: isoTime,
  sort: oneOf(createdSorts),
  limit: wholeNumber(limits),
  cursor: (raw: string) => raw,
};

/** Throws Refusal BAD_REQUEST. */
export function readWebhookDeliveryQuery(query: Readonly<Record<string, string>>): WebhookDeliveryQuery {
  const { limit = limits.standard, cursor, ...wanted } = readQuery(query, readers);
  const { endpointId: endpoint, deliveryId: delivery, ...rest } = wanted;
  const filter = {
    ...rest,
    ...(endpoint !== undefined && { endpointId: receiverOf(endpoint) }),
    ...(delivery !== undefined && { deliveryId: deliveryId(delivery) }),
  };
  const behind = cursor === undefined ? undefined : readCursor(cursor, filter);
  return { filter, limit, behind, isPaged: ['limit', 'cursor', 'from', 'to', 'sort'].some((name) => name in query) };
}

/**
 * The receiver that the query of the statistics names: null for the account-level URL, undefined for all. Throws Refusal
 * BAD_REQUEST.
 */
export function readWebhookStatisticsQuery(query: Readonly<Record<string, string>>): EndpointId | null | undefined {
  const { endpointId: endpoint } = readQuery(query, { endpointId: readers.endpointId });
  return endpoint === undefined ? undefined : receiverOf(endpoint);
}

/** The cursor of the next page, bound to the filters. */
export const writeWebhookDeliveryCursor = (
  { at, id }: { readonly at: Date; readonly id: string },
  filter: WebhookDeliveryFilter,
): string => writeListCursor([at.toISOString(), id], filterText(filter));

const readCursor = (raw: string, filter: WebhookDeliveryFilter) => readListCursor(raw, filterText(filter), timeAndId);

const filterText = (filter: WebhookDeliveryFilter): string =>
  JSON.stringify([
    ...[filter.endpointId, filter.status, filter.eventType, filter.externalId],
    ...[filter.deliveryId, filter.from, filter.to, filter.sort],
  ]);
