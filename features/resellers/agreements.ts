import type { AuditEntry } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import type { AccountId } from '../rules/ids.ts';
import { isSekAmount, oreFromSek, sekFromOre } from '../rules/money.ts';
import { directSalesMaxOre } from '../orders/rules/commission.ts';
import { operatorCalled, type Actor } from '../items/rules/journal.ts';
import { normaliseEmail } from '../../schemas/accounts/sign-in.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { isProfileSlug } from '../../schemas/resellers/profiles.ts';
import { findAccountByEmail, type AccountRow } from '../accounts/store/accounts.ts';
import type { DealRow } from './store/deals.ts';
import { endAgreement, grantAgreement } from './store/memberships.ts';
import type { MemberConnectionRow } from './store/member-connections.ts';
import type { Context } from '../context.ts';

export interface AgreementGrant {
  readonly email: string;
  /** Hundredths of a per cent of the members' combined sales, 0 to 10,000. */
  readonly commissionBps: number;
  readonly slug: string;
  /** Direct sales of one member that count in a month by themselves, in whole SEK; as it is when left out. */
  readonly directSalesMax?: number | undefined;
}

/** `operator`: the name of who gave the command. */
type Needs = Pick<Context, 'store' | 'now' | 'newId'> & { readonly operator?: string | undefined };

/**
 * Makes an account a reseller, or changes the commission or slug of its agreement. Called by an administrator; a repeated call
 * changes nothing. Throws {@link Refusal} VALIDATION_FAILED, NOT_FOUND for an unknown email, CONFLICT for a taken slug or a
 * member.
 */
export async function grantResellerAgreement(
  context: Needs,
  grant: AgreementGrant,
): Promise<{ accountId: string; slug: string }> {
  checkGrant(grant);
  const account = await findAccountByEmail(context.store, normaliseEmail(grant.email));
  if (account === null) throw new Refusal('NOT_FOUND', `No account with the email address ${grant.email}`);
  const audit = (deal: DealRow): AuditEntry => grantedEntry(deal, grant, operatorCalled(context.operator));
  const page = { slug: grant.slug, displayName: account.name, now: context.now, audit };
  const outcome = await grantAgreement(context.store, newAgreement(context, account, grant), page);
  if (outcome === 'slug_taken') throw new Refusal('CONFLICT', `The slug ${grant.slug} belongs to another account`);
  if (outcome === 'is_member')
    throw new Refusal('CONFLICT', 'The account is the member of a reseller; it must disconnect first');
  return { accountId: account._id, slug: grant.slug };
}

function checkGrant({ commissionBps, slug, directSalesMax = 0 }: AgreementGrant): void {
  if (!Number.isInteger(commissionBps) || commissionBps < 0 || commissionBps > 10_000) {
    throw validationFailed([problem('commissionBps', 'not_whole_number', { min: 0, max: 10_000 })]);
  }
  if (!Number.isInteger(directSalesMax) || !isSekAmount(directSalesMax)) {
    throw validationFailed([problem('directSalesMax', 'not_whole_number', { min: 0, max: 100_000_000 })]);
  }
  if (!isProfileSlug(slug)) throw validationFailed([problem('slug', 'not_slug')]);
}

const newAgreement = ({ newId }: Needs, account: AccountRow, grant: AgreementGrant): Omit<DealRow, 'validFrom'> => ({
  _id: newId(),
  accountId: account._id,
  kind: 'reseller_agreement',
  commissionBps: grant.commissionBps,
  ...(grant.directSalesMax !== undefined && { directSalesMaxOre: oreFromSek(grant.directSalesMax) }),
  resellerAccountId: null,
  current: true,
  validTo: null,
});

const grantedEntry = (deal: DealRow, { commissionBps, slug }: AgreementGrant, actor: Actor): AuditEntry => ({
  accountId: deal.accountId,
  actor,
  kind: 'reseller_agreement_granted',
  at: deal.validFrom,
  details: { commissionBps, slug, directSalesMax: sekFromOre(deal.directSalesMaxOre ?? directSalesMaxOre) },
});

/**
 * Ends an account's reseller agreement; called by an administrator. Its members get the default deal again and keep items,
 * marketplace connection and public pages. Earlier sales owe commission as before. A repeated call changes nothing.
 * Throws {@link Refusal} NOT_FOUND for an unknown email.
 */
export async function revokeResellerAgreement(
  context: Omit<Needs, 'newId'>,
  email: string,
): Promise<{ accountId: string; hadAgreement: boolean; members: number }> {
  const account = await findAccountByEmail(context.store, normaliseEmail(email));
  if (account === null) throw new Refusal('NOT_FOUND', `No account with the email address ${email}`);
  const ended = await endAgreement(context.store, account._id, {
    now: context.now,
    audit: (members, at) => {
      const told = { actor: operatorCalled(context.operator), at };
      return [endedEntry(account._id, members, told), ...members.map((member) => leftEntry(member, told))];
    },
  });
  if (ended === 'no_agreement') return { accountId: account._id, hadAgreement: false, members: 0 };
  return { accountId: account._id, hadAgreement: true, members: ended.length };
}

type Told = Pick<AuditEntry, 'actor' | 'at'>;

const endedEntry = (accountId: AccountId, members: readonly MemberConnectionRow[], told: Told): AuditEntry => ({
  accountId,
  ...told,
  kind: 'reseller_agreement_ended',
  details: { members: members.length },
});

const leftEntry = (
  { memberAccountId, resellerAccountId, externalId }: MemberConnectionRow,
  told: Told,
): AuditEntry => ({
  accountId: memberAccountId,
  ...told,
  kind: 'member_left',
  details: { resellerUserId: resellerAccountId, externalId, isAgreementEnded: true },
});
