import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { authenticateSession } from '../../usecases/accounts/authenticate.ts';
import { authenticateApiKey } from '../../usecases/api-keys/authenticate-api-key.ts';
import type { Context } from '../../usecases/context.ts';

/**
 * Returns the scope of the caller. A route for sessions never checks a key, and the reverse.
 * Throws Refusal UNAUTHORIZED or PARTNER_ACCOUNT_FORBIDDEN.
 */
export async function authenticate(
  context: Context,
  credential: 'api-key' | 'jwt' | 'either',
  headers: IncomingHttpHeaders,
): Promise<Scope> {
  switch (credential) {
    case 'api-key':
      return authenticateApiKey(context, apiKeyClaim(headers));
    case 'jwt':
      return bySessionAlone(context, headers);
    case 'either':
      return byEither(context, headers);
  }
}

/** A refusal names both credentials, so that a caller learns of the other one. */
async function byEither(context: Context, headers: IncomingHttpHeaders): Promise<Scope> {
  try {
    if (headers['x-api-key'] === undefined) return await bySessionAlone(context, headers);
    return await authenticateApiKey(context, apiKeyClaim(headers));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'UNAUTHORIZED') throw error;
    const message = 'Invalid or missing credential: an API key (x-api-key) or a session token (Authorization: Bearer)';
    throw new Refusal('UNAUTHORIZED', message, { cause: error });
  }
}

/** `X-Partner-Account` is refused here, because ignoring it would answer for the reseller's own account. */
async function bySessionAlone(context: Context, headers: IncomingHttpHeaders): Promise<Scope> {
  const scope = await authenticateSession(context, bearerToken(headers));
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
