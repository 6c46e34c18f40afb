import type { AuditEntry } from '../../core/audit/audit-entry.ts';
import { theOperator } from '../../core/items/journal.ts';
import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import { normaliseEmail } from '../../schemas/accounts/sign-in.ts';
import { findAccountByEmail } from '../../store/accounts/accounts.ts';
import { endAgreement } from '../../store/resellers/end-agreement.ts';
import type { MemberConnectionRow } from '../../store/resellers/member-connections.ts';
import type { Context } from '../context.ts';

/**
 * An administrator ends an account's reseller agreement: its members have the default deal again and keep items, marketplace
 * connection and public pages; what was sold until now owes as before. Repeating it changes nothing.
 * Throws {@link Refusal} NOT_FOUND for an unknown email.
 */
export async function revokeResellerAgreement(
  context: Pick<Context, 'store' | 'now'>,
  email: string,
): Promise<{ accountId: string; hadAgreement: boolean; members: number }> {
  const account = await findAccountByEmail(context.store, normaliseEmail(email));
  if (account === null) throw new Refusal('NOT_FOUND', `No account with the email address ${email}`);
  const ended = await endAgreement(context.store, account._id, {
    now: context.now,
    audit: (members, at) => [endedEntry(account._id, members, at), ...members.map((member) => leftEntry(member, at))],
  });
  if (ended === 'no_agreement') return { accountId: account._id, hadAgreement: false, members: 0 };
  return { accountId: account._id, hadAgreement: true, members: ended.length };
}

const endedEntry = (accountId: AccountId, members: readonly MemberConnectionRow[], at: Date): AuditEntry => ({
  ...{ accountId, actor: theOperator, kind: 'reseller_agreement_ended', at },
  message: `The reseller agreement ended, and with it the membership of ${members.length} accounts`,
  details: { members: members.length },
});

const leftEntry = ({ memberAccountId, resellerAccountId, externalId }: MemberConnectionRow, at: Date): AuditEntry => ({
  ...{ accountId: memberAccountId, actor: theOperator, kind: 'member_left', at },
  message: 'The agreement of the reseller ended, so it can no longer act for this account',
  details: { resellerUserId: resellerAccountId, externalId },
});
