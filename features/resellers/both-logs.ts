import type { AuditActor, AuditEntry } from '../accounts/rules/audit-entry.ts';
import type { AccountFact } from '../items/rules/history-facts.ts';
import type { AccountId } from '../rules/ids.ts';
import { actorOf } from '../items/rules/journal.ts';
import type { Scope } from '../rules/scope.ts';
import type { MemberConnectionRow } from './store/member-connections.ts';

/** One of the two sides of a membership that does something to it. */
export interface ActingSide {
  readonly side: 'member' | 'reseller';
  readonly actor: AuditActor;
}

export const memberBy = (scope: Scope): ActingSide => ({ side: 'member', actor: actorOf(scope) });
export const resellerBy = (scope: Scope): ActingSide => ({ side: 'reseller', actor: actorOf(scope) });

interface Told {
  readonly memberAccountId: AccountId;
  readonly resellerAccountId: AccountId;
  readonly at: Date;
  readonly toMember: AccountFact;
  readonly toReseller: AccountFact;
}

/** The entries for the logs of both sides. The log of the other side names the acting one by what it is to it. */
export function inBothLogs({ side, actor }: ActingSide, told: Told): AuditEntry[] {
  const { memberAccountId, resellerAccountId, at, toMember, toReseller } = told;
  const shownTo = (reader: ActingSide['side']): AuditActor => (reader === side ? actor : { ...actor, kind: side });
  return [
    { accountId: memberAccountId, actor: shownTo('member'), at, ...toMember },
    { accountId: resellerAccountId, actor: shownTo('reseller'), at, ...toReseller },
  ];
}

/** The member shares its orders with its reseller, or no longer. */
export function sharingEntries(link: MemberConnectionRow, at: Date, by: ActingSide): AuditEntry[] {
  const { memberAccountId, resellerAccountId, sharesOrders: isShared = false } = link;
  const kind = 'order_sharing_changed';
  return inBothLogs(by, {
    memberAccountId,
    resellerAccountId,
    at,
    toMember: { kind, details: { isShared, resellerUserId: resellerAccountId } },
    toReseller: { kind, details: { isShared, memberUserId: memberAccountId } },
  });
}
