import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../features/rules/errors.ts';
import { keyHolderOf, type Scope } from '../../features/rules/scope.ts';
import { isApiKeyForm } from '../../platform/security/api-key.ts';
import { authenticateSession } from '../../features/accounts/authenticate-session.ts';
import { authenticateApiKey, ExplainedKey } from '../../features/accounts/authenticate-api-key.ts';
import type { Context } from '../../features/context.ts';
import { partnerAccountOf, refusePartnerAccount, single } from './partner-account.ts';
import type { CredentialRoute, KeyRoute } from './route.ts';

type Credential = CredentialRoute['credential'];

/**
 * Returns the scope of the caller. A route for sessions never checks a key, and the reverse.
 * Throws Refusal UNAUTHORIZED, or what {@link authenticateApiKey} throws.
 */
export async function authenticate(
  context: Context,
  route: CredentialRoute,
  { headers, address }: { readonly headers: IncomingHttpHeaders; readonly address: string },
): Promise<Scope> {
  const { credential } = route;
  try {
    if (route.credential === 'jwt') return await bySessionAlone(context, headers);
    if (credential === 'either' && headers['x-api-key'] === undefined) return await bySessionAlone(context, headers);
    return await byKey(context, route, { headers, address });
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'UNAUTHORIZED' || error instanceof ExplainedKey) throw error;
    const message = credential === 'either' ? eitherRefused : error.message;
    const { holder } = error;
    throw new Refusal('UNAUTHORIZED', `${message}: ${adviceFor(credential, headers)}`, { cause: error, holder });
  }
}

/** Names both credentials, so that a caller that knows one also learns of the other. */
const eitherRefused =
  'Invalid or missing credential, an API key (x-api-key) or a session token (Authorization: Bearer)';

/** Advice for the caller. It depends on the headers alone, so it reveals nothing that is stored. */
function adviceFor(credential: Credential, headers: IncomingHttpHeaders): string {
  const key = single(headers['x-api-key']) ?? '';
  const { authorization = '' } = headers;
  if (key === '' && authorization === '') return 'the header is missing';
  if (credential === 'jwt') return sessionAdvice(authorization);
  if (key !== '') return keyAdvice(key);
  if (holdsKey(authorization)) return 'send the key in the header x-api-key, not in Authorization';
  return credential === 'either' ? sessionAdvice(authorization) : 'a session token does not open this path';
}

const holdsKey = (authorization: string): boolean => /sk_(live|test)_/.test(authorization);

function keyAdvice(key: string): string {
  if (isApiKeyForm(key)) return 'no account has this key, or it was revoked';
  if (/^(["']).*\1$/.test(key)) return 'send it without quotes';
  if (/^(Bearer +)?eyJ/i.test(key)) return 'a session token is no API key';
  return 'it has not the form of a key, sk_live_ or sk_test_ and 43 letters and digits';
}

function sessionAdvice(authorization: string): string {
  if (authorization === '' || holdsKey(authorization)) return 'an API key does not open this path';
  if (bearerToken({ authorization }) === undefined) return 'the header is Authorization: Bearer, a space and the token';
  return 'the token is over or wrong, or its session has ended: sign in again';
}

async function bySessionAlone(context: Context, headers: IncomingHttpHeaders): Promise<Scope> {
  const scope = await authenticateSession(context, bearerToken(headers));
  refusePartnerAccount(headers, 'X-Partner-Account goes with an API key, not with a session');
  return scope;
}

async function byKey(
  context: Context,
  { keyScope: needs, isOwnAlone }: KeyRoute,
  { headers, address }: { readonly headers: IncomingHttpHeaders; readonly address: string },
): Promise<Scope> {
  const apiKey = single(headers['x-api-key']);
  const partnerAccount = isOwnAlone === true ? undefined : partnerAccountOf(headers);
  const scope = await authenticateApiKey(context, { apiKey, partnerAccount, needs, address });
  const noEffect = "X-Partner-Account has no effect here: this is about the key's own account";
  if (isOwnAlone === true) refusePartnerAccount(headers, noEffect, keyHolderOf(scope));
  return scope;
}

/** The token of an `Authorization: Bearer` header; undefined without one. */
function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}
