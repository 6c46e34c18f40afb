import type { AccountId } from '../rules/ids.ts';
import { sekFromOre } from '../rules/money.ts';
import { pageOf } from '../rules/page-of.ts';
import { comparePlaces, isMemberFound, type MemberOrder, type MemberPlace } from './rules/member-list.ts';
import type { Scope } from '../rules/scope.ts';
import { writeMemberListCursor, type MemberListQuery } from '../../schemas/resellers/member-list.ts';
import { blockedItemsOf, connectionsOf, missedOf, salesOf } from './store/member-health.ts';
import type { Context } from '../context.ts';
import { listMembers, type MemberView } from './members.ts';

const salesMs = 30 * 24 * 3_600_000;

type Needs = Pick<Context, 'store' | 'now'>;

/**
 * One page of the caller's members with their state; empty for an account that is no reseller. The members are searched and
 * sorted in memory, which takes longer with each. Values for the order are read for all of them, the rest for those
 * of the page. The number of queries is fixed.
 */
export async function findMembers(context: Needs, scope: Scope, query: MemberListQuery) {
  const { q, memberUserIds, sort, limit, after } = query;
  const found = (await listMembers(context, scope)).filter(
    (member) => (q === '' || isMemberFound(member, q)) && (memberUserIds?.includes(member.memberUserId) ?? true),
  );
  const placeOf = await placesBy(context, scope, { sort, members: found });
  const sorted = found
    .map((member) => ({ member, place: placeOf(member) }))
    .toSorted((one, other) => comparePlaces(one.place, other.place))
    .filter(({ place }) => after === null || comparePlaces(place, after) > 0);
  const { shown: page, last } = pageOf(sorted, limit);
  const members = page.map(({ member }) => member);
  const healthOf = await readHealth(context, scope, members);
  return {
    members: members.map((member) => ({ ...member, ...healthOf(member) })),
    total: found.length,
    nextCursor: last === undefined ? null : writeMemberListCursor(last.place, query),
  };
}

interface Sorting {
  readonly sort: MemberOrder;
  readonly members: readonly MemberView[];
}

type PlaceOf = (member: MemberView) => MemberPlace;

/** Missing connections come first, then expired ones, then working ones. */
const connectionRanks = { none: 2, expired: 1, connected: 0 } as const;

async function placesBy(context: Needs, scope: Scope, { sort, members }: Sorting): Promise<PlaceOf> {
  const by =
    (valueOf: (member: MemberView) => MemberPlace['value']): PlaceOf =>
    (member) => ({ value: valueOf(member), id: member.memberUserId });
  switch (sort) {
    case 'joined':
      return by(({ createdAt }) => createdAt);
    case 'name':
      return by(({ memberName }) => memberName);
    case 'reference':
      return by(({ externalId }) => externalId);
    case 'connection': {
      const states = await connectionsOf(context.store, idsOf(members));
      return by((member) => connectionRanks[states.get(member.memberUserId) ?? 'none']);
    }
    case 'failing': {
      const counts = await blockedItemsOf(context.store, idsOf(members));
      return by((member) => counts.get(member.memberUserId) ?? 0);
    }
    case 'missed': {
      const counts = await missedOf(context.store, scope.actingAccountId, idsOf(members));
      return by((member) => counts.get(member.memberUserId) ?? 0);
    }
    case 'sales': {
      const sums = await recentSales(context, scope, members);
      return by((member) => sums.get(member.memberUserId)?.amountOre ?? 0);
    }
  }
}

async function readHealth(context: Needs, scope: Scope, members: readonly MemberView[]) {
  const ids = idsOf(members);
  const [states, blocked, missed, sums] = await Promise.all([
    connectionsOf(context.store, ids),
    blockedItemsOf(context.store, ids),
    missedOf(context.store, scope.actingAccountId, ids),
    recentSales(context, scope, members),
  ]);
  return ({ memberUserId: id }: MemberView) => {
    // Completed orders of the last 30 days.
    const { orders, amountOre } = sums.get(id) ?? { orders: 0, amountOre: 0 };
    return {
      marketplace: states.get(id) ?? 'none',
      blockedItems: blocked.get(id) ?? 0,
      missedEvents: missed.get(id) ?? 0,
      sales: { orders, amount: sekFromOre(amountOre), currency: 'SEK' },
    };
  };
}

const recentSales = ({ store, now }: Needs, scope: Scope, members: readonly MemberView[]) =>
  salesOf(store, scope.actingAccountId, { members: idsOf(members), since: new Date(now().getTime() - salesMs) });

const idsOf = (members: readonly MemberView[]): AccountId[] => members.map(({ memberUserId }) => memberUserId);
