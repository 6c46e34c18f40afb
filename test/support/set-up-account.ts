import { randomUUID } from 'node:crypto';
import { composeContext } from '../../compose/context.ts';
import type { Foundation } from '../../compose/foundation.ts';
import { accountId, type AccountId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { setMarketplaceConnection } from '../../features/listings/marketplace-connection.ts';
import { createWebhookOnce } from '../../features/webhooks/register-webhook.ts';
import { generateApiKey } from '../../features/accounts/create-api-key.ts';

export interface ApiAccount {
  readonly id: AccountId;
  /** Of its calls to the API. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of its endpoint; null without one. */
  readonly webhookSecret: string | null;
}

export interface AccountWish {
  /** Gets every event; without it there is no endpoint. */
  readonly webhookUrl?: string | undefined;
  /** Makes a user of that id on the marketplace and gives its token. By default the token is one that opens nothing. */
  readonly openMarketplace?: (userId: string) => Promise<string>;
}

/** An account with a key and a marketplace connection, for callers that go through the API. */
export async function setUpAccount(foundation: Foundation, wish: AccountWish = {}): Promise<ApiAccount> {
  const { webhookUrl: url, openMarketplace = () => Promise.resolve(randomUUID()) } = wish;
  const { context, close } = composeContext(foundation);
  const id = accountId(randomUUID());
  const scope: Scope = { accountId: id, actingAccountId: id, credential: { kind: 'system' } };
  await setMarketplaceConnection(context, scope, { marketplaceUserId: id, token: await openMarketplace(id) });
  const hook =
    url === undefined
      ? null
      : await createWebhookOnce(context, scope, { url, eventTypes: [], scope: 'self', description: '' });
  const { apiKey } = await generateApiKey(context, scope, { name: 'ERP' });
  await close();
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  return { id, headers, webhookSecret: hook?.secret ?? null };
}
