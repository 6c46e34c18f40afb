import type { Scope } from '../../core/scope.ts';
import { listActiveKeys } from '../../store/accounts/api-keys.ts';
import type { Context } from '../context.ts';

export interface ApiKeyView {
  readonly id: string;
  readonly userId: string;
  readonly prefix: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: null;
}

/** Active keys, newest first. */
export async function listApiKeys(context: Pick<Context, 'store'>, scope: Scope): Promise<readonly ApiKeyView[]> {
  const rows = await listActiveKeys(context.store, scope.actingAccountId);
  return rows.map((row) => ({
    id: row._id,
    userId: row.accountId,
    prefix: row.prefix,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: null,
  }));
}
