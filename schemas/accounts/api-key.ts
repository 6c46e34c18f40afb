import Type from 'typebox';
import { keyModes, keyScopes, keyStates, type KeyScope } from '../../features/accounts/rules/api-key.ts';
import { compileReader } from '../compile-schema.ts';
import { notBlankPattern } from '../validation-error.ts';
import { nullableTime, text, time } from '../fields.ts';

const scopeSchema = Type.Enum([...keyScopes], {
  $id: 'KeyScope',
  description:
    'What a key may do. `items` are items, batches, bulk syncs and plates; `orders` are orders; `webhooks` are endpoints, deliveries and the feed of events. `write` includes `read`',
});
const addressExamples = ['203.0.113.7', '198.51.100.0/24', '2001:db8:12::/48'];
const orNull = (type: 'string' | 'array', more: object) => ({ type: [type, 'null'], ...more });

const modeSchema = Type.Enum([...keyModes], {
  $id: 'KeyMode',
  description:
    "`live`: it acts as the account. `test`: it acts as the account's sandbox, an account apart whose items go to a simulated marketplace; it begins with `sk_test_`",
});

/** Source: specification "API key record"; `mode`, and the fields from `scopes` on, are our own. */
export const apiKeyRecordSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    userId: Type.String({ format: 'uuid', description: 'The owner' }),
    mode: modeSchema,
    accountId: Type.String({
      format: 'uuid',
      description: 'The account that it acts as, `data.account.serviceUserId` of its events: the owner, or its sandbox',
    }),
    prefix: Type.String({ description: 'Leading part of the key, safe to display' }),
    name: Type.String(),
    createdAt: time('When it was generated'),
    lastUsedAt: nullableTime('Last use, to the minute; null if never used'),
    revokedAt: nullableTime('Always null: revoked keys are not listed'),
    scopes: Type.Unsafe<KeyScope[] | null>(
      orNull('array', { items: scopeSchema, description: 'What it may do; null: everything that a key may do' }),
    ),
    expiresAt: nullableTime('From when on it is refused (401); null: never'),
    addresses: Type.Unsafe<string[] | null>(
      orNull('array', { items: { type: 'string' }, description: 'From where it is taken; null: from anywhere' }),
    ),
    state: Type.Enum([...keyStates], {
      $id: 'KeyState',
      description: '`expiring`: it ends within 14 days. `expired`: it is refused, and listed until it is revoked',
    }),
  },
  { $id: 'ApiKey' },
);

export const apiKeyListSchema = Type.Object(
  {
    keys: Type.Array(apiKeyRecordSchema),
    modes: Type.Array(modeSchema, { description: 'Those that a new key may have here; the first is the default' }),
  },
  { $id: 'ApiKeyList' },
);

export const newApiKeySchema = Type.Object(
  {
    name: Type.Optional(
      text({
        description: 'Label, default "API Key"',
        minLength: 1,
        maxLength: 100,
        pattern: notBlankPattern,
        format: 'title',
      }),
    ),
    mode: Type.Optional(modeSchema),
    scopes: Type.Optional(
      Type.Array(scopeSchema, {
        description: 'What it may do; left out: everything that a key may do, now and later',
        minItems: 1,
        maxItems: keyScopes.length,
        uniqueItems: true,
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'From when on it is refused, a time to come; left out: never',
        examples: ['2027-06-30T22:00:00Z'],
      }),
    ),
    addresses: Type.Optional(
      Type.Array(text({ description: 'Address or network (CIDR)', maxLength: 50, examples: addressExamples }), {
        description: 'From where it is taken; left out: from anywhere',
        minItems: 1,
        maxItems: 50,
      }),
    ),
  },
  { $id: 'NewApiKey', additionalProperties: false },
);

export const generatedApiKeySchema = Type.Object(
  { apiKey: Type.String({ description: 'The key in full, shown only in this answer' }), name: Type.String() },
  { $id: 'GeneratedApiKey' },
);

/** Throws VALIDATION_FAILED. */
export const readNewApiKey = compileReader(newApiKeySchema);
