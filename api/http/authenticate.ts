import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { isApiKeyForm } from '../../security/api-key.ts';
import { authenticateSession } from '../../usecases/accounts/authenticate.ts';
import { authenticateApiKey } from '../../usecases/api-keys/authenticate-api-key.ts';
import type { Context } from '../../usecases/context.ts';

type Credential = 'api-key' | 'jwt' | 'either';

/**
 * Returns the scope of the caller. A route for sessions never checks a key, and the reverse.
 * Throws Refusal UNAUTHORIZED or PARTNER_ACCOUNT_FORBIDDEN.
 */
export async function authenticate(
  context: Context,
  credential: Credential,
  headers: IncomingHttpHeaders,
): Promise<Scope> {
  try {
    const isByKey = credential === 'api-key' || (credential === 'either' && headers['x-api-key'] !== undefined);
    return await (isByKey ? authenticateApiKey(context, apiKeyClaim(headers)) : bySessionAlone(context, headers));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'UNAUTHORIZED') throw error;
    const message = credential === 'either' ? eitherRefused : error.message;
    const { holder } = error;
    throw new Refusal('UNAUTHORIZED', `${message}: ${adviceFor(credential, headers)}`, { cause: error, holder });
  }
}

/** Names both credentials, so that a caller learns of the other one. */
const eitherRefused =
  'Invalid or missing credential, an API key (x-api-key) or a session token (Authorization: Bearer)';

/** What to send instead. It tells from the headers alone, so it reveals nothing of what is stored. */
function adviceFor(credential: Credential, headers: IncomingHttpHeaders): string {
  const key = single(headers['x-api-key']) ?? '';
  const { authorization = '' } = headers;
  if (key === '' && authorization === '') return 'the header is missing';
  if (credential === 'jwt') return sessionAdvice(authorization);
  if (key !== '') return keyAdvice(key);
  if (authorization.includes('sk_live_')) return 'send the key in the header x-api-key, not in Authorization';
  return credential === 'either' ? sessionAdvice(authorization) : 'a session token does not open this path';
}

function keyAdvice(key: string): string {
  if (isApiKeyForm(key)) return 'no account has this key, or it was revoked';
  if (/^(["']).*\1$/.test(key)) return 'send it without quotes';
  if (/^(Bearer +)?eyJ/i.test(key)) return 'a session token is no API key';
  return 'it has not the form of a key, sk_live_ and 43 letters and digits';
}

function sessionAdvice(authorization: string): string {
  if (authorization === '' || authorization.includes('sk_live_')) return 'an API key does not open this path';
  if (bearerToken({ authorization }) === undefined) return 'the header is Authorization: Bearer, a space and the token';
  return 'the token is over or wrong, or its session has ended: sign in again';
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
