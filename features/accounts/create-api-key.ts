import type { KeyMode, KeyScope } from './rules/api-key.ts';
import { auditBy, type AuditEntry } from './rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import type { Scope } from '../rules/scope.ts';
import { namesNetwork } from '../../platform/caller-address.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { apiKeyPrefix, hashApiKey, newApiKey } from '../../platform/security/api-key.ts';
import { insertApiKey, reissueApiKey, type ApiKeyRow } from './store/api-keys.ts';
import type { Context } from '../context.ts';
import { keyModesOf, type Sandbox } from './sandbox.ts';
import { openSandbox } from './open-sandbox.ts';

const activeKeysMax = 100;
const defaultName = 'API Key';

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
) {
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

export const shownBounds = ({ scopes, expiresAt, addresses }: ApiKeyRow) => ({
  scopes: scopes ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  addresses: addresses ?? null,
});
