import type { KeyScope } from '../../core/api-keys/key-scopes.ts';
import { keyStateOf, type KeyState } from '../../core/api-keys/key-state.ts';
import { auditBy } from '../../core/audit/audit-by.ts';
import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { namesNetwork } from '../../platform/caller-address.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
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

/** What a key may do, until when, and from where; what is left out does not bound it. */
export interface KeyWish {
  readonly name?: string | undefined;
  readonly scopes?: readonly KeyScope[] | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
  readonly addresses?: readonly string[] | undefined;
}

/**
 * The only answer that ever holds the raw key. Throws {@link Refusal} VALIDATION_FAILED, and CONFLICT at 100 active keys. Also
 * CONFLICT when an earlier attempt at the same call made the key and it was revoked since.
 */
export async function generateApiKey(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now' | 'newId'>,
  scope: Scope,
  wish: KeyWish,
): Promise<GeneratedApiKey> {
  refuseBadBounds(wish, context.now());
  const apiKey = newApiKey();
  const name = wish.name ?? defaultName;
  const row = {
    _id: context.newId(),
    accountId: scope.actingAccountId,
    hash: hashApiKey(apiKey),
    prefix: apiKeyPrefix(apiKey),
    name,
    ...boundsOf(wish),
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

/** What a schema can't say. */
function refuseBadBounds({ expiresAt, addresses = [] }: KeyWish, now: Date): void {
  const problems = addresses.flatMap((text, index) =>
    namesNetwork(text)
      ? []
      : [{ field: `addresses.${index}`, message: 'must be an address or a network such as 203.0.113.0/24' }],
  );
  if (expiresAt !== undefined && new Date(expiresAt) <= now)
    problems.push({ field: 'expiresAt', message: 'must be a time to come' });
  if (problems.length > 0) throw validationFailed(problems);
}

const boundsOf = ({ scopes, expiresAt, addresses }: KeyWish) => ({
  ...(scopes !== undefined && { scopes }),
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
  ...(addresses !== undefined && { addresses }),
});

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

const generatedEntry = (scope: Scope, row: ApiKeyRow, lostPrefix: string | null): AuditEntry => {
  const { _id: keyId, name, prefix, createdAt: at } = row;
  const details = { keyId, name, prefix, lostPrefix, ...shownBounds(row) };
  return auditBy(scope, { kind: 'api_key_generated', at, details });
};

const shownBounds = ({ scopes, expiresAt, addresses }: ApiKeyRow) => ({
  scopes: scopes ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  addresses: addresses ?? null,
});

export interface ApiKeyView {
  readonly id: string;
  readonly userId: string;
  readonly prefix: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: null;
  readonly scopes: readonly KeyScope[] | null;
  readonly expiresAt: string | null;
  readonly addresses: readonly string[] | null;
  readonly state: KeyState;
}

/** Keys that are not revoked, newest first: an expired one is among them, because its caller asks why it is refused. */
export async function listApiKeys(
  context: Pick<Context, 'store' | 'now'>,
  scope: Scope,
): Promise<readonly ApiKeyView[]> {
  const rows = await listActiveKeys(context.store, scope.actingAccountId);
  const now = context.now();
  return rows.map((row) => ({
    id: row._id,
    userId: row.accountId,
    prefix: row.prefix,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: null,
    ...shownBounds(row),
    state: keyStateOf(row, now),
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
