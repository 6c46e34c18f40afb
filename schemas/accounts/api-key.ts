import Type from 'typebox';
import { compileReader } from '../compile-schema.ts';
import { notBlankPattern } from '../describe-problems.ts';
import { text } from '../text.ts';
import { nullableTime, time } from '../time.ts';

/** Source: specification "API key record". */
export const apiKeyRecordSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    userId: Type.String({ format: 'uuid' }),
    prefix: Type.String({ description: 'Leading part of the key, safe to display' }),
    name: Type.String(),
    createdAt: time('When it was generated'),
    lastUsedAt: nullableTime('Last use, to the minute; null if never used'),
    revokedAt: nullableTime('Always null: revoked keys are not listed'),
  },
  { $id: 'ApiKey' },
);

export const apiKeyListSchema = Type.Object({ keys: Type.Array(apiKeyRecordSchema) }, { $id: 'ApiKeyList' });

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
  },
  { $id: 'NewApiKey', additionalProperties: false },
);

export const generatedApiKeySchema = Type.Object(
  { apiKey: Type.String({ description: 'The key in full, shown only in this answer' }), name: Type.String() },
  { $id: 'GeneratedApiKey' },
);

/** Throws VALIDATION_FAILED. */
export const readNewApiKey = compileReader(newApiKeySchema);
