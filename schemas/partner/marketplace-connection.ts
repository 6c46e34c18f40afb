import Type, { type Static } from 'typebox';
import { compileReader } from '../compile-schema.ts';
import { marketplaceUserIdPattern, notBlankPattern } from '../describe-problems.ts';
import { text, time } from '../fields.ts';

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
  },
  { $id: 'MarketplaceCredentials', additionalProperties: false },
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
  },
  { $id: 'MarketplaceConnection' },
);

export type MarketplaceCredentials = Static<typeof marketplaceCredentialsSchema>;

/** Throws VALIDATION_FAILED. */
export const readMarketplaceCredentials = compileReader(marketplaceCredentialsSchema);
