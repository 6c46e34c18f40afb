import type { AccountId } from '../rules/ids.ts';
import type { Scope } from '../rules/scope.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import { listConnections, type MemberConnectionRow } from './store/member-connections.ts';

/** Whether the reseller may see and handle the member's orders, also in lists and figures of all members. */
export const isSharing = ({ sharesOrders }: Pick<MemberConnectionRow, 'sharesOrders'>): boolean =>
  sharesOrders === true;

/** Items are seen of all members, orders of those that share them. */
export interface SeenMembers {
  readonly all: readonly AccountId[];
  readonly sharing: readonly AccountId[];
}

/** The members whose rows count in what the caller sees of all of them, or of those that `isAsked` picks. */
export async function findSeenMembers(
  store: StoreConnection,
  { actingAccountId }: Pick<Scope, 'actingAccountId'>,
  isAsked: (link: MemberConnectionRow) => boolean = () => true,
): Promise<SeenMembers> {
  const links = (await listConnections(store, actingAccountId)).filter(isAsked);
  const accountsOf = (of: readonly MemberConnectionRow[]): AccountId[] => of.map((link) => link.memberAccountId);
  return { all: accountsOf(links), sharing: accountsOf(links.filter(isSharing)) };
}
