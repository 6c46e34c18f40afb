import { Refusal } from '../rules/errors.ts';
import { decideJoin } from './rules/deal.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { findAccount } from '../accounts/store/accounts.ts';
import { isDuplicateKey } from '../../platform/database/connection.ts';
import { findJoinRequest, type JoinRequestRow } from './store/join-requests.ts';
import { joinReseller, type Asking, type Membership } from './store/memberships.ts';
import type { MemberConnectionRow } from './store/member-connections.ts';
import { findProfileBySlug } from './store/profiles.ts';
import type { Context } from '../context.ts';
import { memberBy, resellerBy, type ActingSide } from './both-logs.ts';
import { findInvitation } from './invitations.ts';
import { newJoinRequest, requestedEntries } from './join-requests.ts';
import { newMemberRows } from './new-member.ts';
import { requireShown, takesMembers } from './profiles.ts';

export type JoinOutcome =
  | { readonly state: 'joined' | 'was_member'; readonly joined: ReturnType<typeof describe> }
  | { readonly state: 'asked'; readonly request: ReturnType<typeof describeRequest> };

type Needs = Pick<Context, 'store' | 'confirmCredential' | 'now' | 'newId'>;

export interface JoinWish {
  readonly slug: string;
  /** For a form of the page: the user id of the reseller that it showed. The slug may belong to another one by now. */
  readonly expected?: string;
  /**
   * The token of the link in an invitation: the member gets the reference that the reseller has chosen there. An unknown,
   * used or expired token is ignored.
   */
  readonly invitation?: string | undefined;
  /**
   * Whether the reseller may read and handle the orders from the start; by default it may not. An existing membership
   * or request stays unchanged.
   */
  readonly sharesOrders?: boolean | undefined;
}

/**
 * Connects a member through the reseller's page, or stores its request where the reseller approves its members. Throws
 * {@link Refusal} NOT_FOUND for a page that takes no members, and CONFLICT for the reseller itself, a paid deal, or, with
 * {@link resellerField} in its details, another reseller than the one shown. ALREADY_CONNECTED means that the account is a member
 * of another reseller.
 */
export async function connectMember(context: Needs, scope: Scope, wish: JoinWish): Promise<JoinOutcome> {
  const { slug, expected, sharesOrders = false, invitation: token } = wish;
  const { store, now, newId } = context;
  const member = scope.actingAccountId;
  // From here on the account counts and not the slug, which another account may get meanwhile.
  const reseller = await resellerOf(context, slug);
  if (expected !== undefined) requireShown(reseller, expected);
  const ids = { connection: newId(), deal: newId() };
  const invited = token === undefined ? null : await findInvited(context, { token, reseller, member });
  const confirm = () => context.confirmCredential(scope);
  const by = memberBy(scope);
  const joinAs = (externalId: string) =>
    joinReseller(store, member, {
      reseller,
      confirm,
      now,
      decide: (inForce) => decideJoin(member, reseller, inForce),
      rowsAt: (at) =>
        newMemberRows(at, { ids, member, reseller, externalId, sharesOrders, invitation: invited?.used ?? null, by }),
      askAt:
        invited?.isApproved === true
          ? undefined
          : (at) => ask(by, { member, reseller, sharesOrders, invited: invited?.row ?? null, at }),
    });
  const outcome = await joinAs(invited?.row.externalId ?? member).catch((error: unknown) => {
    // Another member has the invitation's reference. This one joins under its user id, and the reseller may rename it.
    if (!isDuplicateKey(error) || invited === null) throw error;
    return joinAs(member);
  });
  if (outcome === 'no_agreement' || outcome === 'no_request') throw noPage();
  if ('requestedAt' in outcome) return { state: 'asked', request: describeRequest(outcome) };
  // The id of this call: an earlier attempt has joined, and its answer was lost.
  const isNew = outcome.isNew || outcome.connection._id === ids.connection;
  return { state: isNew ? 'joined' : 'was_member', joined: describe(outcome) };
}

function ask(by: ActingSide, asking: Parameters<typeof newJoinRequest>[0]): Asking {
  const request = newJoinRequest(asking);
  return { request, audit: requestedEntries(by, request) };
}

/**
 * The invitation of a link. It stands for the reseller's approval where the account has proven that the invited address is its
 * own: a link may have been passed on.
 */
async function findInvited(
  context: Needs,
  { token, reseller, member }: { token: string; reseller: AccountId; member: AccountId },
) {
  const [row, account] = await Promise.all([
    findInvitation(context, { token, reseller }),
    findAccount(context.store, member),
  ]);
  if (row === null || account === null) return null;
  const isApproved = account.email === row.email && account.emailVerifiedAt !== undefined;
  return { row, isApproved, used: { id: row._id, email: account.email } };
}

async function resellerOf({ store }: Needs, slug: string): Promise<AccountId> {
  const profile = await findProfileBySlug(store, slug);
  if (profile === null || !(await takesMembers(store, profile._id))) throw noPage();
  return profile._id;
}

const noPage = (): Refusal => new Refusal('NOT_FOUND', 'There is no reseller page here');

function describe({ connection, deal }: Membership) {
  const resellerUserId = connection.resellerAccountId;
  return {
    membership: {
      memberUserId: connection.memberAccountId,
      resellerUserId,
      externalId: connection.externalId,
      sharesOrders: connection.sharesOrders === true,
      createdAt: connection.createdAt.toISOString(),
    },
    deal: { kind: 'sub_account' as const, resellerUserId, validFrom: deal.validFrom.toISOString() },
  };
}

const describeRequest = ({ resellerAccountId, sharesOrders, requestedAt, expiresAt }: JoinRequestRow) => ({
  resellerUserId: resellerAccountId,
  sharesOrders,
  requestedAt: requestedAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

/**
 * The reseller approves an account that asks it, under this reference. Returns null when the account does not ask it. Throws
 * {@link Refusal} as {@link connectMember}, and REFERENCE_TAKEN.
 */
export async function approveMember(
  context: Needs,
  scope: Scope,
  { memberAccountId: member, externalId }: { memberAccountId: AccountId; externalId: string },
): Promise<MemberConnectionRow | null> {
  const { store, now, newId } = context;
  const reseller = scope.actingAccountId;
  const [asked, account] = await Promise.all([findJoinRequest(store, member), findAccount(store, member)]);
  // Of an account that does not ask, nothing may be told, not even that it has another reseller.
  if (asked?.resellerAccountId !== reseller || account === null) return null;
  const ids = { connection: newId(), deal: newId() };
  const by = resellerBy(scope);
  const joined = await joinReseller(store, member, {
    reseller,
    now,
    confirm: () => context.confirmCredential(scope),
    decide: (inForce) => decideJoin(member, reseller, inForce),
    rowsAt: (at, request) => {
      if (request === null) return null;
      const { sharesOrders, invitationId } = request;
      const invitation = invitationId === null ? null : { id: invitationId, email: account.email };
      return newMemberRows(at, { ids, member, reseller, externalId, sharesOrders, invitation, by });
    },
  }).catch((error: unknown) => {
    throw isDuplicateKey(error) ? new Refusal('REFERENCE_TAKEN', 'Another member has this reference') : error;
  });
  if (joined === 'no_agreement' || joined === 'no_request' || 'requestedAt' in joined) return null;
  return joined.connection;
}
