import { auditBy } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import type { InvitationWish } from '../../schemas/resellers/invitations.ts';
import { hashLinkToken } from '../../platform/security/fingerprint.ts';
import { findAccount, runExclusive } from '../accounts/store/accounts.ts';
import { recordAudit } from '../accounts/store/audit.ts';
import { inTransaction, type Session } from '../../platform/database/transaction.ts';
import { insertMails } from '../mail/store/mails.ts';
import { hasResellerAgreement } from './store/deals.ts';
import {
  countInvitedSince,
  deleteInvitation,
  findInvitationByToken,
  findInvitationsTo,
  listInvitations,
  storeInvitations,
  type InvitationRow,
} from './store/invitations.ts';
import { findProfile } from './store/profiles.ts';
import type { Context } from '../context.ts';
import { newMail, requireMail } from '../mail/account-mail.ts';

const dayMs = 24 * 3_600_000;
const lifeMs = 30 * dayMs;
/** Limits the mail that one account can cause: a reseller that invites by hand stays below it. */
const perDayMax = 500;
const shownMax = 1_000;

/** The newest first, at most 1,000; empty for an account that is no reseller. */
export async function readInvitations({ store }: Pick<Context, 'store'>, scope: Scope) {
  return (await listInvitations(store, scope.actingAccountId, shownMax)).map(describe);
}

const describe = (row: InvitationRow) => ({
  id: row._id,
  email: row.email,
  externalId: row.externalId,
  state: row.joinedAccountId === null ? 'open' : 'joined',
  invitedAt: row.invitedAt.toISOString(),
  joinedAt: row.joinedAt?.toISOString() ?? null,
  joinedEmail: row.joinedEmail ?? null,
  expiresAt: row.expiresAt.toISOString(),
});

export interface Invited {
  readonly sent: number;
  readonly skipped: readonly { readonly email: string; readonly reason: 'joined' | 'invited_today' }[];
}

type Inviting = Pick<Context, 'store' | 'sendsMail' | 'confirmCredential' | 'newId' | 'now'>;

/**
 * Stores the invitations and their mails in one write. An address gets at most one a day from the same reseller. Throws {@link
 * Refusal} RESELLER_AGREEMENT_REQUIRED, RATE_LIMITED for more than 500 a day, and UNAVAILABLE without a mail server. CONFLICT
 * means a reseller without a page, or whose own address is not confirmed.
 */
export async function inviteMembers(context: Inviting, scope: Scope, wish: InvitationWish): Promise<Invited> {
  const { store, confirmCredential, now } = context;
  requireMail(context);
  await requireInviter(context, scope);
  await confirmCredential(scope);
  const invited = await inTransaction(store, async (session) => {
    await runExclusive(store, scope.actingAccountId, session);
    const { rows, skipped } = await decide(context, { reseller: scope.actingAccountId, wish, session });
    if (rows.length === 0) return { sent: 0, skipped };
    await requireRoom(context, { reseller: scope.actingAccountId, wanted: rows.length, session });
    await storeInvitations(store, rows, session);
    await insertMails(
      store,
      rows.map((row) => mailOf(context, row, wish)),
      session,
    );
    const audit = auditBy(scope, { kind: 'members_invited', at: now(), details: { members: rows.length } });
    await recordAudit(store, audit, session);
    return { sent: rows.length, skipped };
  });
  return invited;
}

async function requireInviter({ store }: Pick<Context, 'store'>, { actingAccountId }: Scope): Promise<void> {
  const [isReseller, profile, account] = await Promise.all([
    hasResellerAgreement(store, actingAccountId),
    findProfile(store, actingAccountId),
    findAccount(store, actingAccountId),
  ]);
  if (!isReseller) throw new Refusal('RESELLER_AGREEMENT_REQUIRED', 'Invitations require a reseller agreement');
  if (profile === null) throw new Refusal('CONFLICT', 'There is no page to invite to yet: the account has no profile');
  if (account?.emailVerifiedAt === undefined)
    throw new Refusal('CONFLICT', 'Confirm the email address of the account first: invitations are sent in its name');
}

type NewRow = Parameters<typeof storeInvitations>[1][number];

interface Deciding {
  readonly reseller: AccountId;
  readonly wish: InvitationWish;
  readonly session: Session;
}

async function decide({ store, newId, now }: Inviting, { reseller, wish, session }: Deciding) {
  const emails = wish.invitations.map(({ email }) => email);
  const known = await findInvitationsTo(store, { resellerAccountId: reseller, emails }, session);
  const byEmail = new Map(known.map((row) => [row.email, row]));
  const invitedAt = now();
  const rows: NewRow[] = [];
  const skipped: Invited['skipped'][number][] = [];
  for (const { email, externalId } of wish.invitations) {
    const before = byEmail.get(email);
    if (before !== undefined && before.joinedAccountId !== null) skipped.push({ email, reason: 'joined' });
    else if (before !== undefined && invitedAt.getTime() - before.invitedAt.getTime() < dayMs)
      skipped.push({ email, reason: 'invited_today' });
    else
      rows.push({
        _id: before?._id ?? newId(),
        resellerAccountId: reseller,
        email,
        invitedAt,
        externalId: externalId ?? before?.externalId ?? null,
        expiresAt: new Date(invitedAt.getTime() + lifeMs),
      });
  }
  return { rows, skipped };
}

interface Room {
  readonly reseller: AccountId;
  readonly wanted: number;
  readonly session: Session;
}

async function requireRoom({ store, now }: Inviting, { reseller, wanted, session }: Room): Promise<void> {
  const since = new Date(now().getTime() - dayMs);
  const sent = await countInvitedSince(store, { resellerAccountId: reseller, since }, session);
  if (sent + wanted <= perDayMax) return;
  const message = `At most ${perDayMax} invitations a day are sent for an account; ${sent} were in the last 24 hours`;
  throw new Refusal('RATE_LIMITED', message, { retryAfterSeconds: dayMs / 1000 });
}

const mailOf = (
  context: Inviting,
  { _id, resellerAccountId, email, invitedAt }: NewRow,
  { language }: InvitationWish,
) => ({
  ...newMail(context, {
    queue: resellerAccountId,
    mail: { kind: 'invitation', accountId: resellerAccountId, invitationId: _id, email },
    language,
  }),
  id: `invitation:${_id}:${invitedAt.toISOString()}`,
});

/** Deletes an invitation, so that its links stop working. Throws {@link Refusal} NOT_FOUND for an unknown id. */
export async function withdrawInvitation(
  { store, confirmCredential, now }: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  id: string,
): Promise<void> {
  await confirmCredential(scope);
  await inTransaction(store, async (session) => {
    if (!(await deleteInvitation(store, { resellerAccountId: scope.actingAccountId, id }, session)))
      throw new Refusal('NOT_FOUND', 'No invitation with this id');
    await recordAudit(store, auditBy(scope, { kind: 'invitation_withdrawn', at: now(), details: {} }), session);
  });
}

/** The invitation of a link; null when the token is unknown, used, expired, or another reseller's. */
export async function findInvitation(
  { store, now }: Pick<Context, 'store' | 'now'>,
  { token, reseller }: { readonly token: string; readonly reseller: AccountId },
): Promise<InvitationRow | null> {
  const row = await findInvitationByToken(store, { hash: hashLinkToken(token), now: now() });
  return row?.resellerAccountId === reseller ? row : null;
}
