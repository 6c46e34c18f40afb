import Type, { type Static } from 'typebox';
import { told, type Told } from '../../features/rules/field-problems.ts';
import { keptMs } from '../../features/webhooks/rules/recovery.ts';
import { compileReader, validationFailed } from '../compile-schema.ts';
import { oneOf, readQuery } from '../query.ts';
import { time } from '../fields.ts';
import { eventTypeSchema } from './webhook-endpoint.ts';

/** A delivery that the caller has requested. */
export const madeDeliverySchema = Type.Object(
  {
    deliveryId: Type.String({ description: 'Filter of the log: how it went' }),
    eventId: Type.String({ description: 'As the receiver gets it' }),
  },
  { $id: 'MadeDelivery' },
);

export const testWishSchema = Type.Object(
  {
    eventType: Type.Optional(eventTypeSchema),
  },
  {
    $id: 'WebhookTestWish',
    description: 'A sample of which type is sent; left out: a `webhook.test`',
    additionalProperties: false,
  },
);

export const recoveryWishSchema = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'Sends again what was missed since then; at most 30 days ago',
      examples: ['2026-11-20T08:00:00Z'],
    }),
  },
  { $id: 'WebhookRecoveryWish', additionalProperties: false },
);

/** One run that sends missed events again. */
export const recoverySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    endpointId: Type.Optional(Type.String({ format: 'uuid', description: 'Left out for the account-level URL' })),
    kind: Type.Enum(['manual', 'auto'], {
      $id: 'WebhookRecoveryKind',
      description: '`auto`: because the endpoint has autoRecover',
    }),
    state: Type.Enum(['running', 'finished', 'stopped'], { $id: 'WebhookRecoveryState' }),
    stoppedBecause: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Why it did not finish' }),
    since: time('Events from then on'),
    until: time('… to then: when it began'),
    total: Type.Integer({ minimum: 0, description: 'Missed events when it began' }),
    sent: Type.Integer({ minimum: 0, description: 'That got through' }),
    failed: Type.Integer({ minimum: 0, description: 'That did not; they are still missed' }),
    createdAt: time('When it began'),
    updatedAt: time('When it last went on'),
  },
  { $id: 'WebhookRecovery' },
);

export const recoveryListSchema = Type.Object(
  { recoveries: Type.Array(recoverySchema) },
  { $id: 'WebhookRecoveryList' },
);

export const previewSchema = Type.Object(
  { count: Type.Integer({ minimum: 0, description: 'Deliveries that would be made' }) },
  { $id: 'DeliveryPreview' },
);

export type TestWish = Static<typeof testWishSchema>;

/** Throws VALIDATION_FAILED. */
export const readTestWish = compileReader(testWishSchema);

const readWish = compileReader(recoveryWishSchema);

/** Throws VALIDATION_FAILED, also for a time that is in the future or more than 30 days ago. */
export function readRecoverySince(body: unknown, now: Date): Date {
  const since = new Date(readWish(body).since);
  if (Number.isNaN(since.getTime())) throw atSince(told('not_calendar_time'));
  if (since > now) throw atSince(told('in_future'));
  if (since.getTime() < now.getTime() - keptMs) throw atSince(told('too_old', { days: 30 }));
  return since;
}

const atSince = (wrong: Told) => validationFailed([{ field: 'since', ...wrong }]);

export const dryRunParameter = {
  dryRun: {
    component: 'DryRun',
    description: '`true`: says how many deliveries it would make, and does nothing',
    schema: Type.Boolean(),
  },
};

/** Throws BAD_REQUEST. */
export const readDryRun = (query: Readonly<Record<string, string>>): boolean =>
  readQuery(query, { dryRun: oneOf(['true', 'false']) }).dryRun === 'true';
