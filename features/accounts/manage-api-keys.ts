import { keyStateOf, type KeyMode, type KeyScope, type KeyState } from './rules/api-key.ts';
import { auditBy, type AuditEntry } from './rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import { accountId, type AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import { SandboxUnavailable, type SandboxUsers } from '../../gateways/marketplace/port.ts';
import { namesNetwork } from '../../platform/caller-address.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { apiKeyModeOf, apiKeyPrefix, hashApiKey, newApiKey } from '../../platform/security/api-key.ts';
import { runExclusive } from './store/accounts.ts';
import { insertApiKey, listActiveKeys, reissueApiKey, revokeKey, type ApiKeyRow } from './store/api-keys.ts';
import { findSandboxOf, insertSandbox } from './store/sandboxes.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { connectMarketplace, findMarketplaceConnection } from '../listings/store/marketplace-connections.ts';
import type { Context } from '../context.ts';
import { keyModesOf, type Sandbox } from './sandbox.ts';

const activeKeysMax = 100;
const defaultName = 'API Key';

export interface GeneratedApiKey {
  readonly apiKey: string;
  readonly name: string;
}

/** The scopes, the end and the addresses of a key; a missing field restricts nothing. */
export interface KeyWish {
  readonly name?: string | undefined;
  /** Default: live; test where the whole installation is simulated. */
  readonly mode?: KeyMode | undefined;
  readonly scopes?: readonly KeyScope[] | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
  readonly addresses?: readonly string[] | undefined;
}

/**
 * The only answer that ever holds the raw key. A test key is one of the account's sandbox. Throws {@link Refusal}
 * VALIDATION_FAILED, UNAVAILABLE, and CONFLICT at 100 active keys of one mode. Also CONFLICT when an earlier attempt at the same
 * call made the key and it was revoked since.
 */
export async function generateApiKey(
  context: Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'logger' | 'now' | 'newId' | 'sandbox'>,
  scope: Scope,
  wish: KeyWish,
): Promise<GeneratedApiKey> {
  refuseBadBounds(wish, context);
  const mode = wish.mode ?? keyModesOf(context.sandbox)[0];
  const apiKey = newApiKey(mode);
  const name = wish.name ?? defaultName;
  // The first id is the one that a retry of this call finds again, so the key must take it before a sandbox does.
  const _id = context.newId();
  const row = {
    _id,
    ...(await holderOf(context, scope, mode)),
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
  throw new Refusal(
    'CONFLICT',
    `An account holds at most ${activeKeysMax} active API keys of each mode; revoke one first`,
  );
}

/** A test key acts as the account's sandbox; where everything is simulated, as the account itself. */
async function holderOf(
  context: Parameters<typeof generateApiKey>[0],
  scope: Scope,
  mode: KeyMode,
): Promise<Pick<ApiKeyRow, 'accountId' | 'sandboxOf'>> {
  const owner = scope.actingAccountId;
  if (mode === 'live' || context.sandbox.kind !== 'apart') return { accountId: owner };
  return { accountId: await openSandbox(context, scope, context.sandbox.users), sandboxOf: owner };
}

/** Checks the rules that a schema can't express. */
function refuseBadBounds(
  { mode, expiresAt, addresses = [] }: KeyWish,
  { sandbox, now }: { readonly sandbox: Sandbox; readonly now: () => Date },
): void {
  const problems = addresses.flatMap((text, index) =>
    namesNetwork(text) ? [] : [problem(`addresses.${index}`, 'not_network')],
  );
  const modes = keyModesOf(sandbox);
  if (mode !== undefined && !modes.includes(mode))
    problems.push(problem('mode', 'wrong_mode', { mode: modes[0], sandbox: sandbox.kind }));
  if (expiresAt !== undefined && new Date(expiresAt) <= now()) problems.push(problem('expiresAt', 'not_future'));
  if (problems.length > 0) throw validationFailed(problems);
}

const boundsOf = ({ scopes, expiresAt, addresses }: KeyWish) => ({
  ...(scopes !== undefined && { scopes }),
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
  ...(addresses !== undefined && { addresses }),
});

/** A dead attempt has left only the hash of its key, so the retry gives the same id a new raw value. */
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
  /** The owner. */
  readonly userId: string;
  readonly mode: KeyMode;
  /** The account that the key acts as: the owner, or its sandbox. */
  readonly accountId: string;
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

/**
 * Keys that are not revoked, the sandbox's included, newest first. Expired keys are listed, because their users ask why
 * they are refused.
 */
export async function listApiKeys(
  context: Pick<Context, 'store' | 'now'>,
  scope: Scope,
): Promise<readonly ApiKeyView[]> {
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

/** Throws {@link Refusal} NOT_FOUND for a key that does not exist, is revoked already, or is another account's. */
export async function revokeApiKey(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  keyId: string,
): Promise<void> {
  const at = context.now();
  await context.confirmCredential(scope);
  const revocation = {
    ...{ keyId, at },
    audit: ({ name, prefix }: ApiKeyRow) =>
      auditBy(scope, {
        ...{ kind: 'api_key_revoked', at, details: { keyId, name, prefix } },
      }),
  };
  if (await revokeKey(context.store, scope.actingAccountId, revocation)) return;
  const sandbox = await findSandboxOf(context.store, scope.actingAccountId);
  if (sandbox === null || !(await revokeKey(context.store, sandbox, revocation)))
    throw new Refusal('NOT_FOUND', 'No active API key with this id');
}

type Needs = Pick<Context, 'store' | 'encryption' | 'confirmCredential' | 'logger' | 'now' | 'newId'>;

/**
 * Returns the caller's sandbox: the account that its test keys act as, connected to the simulated marketplace. The first call
 * makes it; a call after the marketplace forgot its user connects it again. Throws {@link Refusal} UNAVAILABLE.
 */
async function openSandbox(context: Needs, scope: Scope, users: SandboxUsers): Promise<AccountId> {
  const { store } = context;
  const found = await findSandboxOf(store, scope.actingAccountId);
  if (found !== null && (await findMarketplaceConnection(store, found))?.state === 'connected') return found;
  const id = found ?? accountId(context.newId());
  const user = await openUser(context, users, id);
  return storeSandbox(context, scope, { id, isNew: found === null, user });
}

type SandboxUser = Awaited<ReturnType<SandboxUsers['open']>>;

async function openUser({ logger }: Needs, users: SandboxUsers, name: string): Promise<SandboxUser> {
  try {
    return await users.open(name);
  } catch (error) {
    if (!(error instanceof SandboxUnavailable)) throw error;
    logger.warn({ reason: error.message, err: error.cause }, 'sandbox.unavailable');
    const message = 'The marketplace of the sandbox can not be reached; try again';
    throw new Refusal('UNAVAILABLE', message, { retryAfterSeconds: 30, cause: error });
  }
}

/**
 * The account takes its turn first. So of two simultaneous calls one makes the sandbox, and a suspension either marks
 * it or prevents it.
 */
function storeSandbox(
  { store, encryption, confirmCredential, now }: Needs,
  scope: Scope,
  { id, isNew, user }: { readonly id: AccountId; readonly isNew: boolean; readonly user: SandboxUser },
): Promise<AccountId> {
  const owner = scope.actingAccountId;
  return inTransaction(store, async (session) => {
    await runExclusive(store, owner, session);
    const present = await findSandboxOf(store, owner, session);
    if (isNew && present !== null) return present;
    await confirmCredential(scope);
    const at = now();
    if (isNew) await insertSandbox(store, { _id: id, sandboxOf: owner, name: 'Sandbox', createdAt: at }, session);
    const { marketplaceUserId } = user;
    const tokenEncrypted = encryption.encrypt(user.token, secretContexts.marketplaceToken(id));
    const given = { marketplaceUserId, isSandbox: true, tokenEncrypted, tokenExpiresAt: null } as const;
    await connectMarketplace(store, id, { ...given, now: at, session });
    return id;
  });
}
