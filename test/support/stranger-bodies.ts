import type { TestAccount } from './api-world.ts';

/** Bodies of the routes that ask for no credential, by `method path`, that get past the check of bodies. */
export const strangerBodies = ({ email, password }: Pick<TestAccount, 'email' | 'password'>) =>
  ({
    'post /auth/register': { email: 'new@example.se', password: 'correct horse battery', name: 'New' },
    'post /auth/login': { email, password },
    'post /auth/password/forgotten': { email, language: 'sv' },
    // A right token is only in a mail.
    'post /auth/password/reset': { token: 'a'.repeat(43), newPassword: 'another password' },
    'post /auth/email/confirm': { token: 'a'.repeat(43) },
    'post /auth/access/revoke': { token: 'a'.repeat(43) },
    'post /categories/convert': { fromMarket: 'service', toMarket: 'marketplace', externalId: 'books' },
  }) satisfies Readonly<Record<string, object>>;
