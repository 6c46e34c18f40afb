import Type from 'typebox';
import { told } from '../../features/rules/field-problems.ts';

import { eventTypes, type EventType } from '../../features/webhooks/rules/event-types.ts';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import { BadValue, readQuery, wholeNumber, type ParameterReader } from '../query.ts';
import { eventSchemas } from './event-schemas.ts';

/** The body of a delivery of any event type. */
const anyEventSchema = Type.Unsafe<Record<string, unknown>>({
  $id: 'Event',
  title: 'Event',
  description: 'An event as a delivery of it says it; `eventType` tells which of the forms it has',
  type: 'object',
  required: ['eventType'],
  discriminator: { propertyName: 'eventType' },
  oneOf: eventTypes.map((type) => eventSchemas[type]),
});

/** The answer of `GET /integration/events`. Source: interface-decisions "Events and webhooks". */
export const eventFeedSchema = Type.Object(
  {
    events: Type.Array(anyEventSchema, { description: 'Oldest first, each one exactly as deliveries carry it' }),
    nextCursor: Type.String({
      description: '`after` of the next call; also there when nothing is new, so it can always be stored',
    }),
  },
  { $id: 'EventFeed', title: 'EventFeed', description: 'What happened to the items of an account since a position' },
);

const limits = { min: 1, max: 500, standard: 100 } as const;

export const eventFeedParameters = {
  after: {
    description:
      '`nextCursor` of an earlier answer; `now` to begin at the end: no events, and the cursor behind the newest; without it the answer begins with the oldest event kept',
    schema: Type.String({ minLength: 1, maxLength: 100 }),
  },
  types: {
    description:
      'Event types with commas between: only these. Left out: the six of the specification, as an endpoint with an empty `eventTypes` gets them. With `types` a page may be empty and not the last one: go on until `nextCursor` stays the same',
    schema: Type.String({ minLength: 1, maxLength: 300, examples: ['order.paid,order.shipped'] }),
  },
  limit: {
    description: `At most so many events; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
};

/** Position of a reader in the events of one account. */
export interface EventCursor {
  readonly account: AccountId;
  /** Number of the last event that the reader has; 0 before the first. */
  readonly number: number;
  /** The run of numbers that it belongs to (features/webhooks/store/feed-epoch.ts). */
  readonly epoch: string;
}

export interface EventFeedQuery {
  /** null: from the oldest event; `now`: after the newest. */
  readonly after: EventCursor | 'now' | null;
  readonly limit: number;
  /** The requested types; absent: the specified ones. */
  readonly types?: readonly EventType[] | undefined;
}

/** Throws Refusal BAD_REQUEST. */
export function readEventFeedQuery(query: Readonly<Record<string, string>>): EventFeedQuery {
  const { after, limit, types } = readQuery(query, {
    after: (raw) => (raw === 'now' ? raw : readCursor(raw)),
    limit: wholeNumber(limits),
    types: readTypes,
  });
  return { after: after ?? null, limit: limit ?? limits.standard, types };
}

const readTypes: ParameterReader<readonly EventType[]> = (raw) => {
  const named = raw.split(',').map((name) => eventTypes.find((type) => type === name));
  const known = named.filter((type) => type !== undefined);
  return known.length === named.length ? known : new BadValue(told('not_some_of', { allowed: eventTypes.join(', ') }));
};

/**
 * Contains the account, because a reseller reads many accounts and must not use a position of one for another. Partners store
 * cursors, so old forms stay readable: version 1 has no epoch, as before the first restore.
 */
export const writeEventCursor = ({ account, number, epoch }: EventCursor): string =>
  Buffer.from(`${epoch === '' ? '1' : `2:${epoch}`}:${number}:${account}`, 'latin1').toString('base64url');

const readCursor: ParameterReader<EventCursor> = (raw) => {
  const text = Buffer.from(raw, 'base64url').toString('latin1');
  const [, epoch = '', digits, account] = /^(?:1|2:([\w-]{8})):(0|[1-9]\d{0,14}):([\da-f-]{36})$/.exec(text) ?? [];
  const notOurs = new BadValue(told('unknown_cursor'));
  if (digits === undefined || account === undefined) return notOurs;
  const cursor = { account: accountId(account), number: Number(digits), epoch };
  // Decoding accepts invalid base64url, so a cursor counts only if writing it again gives the same text.
  return writeEventCursor(cursor) === raw ? cursor : notOurs;
};
