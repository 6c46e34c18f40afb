import Type, { type Static } from 'typebox';
import { compileReader } from '../compile-schema.ts';
import { marketplaceUserIdPattern, notBlankPattern } from '../validation-error.ts';
import { nullableTime, text, time } from '../fields.ts';

export const marketplaceCredentialsSchema = Type.Object(
  {
    marketplaceUserId: text({
      description: 'User id on the marketplace',
      minLength: 1,
      maxLength: 100,
      // It is sent in a header: a line break would make every call fail and look like an outage.
      pattern: marketplaceUserIdPattern,
    }),
    token: text({
      description: 'Token of that user; stored encrypted, never shown',
      minLength: 1,
      maxLength: 4_096,
      pattern: notBlankPattern,
    }),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'When the marketplace ends the token (`exp` beside it), so that the account is warned before',
      }),
    ),
  },
  { $id: 'MarketplaceCredentials', additionalProperties: false },
);

/** A login at the marketplace that was begun. */
export const begunLoginSchema = Type.Object(
  {
    url: Type.String({ format: 'uri', description: "The marketplace's page, where the seller consents" }),
    expiresAt: time('Until when the login can be completed'),
  },
  { $id: 'BegunMarketplaceLogin' },
);

/** What the browser brings back from the marketplace. */
export const marketplaceReturnSchema = Type.Object(
  {
    login: text({ description: '`login` of the address', minLength: 1, maxLength: 100 }),
    marketplaceUserId: text({
      description: '`userId` of the address',
      minLength: 1,
      maxLength: 100,
      pattern: marketplaceUserIdPattern,
    }),
  },
  { $id: 'MarketplaceReturn', additionalProperties: false },
);

export const marketplaceConnectionSchema = Type.Object(
  {
    marketplaceUserId: Type.String(),
    state: Type.Enum(['connected', 'expired'], {
      $id: 'ConnectionState',
      description: 'expired: connect again, what was stopped is then retried',
    }),
    connectedAt: time('When the current token was given'),
    updatedAt: time('When the state last changed'),
    expiresAt: nullableTime('When the marketplace ends the token; null when it did not say'),
  },
  { $id: 'MarketplaceConnection' },
);

export type MarketplaceReturn = Static<typeof marketplaceReturnSchema>;

/** Throws VALIDATION_FAILED. */
export const readMarketplaceReturn = compileReader(marketplaceReturnSchema);

export type MarketplaceCredentials = Static<typeof marketplaceCredentialsSchema>;

/** Throws VALIDATION_FAILED. */
export const readMarketplaceCredentials = compileReader(marketplaceCredentialsSchema);
