import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { apiKeyPrefix, hashApiKey, newApiKey } from '../../security/api-key.ts';
import { insertApiKey } from '../../store/api-keys.ts';
import type { AccountSideContext } from '../account-side-context.ts';

const activeKeysMax = 100;
const defaultName = 'API Key';

export interface GeneratedApiKey {
  readonly apiKey: string;
  readonly name: string;
}

/** The only answer that ever holds the raw key. Throws {@link Refusal} CONFLICT at 100 active keys. */
export async function generateApiKey(
  context: Pick<AccountSideContext, 'store' | 'now' | 'newId'>,
  scope: Scope,
  wish: { readonly name?: string | undefined },
): Promise<GeneratedApiKey> {
  const apiKey = newApiKey();
  const name = wish.name ?? defaultName;
  const row = {
    _id: context.newId(),
    accountId: scope.actingAccountId,
    hash: hashApiKey(apiKey),
    prefix: apiKeyPrefix(apiKey),
    name,
    createdAt: context.now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  if (await insertApiKey(context.store, row, activeKeysMax)) return { apiKey, name };
  throw new Refusal('CONFLICT', `An account holds at most ${activeKeysMax} active API keys; revoke one first`);
}
