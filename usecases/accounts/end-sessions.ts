import { auditBy } from '../../core/audit/audit-by.ts';
import { Refusal } from '../../core/errors.ts';
import { sessionId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { endOtherSessions, endSession } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';
import { invalidSession } from './authenticate-session.ts';

type Needs = Pick<Context, 'store' | 'confirmCredential' | 'now'>;

/** Ends one session of the account with all its tokens. Throws {@link Refusal} NOT_FOUND when there is none, or it is over. */
export async function endOneSession({ store, confirmCredential, now }: Needs, scope: Scope, id: string): Promise<void> {
  await confirmCredential(scope);
  const at = now();
  const ended = { _id: sessionId(id), accountId: scope.actingAccountId };
  const told = { message: 'A session was ended from another one', details: { sessionId: id, sessions: 1 } };
  const audit = auditBy(scope, { kind: 'sessions_ended', at, ...told });
  if (await endSession(store, ended, { at, by: 'elsewhere', audit })) return;
  throw new Refusal('NOT_FOUND', 'No open session of this account has this id');
}

/** Ends all sessions of the account but the one that calls. */
export async function endAllOtherSessions({ store, confirmCredential, now }: Needs, scope: Scope): Promise<void> {
  const { credential } = scope;
  if (credential.kind !== 'session') throw invalidSession();
  await confirmCredential(scope);
  const at = now();
  await endOtherSessions(store, scope.actingAccountId, {
    ...{ keep: credential.sessionId, at },
    audit: (sessions) =>
      auditBy(scope, { kind: 'sessions_ended', message: 'All other sessions were ended', at, details: { sessions } }),
  });
}
