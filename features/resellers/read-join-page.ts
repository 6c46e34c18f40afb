import { Refusal } from '../rules/errors.ts';
import { standingOf, type Standing } from './rules/deal.ts';
import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import { isProfileSlug } from '../../schemas/resellers/profiles.ts';
import { findAccount } from '../accounts/store/accounts.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { findCurrentDeal } from './store/deals.ts';
import { findJoinRequest } from './store/join-requests.ts';
import { findConnectionOfMember } from './store/member-connections.ts';
import { findProfileBySlug, type ProfileRow } from './store/profiles.ts';
import type { Context } from '../context.ts';
import { logoPath, takesMembers } from './profiles.ts';
import { nameOfReseller } from './read-my-deal.ts';

export interface JoinPage {
  readonly resellerUserId: AccountId;
  readonly slug: string;
  readonly displayName: string;
  readonly description: string;
  readonly logoPath: string | null;
  /** Share of the members' combined sales that the reseller owes, in hundredths of a per cent. */
  readonly commissionBps: number;
  readonly needsApproval: boolean;
  /** null for a visitor without a session. */
  readonly visitor: JoinPageVisitor | null;
}

export interface JoinPageVisitor {
  readonly name: string;
  readonly email: string;
  readonly standing: Standing;
  /** The reseller of the visitor, this one or another. */
  readonly memberOfUserId: AccountId | null;
  readonly resellerName: string | null;
  /** Whether that reseller may handle the visitor's orders. */
  readonly sharesOrders: boolean;
}

/** Public; `scope` is the visitor's. Throws {@link Refusal} NOT_FOUND for a page that takes no members. */
export async function readJoinPage(
  { store }: Pick<Context, 'store'>,
  slug: string,
  scope: Scope | null,
): Promise<JoinPage> {
  const profile = isProfileSlug(slug) ? await findProfileBySlug(store, slug) : null;
  const agreement = profile === null ? null : await findCurrentDeal(store, profile._id);
  const isOpen = profile !== null && (await takesMembers(store, profile._id));
  if (!isOpen || agreement?.kind !== 'reseller_agreement')
    throw new Refusal('NOT_FOUND', 'There is no reseller page here');
  const { displayName, description, logoTag, needsApproval = false } = profile;
  const visitor = scope === null ? null : await describeVisitor(store, profile, scope);
  return {
    resellerUserId: profile._id,
    slug,
    displayName,
    description,
    logoPath: logoTag === undefined ? null : logoPath(slug, logoTag),
    commissionBps: agreement.commissionBps ?? 0,
    needsApproval,
    visitor,
  };
}

async function describeVisitor(
  store: StoreConnection,
  { _id: reseller }: ProfileRow,
  { actingAccountId }: Scope,
): Promise<JoinPageVisitor | null> {
  const [account, deal, link, request] = await Promise.all([
    findAccount(store, actingAccountId),
    findCurrentDeal(store, actingAccountId),
    findConnectionOfMember(store, actingAccountId),
    findJoinRequest(store, actingAccountId),
  ]);
  if (account === null) return null;
  const { name, email } = account;
  const of = deal?.resellerAccountId ?? null;
  const resellerName = of === null ? null : (await nameOfReseller(store, of)).displayName;
  const askedAt = request?.resellerAccountId === reseller ? request.requestedAt : null;
  const standing = standingOf(actingAccountId, reseller, { deal, askedAt });
  return { name, email, standing, memberOfUserId: of, resellerName, sharesOrders: link?.sharesOrders === true };
}
