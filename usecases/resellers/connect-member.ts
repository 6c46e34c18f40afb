import { auditBy, type AuditEntry } from '../../core/audit/audit-entry.ts';
import { Refusal } from '../../core/errors.ts';
import { decideJoin } from '../../core/resellers/standing.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { isDuplicateKey } from '../../store/database/connection.ts';
import { hasResellerAgreement } from '../../store/resellers/deals.ts';
import { joinReseller, type JoinRows, type Membership } from '../../store/resellers/memberships.ts';
import type { MemberConnectionRow } from '../../store/resellers/member-connections.ts';
import { findProfileBySlug } from '../../store/resellers/profiles.ts';
import type { Context } from '../context.ts';
import { findInvitation } from './invitations.ts';
import { sharingEntries } from './members.ts';
import { requireShown } from './profiles.ts';

export interface Joined {
  readonly membership: {
    readonly memberUserId: string;
    readonly resellerUserId: string;
    readonly externalId: string;
    readonly sharesOrders: boolean;
    readonly createdAt: string;
  };
  readonly deal: { readonly kind: 'sub_account'; readonly resellerUserId: string; readonly validFrom: string };
}

export interface JoinOutcome {
  /** false when the account was this reseller's member before. */
  readonly isNew: boolean;
  readonly joined: Joined;
}

type Needs = Pick<Context, 'store' | 'confirmCredential' | 'now' | 'newId'>;

/**
 * Connects a member through the reseller's page. Throws {@link Refusal} NOT_FOUND for a page without an agreement, and CONFLICT
 * for the reseller itself or a paid deal. ALREADY_CONNECTED means that the account is a member of another reseller.
 */
export const connectMember = (
  context: Needs,
  scope: Scope,
  wish: { readonly slug: string } & JoinWish,
): Promise<JoinOutcome> => join(context, scope, wish);

interface JoinWish {
  /**
   * The token of the link in an invitation: the member gets the reference that the reseller has chosen there. An unknown,
   * used or expired token is ignored.
   */
  readonly invitation?: string | undefined;
  /**
   * Whether the reseller may read and handle the orders from the start; by default it may not. An existing membership
   * stays unchanged.
   */
  readonly sharesOrders?: boolean | undefined;
}

/**
 * Like {@link connectMember}, for a form of the page: its slug may belong to another reseller by now. `expected` is the user id
 * of the reseller that was shown. Throws {@link Refusal} CONFLICT with {@link resellerField} in its details when the reseller
 * differs.
 */
export const connectShown = (
  context: Needs,
  scope: Scope,
  wish: { readonly slug: string; readonly expected: string } & JoinWish,
): Promise<JoinOutcome> => join(context, scope, wish);

async function join(
  context: Needs,
  scope: Scope,
  {
    slug,
    expected,
    sharesOrders = false,
    invitation,
  }: { readonly slug: string; readonly expected?: string } & JoinWish,
): Promise<JoinOutcome> {
  const member = scope.actingAccountId;
  // From here on the account counts and not the slug, which another account may get meanwhile.
  const reseller = await resellerOf(context, slug);
  if (expected !== undefined) requireShown(reseller, expected);
  const ids = { connection: context.newId(), deal: context.newId() };
  const invited = invitation === undefined ? null : await findInvitation(context, { token: invitation, reseller });
  const confirm = () => context.confirmCredential(scope);
  const joinAs = (externalId: string) =>
    joinReseller(context.store, member, {
      ...{ reseller, confirm },
      decide: (inForce) => decideJoin(member, reseller, inForce),
      now: context.now,
      rowsAt: (at) =>
        rowsAt(at, { ids, scope, reseller, sharesOrders, externalId, invitationId: invited?._id ?? null }),
    });
  const membership = await joinAs(invited?.externalId ?? member).catch((error: unknown) => {
    // Another member has the invitation's reference. This one joins under its user id, and the reseller may rename it.
    if (!isDuplicateKey(error) || invited === null) throw error;
    return joinAs(member);
  });
  if (membership === 'no_agreement') throw noPage();
  // The id of this call: an earlier attempt has joined, and its answer was lost.
  const isNew = membership.isNew || membership.connection._id === ids.connection;
  return { isNew, joined: describe(membership) };
}

async function resellerOf({ store }: Needs, slug: string): Promise<AccountId> {
  const profile = await findProfileBySlug(store, slug);
  if (profile === null || !(await hasResellerAgreement(store, profile._id))) {
    throw noPage();
  }
  return profile._id;
}

const noPage = (): Refusal => new Refusal('NOT_FOUND', 'There is no reseller page here');

interface NewMember {
  readonly ids: { readonly connection: string; readonly deal: string };
  readonly scope: Scope;
  readonly reseller: AccountId;
  readonly sharesOrders: boolean;
  readonly externalId: string;
  readonly invitationId: string | null;
}

/** The first reference is that of the invitation, or the member's user id; the reseller may rename it. */
function rowsAt(at: Date, { ids, scope, reseller, sharesOrders, externalId, invitationId }: NewMember): JoinRows {
  const member = scope.actingAccountId;
  const connection = {
    _id: ids.connection,
    resellerAccountId: reseller,
    memberAccountId: member,
    externalId,
    sharesOrders,
    createdAt: at,
    updatedAt: at,
  };
  return {
    ...{ connection, invitationId },
    audit: [...joinEntries(scope, connection), ...(sharesOrders ? sharingEntries(scope, connection, at) : [])],
    deal: {
      _id: ids.deal,
      accountId: member,
      kind: 'sub_account',
      commissionBps: null,
      resellerAccountId: reseller,
      current: true,
      validFrom: at,
      validTo: null,
    },
  };
}

function describe({ connection, deal }: Membership): Joined {
  const resellerUserId = connection.resellerAccountId;
  return {
    membership: {
      memberUserId: connection.memberAccountId,
      resellerUserId,
      externalId: connection.externalId,
      sharesOrders: connection.sharesOrders === true,
      createdAt: connection.createdAt.toISOString(),
    },
    deal: { kind: 'sub_account', resellerUserId, validFrom: deal.validFrom.toISOString() },
  };
}

/** Each side's log shows the account of the other side. */
function joinEntries(scope: Scope, row: MemberConnectionRow): AuditEntry[] {
  const { memberAccountId, resellerAccountId, externalId, createdAt: at } = row;
  const own = auditBy(scope, {
    ...{ kind: 'member_joined', at, details: { resellerUserId: resellerAccountId } },
  });
  return [
    own,
    {
      ...own,
      accountId: resellerAccountId,
      actor: { ...own.actor, kind: 'member' },
      kind: 'member_joined',
      details: { memberUserId: memberAccountId, externalId },
    },
  ];
}
