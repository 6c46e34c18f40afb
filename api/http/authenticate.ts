import type { IncomingHttpHeaders } from 'node:http';
import type { Scope } from '../../core/scope.ts';
import type { ApiDependencies } from '../dependencies.ts';

type Authentication = ApiDependencies['authentication'];

/**
 * Who calls. A key is never looked for where a session is asked for, nor the other way round.
 * Throws Refusal UNAUTHORIZED or PARTNER_ACCOUNT_FORBIDDEN.
 */
export async function authenticate(
  authentication: Authentication,
  credential: 'api-key' | 'jwt' | 'either',
  headers: IncomingHttpHeaders,
): Promise<Scope> {
  switch (credential) {
    case 'api-key':
      return authentication.byApiKey(apiKeyClaim(headers));
    case 'jwt':
      return authentication.bySession(bearerToken(headers));
    case 'either':
      return headers['x-api-key'] === undefined
        ? authentication.bySession(bearerToken(headers))
        : authentication.byApiKey(apiKeyClaim(headers));
  }
}

const apiKeyClaim = (headers: IncomingHttpHeaders) => ({
  apiKey: single(headers['x-api-key']),
  partnerAccount: single(headers['x-partner-account']),
});

function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;
