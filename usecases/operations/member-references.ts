import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../core/ids.ts';
import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import type { StoreConnection } from '../../store/database/connection.ts';
import { findReferenceOfMember } from '../../store/resellers/member-connections.ts';

/** Returns the reseller's reference for an account; null without a reseller. */
export type MemberOf = (account: AccountId) => Promise<string | null>;

/** A rename is seen this late. The reference is for searches only; no decision depends on it. */
const keptMs = 300_000;
const accountsMax = 10_000;

/** Remembers the reference of each account, so that adding it costs almost no database reads. */
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
    // Caches the promise, so that parallel calls cause one query.
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

/** Wraps an engine and adds the reseller's reference to each start. A reference that can't be read is left out. */
export function namingMembers(orchestrator: Orchestrator, memberOf: MemberOf): Orchestrator {
  const named = async <Started extends AboutAccount>(started: Started): Promise<Started> => ({
    ...started,
    member: started.member ?? (await memberOf(started.accountId).catch(() => null)),
  });
  return {
    signalItem: async (item) => orchestrator.signalItem(await named(item)),
    signalReceiver: async (receiver) => orchestrator.signalReceiver(await named(receiver)),
    startDelivery: async (delivery) => orchestrator.startDelivery(await named(delivery)),
    startRecovery: async (recovery) => orchestrator.startRecovery(await named(recovery)),
    startBulkSync: async (bulk) => orchestrator.startBulkSync(await named(bulk)),
  };
}
