import { auditBy } from '../../core/audit/audit-by.ts';
import { Refusal, type FieldProblem } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { passwordProblems } from '../../schemas/accounts/password-rules.ts';
import type { PasswordChange } from '../../schemas/accounts/sign-in.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { replacePassword } from '../../store/accounts/sessions.ts';
import type { Context } from '../context.ts';
import { invalidSession } from './authenticate-session.ts';
import type { Caller } from './caller.ts';
import { noteRefused } from './log-in.ts';
import { emailFingerprint } from './open-session.ts';
import { spendAttempt } from './sign-in-limits.ts';

type Needs = Pick<Context, 'store' | 'passwords' | 'signInLimits' | 'confirmCredential' | 'logger' | 'now'>;

export interface PasswordWish extends PasswordChange {
  readonly caller: Pick<Caller, 'address' | 'requestId'>;
}

/**
 * Replaces the password of the session's account and ends all its other sessions: what a thief has opened with the old one is over.
 * An attempt counts as a login of a known browser does. Throws {@link Refusal} VALIDATION_FAILED, also for a wrong old password, as
 * 401 would say that the session is over; RATE_LIMITED; CONFLICT when another call has changed the password meanwhile.
 */
export async function changePassword(context: Needs, scope: Scope, wish: PasswordWish): Promise<void> {
  const { store, passwords, signInLimits, confirmCredential, now } = context;
  const { oldPassword, newPassword, caller } = wish;
  const account = await findAccount(store, scope.actingAccountId);
  if (account === null || scope.credential.kind !== 'session') throw invalidSession();
  refuse(problemsOf(wish, account.email));
  await spendAttempt(signInLimits.loginByAddress(caller.address));
  await spendAttempt(signInLimits.loginByDevice(emailFingerprint(account.email)));
  if (!(await passwords.verify(account.passwordHash, oldPassword, 'known'))) {
    noteRefused(context, caller, account);
    refuse([{ field: 'oldPassword', message: 'is not the password of this account' }]);
  }
  const newHash = await passwords.hash(newPassword, 'known');
  await confirmCredential(scope);
  const at = now();
  const audit = (sessionsEnded: number) =>
    auditBy(scope, { kind: 'password_changed', message: passwordChanged, at, details: { sessionsEnded } });
  const replacement = { newHash, keep: scope.credential.sessionId, at, audit };
  if (await replacePassword(store, account, replacement)) return;
  throw new Refusal('CONFLICT', 'The password was changed meanwhile, by another call');
}

const passwordChanged = 'The password was changed, and all other sessions were ended';

function problemsOf({ oldPassword, newPassword }: PasswordChange, email: string): FieldProblem[] {
  const field = 'newPassword';
  if (oldPassword === newPassword) return [{ field, message: 'must be another one than the old password' }];
  return passwordProblems({ field, password: newPassword, email });
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw validationFailed(problems);
}
