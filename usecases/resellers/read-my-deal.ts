import { sekFromOre } from '../../core/money.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import { findAccountNames } from '../../store/accounts/accounts.ts';
import { readCommissionSums, type MemberCommission } from '../../store/orders/commission-sums.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { findCurrentDeal, type StoredDealKind } from '../../store/resellers/deals.ts';
import { findConnectionOfMember, findConnectionsOfMembers } from '../../store/resellers/member-connections.ts';
import { findProfile } from '../../store/resellers/profiles.ts';
import type { Context } from '../context.ts';

/** Money in SEK. */
export interface MyDeal {
  readonly kind: StoredDealKind | 'consumer_default';
  /** null for the default, which every account has had from the start. */
  readonly validFrom: string | null;
  /** Set for a reseller. */
  readonly commissionBps: number | null;
  /** Set for a member. */
  readonly reseller: { readonly userId: string; readonly displayName: string } | null;
  /** Of a member: whether its reseller may read and handle its orders. null for other accounts. */
  readonly sharesOrders: boolean | null;
  /** Set for a present or former reseller; null for other accounts. */
  readonly commission: Commission | null;
}

interface Owed {
  readonly orders: number;
  readonly sales: number;
  readonly owed: number;
}

interface CommissionMember {
  readonly memberUserId: string;
  /** null for one that has left. */
  readonly memberName: string | null;
}

export interface Commission extends Owed {
  readonly currency: 'SEK';
  /** The highest debt first; members left out count in the totals. */
  readonly members: readonly (Owed & CommissionMember)[];
}

/** The deal in force, and what a reseller owes on all completed sales of its members from the time of their membership. */
export async function readMyDeal({ store }: Pick<Context, 'store'>, scope: Scope): Promise<MyDeal> {
  const account = scope.actingAccountId;
  const [deal, sums, link] = await Promise.all([
    findCurrentDeal(store, account),
    readCommissionSums(store, account),
    findConnectionOfMember(store, account),
  ]);
  const isOwing = deal?.kind === 'reseller_agreement' || sums.length > 0;
  return {
    kind: deal?.kind ?? 'consumer_default',
    validFrom: deal?.validFrom.toISOString() ?? null,
    commissionBps: deal?.commissionBps ?? null,
    reseller:
      deal === null || deal.resellerAccountId === null ? null : await nameOfReseller(store, deal.resellerAccountId),
    sharesOrders: link === null ? null : link.sharesOrders === true,
    commission: isOwing ? await describeCommission(store, account, sums) : null,
  };
}

/** The name of a reseller, for its members. */
export async function nameOfReseller(
  store: StoreConnection,
  reseller: AccountId,
): Promise<NonNullable<MyDeal['reseller']>> {
  const [profile, names] = await Promise.all([findProfile(store, reseller), findAccountNames(store, [reseller])]);
  return { userId: reseller, displayName: profile?.displayName ?? names.get(reseller) ?? '' };
}

export const commissionMembersMax = 1_000;

/** Sums stay in whole öre until the end, so that they are exact. */
async function describeCommission(
  store: StoreConnection,
  reseller: AccountId,
  sums: readonly MemberCommission[],
): Promise<Commission> {
  const total = sums.reduce(
    (all, { orders, salesOre, owedOre }) => ({
      orders: all.orders + orders,
      salesOre: all.salesOre + salesOre,
      owedOre: all.owedOre + owedOre,
    }),
    { orders: 0, salesOre: 0, owedOre: 0 },
  );
  const shown = sums
    .toSorted((one, other) => other.owedOre - one.owedOre || (one.memberAccountId < other.memberAccountId ? -1 : 1))
    .slice(0, commissionMembersMax);
  const nameOf = await namesOfMembers(
    store,
    reseller,
    shown.map(({ memberAccountId }) => memberAccountId),
  );
  const members = shown.map(({ memberAccountId, ...sum }) => ({
    ...{ memberUserId: memberAccountId, memberName: nameOf(memberAccountId) },
    ...owed(sum),
  }));
  return { ...owed(total), currency: 'SEK', members };
}

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

const owed = ({ orders, salesOre, owedOre }: Omit<MemberCommission, 'memberAccountId'>): Owed => ({
  orders,
  sales: sekFromOre(salesOre),
  owed: sekFromOre(owedOre),
});
