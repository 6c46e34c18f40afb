import { auditBy } from '../accounts/rules/audit-entry.ts';
import { Refusal } from '../rules/errors.ts';
import { accountId, type AccountId } from '../rules/ids.ts';
import { sekFromOre } from '../rules/money.ts';
import { directSalesMaxOre } from '../orders/rules/commission.ts';
import type { Scope } from '../rules/scope.ts';
import { findAccountNames } from '../accounts/store/accounts.ts';
import { readCommissionSums, type MemberCommission } from '../orders/store/order-sums.ts';
import { confirmCommission as confirm } from '../orders/store/confirm-commission.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { findCurrentDeal, type DealRow } from './store/deals.ts';
import { dealKindOf } from './rules/deal.ts';
import { findJoinRequest } from './store/join-requests.ts';
import { findConnectionOfMember, findConnectionsOfMembers } from './store/member-connections.ts';
import { findProfile } from './store/profiles.ts';
import type { Context } from '../context.ts';

/** The deal in force, money in SEK, and what a reseller owes on all completed sales of its members from the time of their membership. */
export async function readMyDeal({ store }: Pick<Context, 'store'>, scope: Scope) {
  const account = scope.actingAccountId;
  const [deal, sums, link, request] = await Promise.all([
    findCurrentDeal(store, account),
    readCommissionSums(store, account),
    findConnectionOfMember(store, account),
    findJoinRequest(store, account),
  ]);
  const nameOf = async (reseller: AccountId | null | undefined) =>
    reseller == null ? null : nameOfReseller(store, reseller);
  const isOwing = deal?.kind === 'reseller_agreement' || sums.length > 0;
  return {
    ...describeDeal(deal),
    reseller: await nameOf(deal?.resellerAccountId),
    askedReseller: await nameOf(request?.resellerAccountId),
    sharesOrders: link === null ? null : link.sharesOrders === true,
    commission: isOwing ? await describeCommission(store, account, sums) : null,
  };
}

function describeDeal(deal: DealRow | null) {
  const kind = dealKindOf(deal);
  if (deal === null) return { kind, validFrom: null, commissionBps: null, directSalesMax: null };
  const { validFrom, commissionBps, directSalesMaxOre: maxOre = directSalesMaxOre } = deal;
  const directSalesMax = kind === 'reseller_agreement' ? sekFromOre(maxOre) : null;
  return { kind, validFrom: validFrom.toISOString(), commissionBps, directSalesMax };
}

export async function nameOfReseller(store: StoreConnection, reseller: AccountId) {
  const [profile, names] = await Promise.all([findProfile(store, reseller), findAccountNames(store, [reseller])]);
  return { userId: reseller, displayName: profile?.displayName ?? names.get(reseller) ?? '' };
}

export type Commission = Awaited<ReturnType<typeof describeCommission>>;

/** Sums stay in whole öre until the end, so that they are exact. */
async function describeCommission(store: StoreConnection, reseller: AccountId, sums: readonly MemberCommission[]) {
  const nameOf = await namesOfMembers(store, reseller, [
    ...new Set(sums.map(({ memberAccountId }) => memberAccountId)),
  ]);
  const describe = (some: readonly MemberCommission[]) => ({
    ...owed(totalOf(some)),
    members: some
      .toSorted((one, other) => other.owedOre - one.owedOre || (one.memberAccountId < other.memberAccountId ? -1 : 1))
      .map(({ memberAccountId, ...sum }) => ({
        memberUserId: memberAccountId,
        memberName: nameOf(memberAccountId),
        ...owed(sum),
      })),
  });
  return {
    ...describe(sums.filter(({ isWaiting }) => !isWaiting)),
    currency: 'SEK',
    waiting: describe(sums.filter(({ isWaiting }) => isWaiting)),
  };
}

type Sums = Pick<MemberCommission, 'orders' | 'salesOre' | 'owedOre'>;

const totalOf = (sums: readonly Sums[]): Sums =>
  sums.reduce(
    (all, { orders, salesOre, owedOre }) => ({
      orders: all.orders + orders,
      salesOre: all.salesOre + salesOre,
      owedOre: all.owedOre + owedOre,
    }),
    { orders: 0, salesOre: 0, owedOre: 0 },
  );

/** The names of present members alone: what a former one is called today is not the reseller's business. */
async function namesOfMembers(
  store: StoreConnection,
  reseller: AccountId,
  members: readonly AccountId[],
): Promise<(member: AccountId) => string | null> {
  const [links, names] = await Promise.all([
    findConnectionsOfMembers(store, members),
    findAccountNames(store, members),
  ]);
  return (member) => (links.get(member)?.resellerAccountId === reseller ? (names.get(member) ?? '') : null);
}

const owed = ({ orders, salesOre, owedOre }: Sums) => ({
  orders,
  sales: sekFromOre(salesOre),
  owed: sekFromOre(owedOre),
});

/** What a reseller was shown of a member in `waiting`; money in SEK. */
export interface ShownCommission {
  readonly memberUserId: string;
  readonly orders: number;
  readonly sales: number;
}

/**
 * The reseller confirms what waits of a member, and owes its commission from then on. Throws {@link Refusal} CONFLICT when
 * something else waits by now than what it was shown.
 */
export async function confirmCommission(
  { store, confirmCredential, now }: Pick<Context, 'store' | 'confirmCredential' | 'now'>,
  scope: Scope,
  { memberUserId, orders, sales }: ShownCommission,
): Promise<void> {
  await confirmCredential(scope);
  const isConfirmed = await confirm(store, scope.actingAccountId, {
    memberAccountId: accountId(memberUserId),
    orders,
    salesOre: Math.round(sales * 100),
    audit: (part) =>
      auditBy(scope, { kind: 'commission_confirmed', at: now(), details: { memberUserId, ...owed(part) } }),
  });
  if (!isConfirmed)
    throw new Refusal(
      'CONFLICT',
      'Other orders of this member wait for a confirmation by now than those that were shown',
    );
}
