import { auditBy } from './rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import type { Scope } from '../rules/scope.ts';
import { revokeKey, type ApiKeyRow } from './store/api-keys.ts';
import { findSandboxOf } from './store/sandboxes.ts';
import type { Context } from '../context.ts';

/** Throws {@link Refusal} NOT_FOUND for a key that does not exist, is revoked already, or is another account's. */
export async function revokeApiKey(
  context: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  keyId: string,
): Promise<void> {
  const at = context.now();
  await context.confirmCredential(scope);
  const revocation = {
    keyId,
    at,
    audit: ({ name, prefix }: ApiKeyRow) =>
      auditBy(scope, { kind: 'api_key_revoked', at, details: { keyId, name, prefix } }),
  };
  if (await revokeKey(context.store, scope.actingAccountId, revocation)) return;
  const sandbox = await findSandboxOf(context.store, scope.actingAccountId);
  if (sandbox === null || !(await revokeKey(context.store, sandbox, revocation)))
    throw new Refusal('NOT_FOUND', 'No active API key with this id');
}
