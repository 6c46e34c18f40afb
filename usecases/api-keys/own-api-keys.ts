import { auditBy } from '../../core/audit/audit-by.ts';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { apiKeyPrefix, hashApiKey, newApiKey } from '../../security/api-key.ts';
import {
  insertApiKey,
  reissueApiKey,
  type ApiKeyRow,
  listActiveKeys,
  revokeKey,
} from '../../store/accounts/api-keys.ts';
import type { Context } from '../context.ts';

const activeKeysMax = 100;
const defaultName = 'API Key';

export interface GeneratedApiKey {
  readonly apiKey: string;
  readonly name: string;
}

/**
 * The only answer that ever holds the raw key. Throws {@link Refusal} CONFLICT at 100 active keys. Also CONFLICT when an earlier
 * attempt at the same call made the key and it was revoked since.
 */
export async function generateApiKey(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now' | 'newId'>,
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
  if (await isReissued(context, row, scope)) return { apiKey, name };
  const attempt = scope.reserved && { attempt: scope.reserved.attempt };
  const audit = generatedEntry(scope, row, null);
  const confirm = () => context.confirmCredential(scope);
  if (await insertApiKey(context.store, { ...row, ...attempt }, { activeMax: activeKeysMax, audit, confirm }))
    return { apiKey, name };
  throw new Refusal('CONFLICT', `An account holds at most ${activeKeysMax} active API keys; revoke one first`);
}

/** An attempt that died left only the hash of its key. So the retry gives the same id a new raw value. */
async function isReissued(
  { store, confirmCredential }: Pick<Context, 'store' | 'confirmCredential'>,
  row: ApiKeyRow,
  scope: Scope,
): Promise<boolean> {
  const { reserved } = scope;
  if (reserved === undefined) return false;
  const outcome = await reissueApiKey(
    store,
    { ...row, attempt: reserved.attempt },
    {
      audit: (lost) => generatedEntry(scope, row, lost),
      confirm: () => confirmCredential(scope),
    },
  );
  if (outcome === 'refused') throw new Refusal('CONFLICT', 'The key that this request had made was revoked');
  return outcome === 'reissued';
}

const generatedEntry = (
  scope: Scope,
  { _id: keyId, name, prefix, createdAt: at }: ApiKeyRow,
  lostPrefix: string | null,
): AuditEntry => auditBy(scope, { kind: 'api_key_generated', at, details: { keyId, name, prefix, lostPrefix } });

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

/** Throws {@link Refusal} NOT_FOUND for a key that does not exist, is revoked already, or is another account's. */
export async function revokeApiKey(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  keyId: string,
): Promise<void> {
  const at = context.now();
  await context.confirmCredential(scope);
  const isRevoked = await revokeKey(context.store, scope.actingAccountId, {
    ...{ keyId, at },
    audit: ({ name, prefix }) =>
      auditBy(scope, {
        ...{ kind: 'api_key_revoked', at, details: { keyId, name, prefix } },
      }),
  });
  if (!isRevoked) throw new Refusal('NOT_FOUND', 'No active API key with this id');
}
