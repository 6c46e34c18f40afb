import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../core/errors.ts';
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
      return bySessionAlone(authentication, headers);
    case 'either':
      return byEither(authentication, headers);
  }
}

/** A refusal names both, or who sent the one would never learn of the other. */
async function byEither(authentication: Authentication, headers: IncomingHttpHeaders): Promise<Scope> {
  try {
    if (headers['x-api-key'] === undefined) return await bySessionAlone(authentication, headers);
    return await authentication.byApiKey(apiKeyClaim(headers));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'UNAUTHORIZED') throw error;
    const message = 'Invalid or missing credential: an API key (x-api-key) or a session token (Authorization: Bearer)';
    throw new Refusal('UNAUTHORIZED', message, { cause: error });
  }
}

/** In silence, a reseller's session would answer for the wrong account. */
async function bySessionAlone(authentication: Authentication, headers: IncomingHttpHeaders): Promise<Scope> {
  const scope = await authentication.bySession(bearerToken(headers));
  if (headers['x-partner-account'] === undefined) return scope;
  throw new Refusal('BAD_REQUEST', 'X-Partner-Account goes with an API key, not with a session');
}

const apiKeyClaim = (headers: IncomingHttpHeaders) => ({
  apiKey: single(headers['x-api-key']),
  partnerAccount: single(headers['x-partner-account']),
});

export function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;
