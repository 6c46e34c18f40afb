import { auditBy } from '../../core/audit/audit-by.ts';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { revokeKey } from '../../store/accounts/api-keys.ts';
import type { Context } from '../context.ts';

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
        message: `API key "${name}" (${prefix}…) was revoked`,
      }),
  });
  if (!isRevoked) throw new Refusal('NOT_FOUND', 'No active API key with this id');
}
