import Type, { type Static } from 'typebox';
import { eventTypes } from '../../features/webhooks/rules/event-types.ts';
import { compileReader } from '../compile-schema.ts';
import { text, time } from '../fields.ts';

const urlLengthMax = 2_048;

export const webhookUrl = text({
  description: 'HTTPS address that takes the deliveries; any port',
  maxLength: urlLengthMax,
  format: 'https-url',
  examples: ['https://erp.example.se/hooks/items'],
});
export const eventTypeSchema = Type.Enum([...eventTypes], { $id: 'EventType', description: 'What happened' });
const eventTypeList = Type.Array(eventTypeSchema, {
  description:
    'Only these events; empty means the six specified ones: `order.paid`, `order.shipped`, `order.cancelled` and `item.changed` have to be named',
  maxItems: 50,
});
const scope = Type.Enum(['self', 'members'], {
  $id: 'WebhookScope',
  description: 'Own items, or the items of members managed as reseller',
});
const description = text({ description: 'Free label', maxLength: 500 });

const autoRecover = Type.Boolean({
  description:
    'Whether what it missed in the last 72 hours is sent again by itself, as soon as it answers or is enabled again; false until it is set',
});

const calledHost = Type.Optional(
  Type.String({
    description: 'The host that is called, where the address writes it otherwise: `xn--…` for letters beyond ASCII',
    examples: ['xn--bcher-kva.example'],
  }),
);

/** Record fields that are ignored, so that a caller may send a record back. Other unknown fields are refused as mistakes. */
const ignored = Object.fromEntries(
  [
    ...['id', 'calledHost', 'failCount', 'secret', 'secretHint', 'warning', 'lastError', 'lastFailureAt'],
    ...['disabledReason', 'disabledAt', 'createdAt', 'updatedAt'],
  ].map((name) => [name, Type.Optional(Type.Unknown({ readOnly: true, description: 'Ignored: the service sets it' }))]),
);

export const newWebhookSchema = Type.Object(
  {
    url: webhookUrl,
    eventTypes: Type.Optional(eventTypeList),
    scope: Type.Optional(scope),
    description: Type.Optional(description),
    autoRecover: Type.Optional(autoRecover),
    active: Type.Optional(Type.Boolean({ description: 'false: events are kept for it until it is enabled' })),
    ...ignored,
  },
  { $id: 'NewWebhook', additionalProperties: false },
);

export const webhookChangeSchema = Type.Object(
  {
    url: Type.Optional(webhookUrl),
    eventTypes: Type.Optional(eventTypeList),
    scope: Type.Optional(scope),
    active: Type.Optional(Type.Boolean({ description: 'true enables a disabled endpoint and resets failCount' })),
    description: Type.Optional(description),
    autoRecover: Type.Optional(autoRecover),
    ...ignored,
  },
  { $id: 'WebhookChange', additionalProperties: false },
);

const nullable = (about: string, format?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description: about, ...(format !== undefined && { format }) });

const recordFields = {
  id: Type.String({ format: 'uuid' }),
  url: Type.String(),
  calledHost,
  eventTypes: Type.Array(Type.String()),
  scope,
  active: Type.Boolean(),
  failCount: Type.Integer({ description: 'Deliveries given up in a row; 15 disable the endpoint' }),
  description: Type.String(),
  autoRecover,
  warning: Type.Union([
    Type.Object(
      {
        level: Type.Integer({ description: '5 or 10: the step that was reached' }),
        message: Type.String({ description: 'How many deliveries in a row were given up, and the last error' }),
      },
      { $id: 'WebhookWarning', description: 'Deliveries to it fail; it is disabled when they go on failing' },
    ),
    Type.Null(),
  ]),
  lastError: nullable('Why the last delivery was given up'),
  lastFailureAt: nullable('When the last delivery was given up', 'date-time'),
  disabledReason: nullable('Why the platform disabled it'),
  disabledAt: nullable('When the platform disabled it', 'date-time'),
  createdAt: time('When it was registered'),
  updatedAt: time('When it was last changed'),
};

/** Source: specification "Webhook endpoint record". */
export const webhookSchema = Type.Object(
  { ...recordFields, secretHint: Type.String({ description: 'The secret, masked' }) },
  { $id: 'Webhook' },
);

export const webhookWithSecretSchema = Type.Object(
  { ...recordFields, secret: Type.String({ description: 'Signing secret in full, shown only in this answer' }) },
  { $id: 'WebhookWithSecret' },
);

export const webhookListSchema = Type.Object(
  {
    webhooks: Type.Array(webhookSchema),
    accountSecretShown: Type.Boolean({
      description:
        'Whether the secret of the account-level URL has been shown; while false, the next `GET /integration/webhook-settings` makes it if there is none, and shows it in full',
    }),
  },
  { $id: 'WebhookList' },
);

export type NewWebhook = Static<typeof newWebhookSchema>;
export type WebhookChange = Static<typeof webhookChangeSchema>;

/** Throws VALIDATION_FAILED. */
export const readNewWebhook = compileReader(newWebhookSchema);

/** Throws VALIDATION_FAILED. */
export const readWebhookChange = compileReader(webhookChangeSchema);

const nullableUrl = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 2_048,
  format: 'https-url',
  description: 'HTTPS address that takes every specified event of the account; null for none',
});

/** Source: specification "Webhook settings". */
export const webhookSettingsSchema = Type.Object(
  {
    webhookUrl: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    calledHost,
    webhookSecret: Type.String({ description: 'In full in the answer that generated it, later masked' }),
  },
  { $id: 'WebhookSettings' },
);

/** Unknown fields are ignored, so that a caller may send the read settings back with a changed URL. */
export const webhookSettingsChangeSchema = Type.Object({ webhookUrl: nullableUrl }, { $id: 'WebhookSettingsChange' });

export const successSchema = Type.Object({ success: Type.Boolean() }, { $id: 'Success' });

/** Throws VALIDATION_FAILED. */
export const readWebhookSettingsChange = compileReader(webhookSettingsChangeSchema);
