import { auditBy } from '../../core/audit/audit-by.ts';
import type { Scope } from '../../core/scope.ts';
import { endSession } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';

/** Ends the session that the call was made with, with all its tokens. No effect when it is over. */
export async function endOwnSession({ store, now }: Pick<Context, 'store' | 'now'>, scope: Scope): Promise<void> {
  const { actingAccountId: accountId, credential } = scope;
  if (credential.kind !== 'session') return;
  const { sessionId } = credential;
  const at = now();
  const audit = auditBy(scope, { kind: 'signed_out', message: 'Signed out', at, details: { sessionId } });
  await endSession(store, { _id: sessionId, accountId }, { at, by: 'sign_out', audit });
}
