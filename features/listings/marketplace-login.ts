import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../rules/errors.ts';
import type { Scope } from '../rules/scope.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import { LoginRefused, type MarketplaceLogin } from '../../gateways/marketplace/port.ts';
import type { MarketplaceReturn } from '../../schemas/partner/marketplace-connection.ts';
import { deleteMarketplaceLogin, findMarketplaceLogin, insertMarketplaceLogin } from './store/marketplace-logins.ts';
import type { Context } from '../context.ts';
import { setMarketplaceConnection, type MarketplaceConnectionView } from './marketplace-connection.ts';

const loginMs = 3_600_000;
/** The marketplace may need some seconds after the consent before it gives the token. */
const fetchPausesMs = [0, 1_000, 2_000, 3_000];

type Needs = Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'login' | 'newId' | 'now'>;

export interface BegunLogin {
  /** The marketplace's page, where the seller consents. */
  readonly url: string;
  readonly expiresAt: string;
}

/** Begins a login at the marketplace. Throws {@link Refusal} CONFLICT where the service has none. */
export async function beginMarketplaceLogin(context: Needs, scope: Scope): Promise<BegunLogin> {
  const login = requireLogin(context.login);
  const [id, secret] = [context.newId(), context.newId()];
  const expiresAt = new Date(context.now().getTime() + loginMs);
  const accountId = scope.actingAccountId;
  await context.confirmCredential(scope);
  await insertMarketplaceLogin(context.store, {
    _id: id,
    accountId,
    expiresAt,
    secretEncrypted: context.encryption.encrypt(secret, secretContexts.marketplaceLogin(id)),
  });
  return { url: login.pageUrl(secret, { login: id }), expiresAt: expiresAt.toISOString() };
}

/**
 * The browser has come back: the token is fetched with the login's secret. Only the account that began the login completes it, so no
 * account is connected as a stranger who followed a link. Throws {@link Refusal} NOT_FOUND, CONFLICT without a consent, UNAVAILABLE, and as
 * {@link setMarketplaceConnection}.
 */
export async function completeMarketplaceLogin(
  context: Needs,
  scope: Scope,
  { login: id, marketplaceUserId }: MarketplaceReturn,
): Promise<MarketplaceConnectionView> {
  const login = requireLogin(context.login);
  const accountId = scope.actingAccountId;
  const row = await findMarketplaceLogin(context.store, accountId, { id, now: context.now() });
  if (row === null) throw new Refusal('NOT_FOUND', 'No such login was begun, or it took longer than an hour');
  const secret = context.encryption.decrypt(row.secretEncrypted, secretContexts.marketplaceLogin(id));
  const { token, expiresAt } = await fetchToken(login, marketplaceUserId, secret);
  const view = await setMarketplaceConnection(context, scope, {
    marketplaceUserId,
    token,
    ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
  });
  await deleteMarketplaceLogin(context.store, accountId, id);
  return view;
}

function requireLogin(login: MarketplaceLogin | null): MarketplaceLogin {
  if (login !== null) return login;
  throw new Refusal('CONFLICT', 'The service has no login at the marketplace; send the user id and the token instead');
}

async function fetchToken(login: MarketplaceLogin, userId: string, secret: string) {
  for (const waitMs of fetchPausesMs) {
    await pause(waitMs);
    try {
      return await login.fetchToken(userId, secret);
    } catch (error) {
      if (!(error instanceof LoginRefused)) throw error;
      if (error.isUnknownUser) continue;
      throw new Refusal('UNAVAILABLE', 'The marketplace can not be reached; try again', {
        retryAfterSeconds: 30,
        cause: error,
      });
    }
  }
  throw new Refusal('CONFLICT', 'The marketplace knows of no consent of this user; begin the login again');
}
