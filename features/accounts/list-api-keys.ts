import { keyStateOf } from './rules/api-key.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { apiKeyModeOf } from '../../platform/security/api-key.ts';
import { listActiveKeys, type ApiKeyRow } from './store/api-keys.ts';
import { findSandboxOf } from './store/sandboxes.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Context } from '../context.ts';
import { shownBounds } from './create-api-key.ts';

/**
 * Keys that are not revoked, the sandbox's included, newest first. Expired keys are listed, because their users ask why
 * they are refused.
 */
export async function listApiKeys(context: Pick<Context, 'store' | 'now'>, scope: Scope) {
  const rows = await listKeysOf(context.store, scope.actingAccountId);
  const now = context.now();
  return rows.map((row) => ({
    id: row._id,
    userId: scope.actingAccountId,
    mode: apiKeyModeOf(row.prefix),
    accountId: row.accountId,
    prefix: row.prefix,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: null,
    ...shownBounds(row),
    state: keyStateOf(row, now),
  }));
}

async function listKeysOf(store: StoreConnection, owner: AccountId): Promise<readonly ApiKeyRow[]> {
  const [own, sandbox] = await Promise.all([listActiveKeys(store, owner), findSandboxOf(store, owner)]);
  if (sandbox === null) return own;
  const tests = await listActiveKeys(store, sandbox);
  return [...own, ...tests].sort((one, two) => two.createdAt.getTime() - one.createdAt.getTime());
}
