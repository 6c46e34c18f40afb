import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../core/ids.ts';
import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { findReferenceOfMember } from '../../store/resellers/member-connections.ts';

/** How the reseller of an account calls it; null when it has none. */
export type MemberOf = (account: AccountId) => Promise<string | null>;

/** A rename is seen this late: what people search by, never what anything is decided by. */
const keptMs = 300_000;
const accountsMax = 10_000;

/** Asks the database once in a while for each account, so that naming the member costs next to nothing. */
export function createMemberReferences(store: StoreConnection, now: () => Date): MemberOf {
  return rememberingMembers((account) => findReferenceOfMember(store, account), now);
}

export function rememberingMembers(find: MemberOf, now: () => Date): MemberOf {
  const perf = { now: () => now().getTime() };
  const known = new LRUCache<AccountId, Promise<string | null>>({
    max: accountsMax,
    ttl: keptMs,
    ttlResolution: 0,
    perf,
  });
  return (account) => {
    const found = known.get(account);
    if (found !== undefined) return found;
    // The promise, so that many who ask at once cause one query.
    const member = find(account);
    known.set(account, member);
    member.catch(() => {
      if (known.peek(account) === member) known.delete(account);
    });
    return member;
  };
}

interface AboutAccount {
  readonly accountId: AccountId;
  readonly member?: string | null;
}

/** The same engine, told with each start how the account's reseller calls it. What can't be found out is left out. */
export function namingMembers(orchestrator: Orchestrator, memberOf: MemberOf): Orchestrator {
  const named = async <Started extends AboutAccount>(started: Started): Promise<Started> => ({
    ...started,
    member: started.member ?? (await memberOf(started.accountId).catch(() => null)),
  });
  return {
    nudgeItem: async (item) => orchestrator.nudgeItem(await named(item)),
    startDelivery: async (delivery) => orchestrator.startDelivery(await named(delivery)),
    startRecovery: async (recovery) => orchestrator.startRecovery(await named(recovery)),
    startBulkSync: async (bulk) => orchestrator.startBulkSync(await named(bulk)),
  };
}
