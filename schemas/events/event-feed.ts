import Type from 'typebox';

import { eventTypes } from '../../core/events/event-types.ts';
import { BadValue, readQuery, wholeNumber, type ParameterReader } from '../query.ts';
import { eventSchemas } from './event-schemas.ts';

/** The body of a delivery, of whichever type. */
const anyEventSchema = Type.Unsafe<Record<string, unknown>>({
  $id: 'Event',
  title: 'Event',
  description: 'An event as a delivery of it says it; `eventType` tells which of the forms it has',
  type: 'object',
  required: ['eventType'],
  discriminator: { propertyName: 'eventType' },
  oneOf: eventTypes.map((type) => eventSchemas[type]),
});

/** The answer of `GET /integration/events`. Source: decisions "Events and webhooks". */
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
    description: '`nextCursor` of an earlier answer; without it the answer begins with the oldest event kept',
    schema: Type.String({ minLength: 1, maxLength: 100 }),
  },
  limit: {
    description: `At most so many events; ${limits.standard} when not given`,
    schema: Type.Integer({ minimum: limits.min, maximum: limits.max }),
  },
};

export interface EventFeedQuery {
  /** Number of the last event that the reader has; null to begin with the oldest. */
  readonly after: number | null;
  readonly limit: number;
}

/** Throws Refusal BAD_REQUEST. */
export function readEventFeedQuery(query: Readonly<Record<string, string>>): EventFeedQuery {
  const { after, limit } = readQuery(query, { after: readCursor, limit: wholeNumber(limits) });
  return { after: after ?? null, limit: limit ?? limits.standard };
}

const version = 1;

/** Only a position: whose events are read is decided by the credential. Partners store cursors, so old forms stay readable. */
export const writeEventCursor = (number: number): string =>
  Buffer.from(`${version}:${number}`, 'latin1').toString('base64url');

const readCursor: ParameterReader<number> = (raw) => {
  const [, digits] = /^1:(0|[1-9]\d{0,14})$/.exec(Buffer.from(raw, 'base64url').toString('latin1')) ?? [];
  // Decoding forgives what is no base64url, so only what would be written the same way was written here.
  const isOwn = digits !== undefined && writeEventCursor(Number(digits)) === raw;
  return isOwn ? Number(digits) : new BadValue('must be the nextCursor of an earlier answer');
};
