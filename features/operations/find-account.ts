import { LRUCache } from 'lru-cache';
import { Refusal } from '../rules/errors.ts';
import { accountId, type AccountId } from '../rules/ids.ts';
import type { EngineOperations } from '../../gateways/orchestrator/operations-port.ts';
import type { Orchestrator } from '../../gateways/orchestrator/port.ts';
import { normaliseEmail } from '../../schemas/accounts/sign-in.ts';
import { findAccountByEmail, hasAccount } from '../accounts/store/accounts.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import type { Hints } from '../context.ts';
import { findMembersCalled, findReferenceOfMember } from '../resellers/store/member-connections.ts';

export interface AccountWish {
  /** Id or email. */
  readonly account?: string | undefined;
  /** A reseller's reference. */
  readonly member?: string | undefined;
}

/**
 * Finds the named account; undefined when none is named. Throws Refusal NOT_FOUND, or CONFLICT when the name fits several
 * accounts.
 */
export async function findAccountMeant(
  store: StoreConnection,
  { account, member }: AccountWish,
): Promise<AccountId | undefined> {
  if (account !== undefined)
    return account.includes('@') ? findByEmail(store, account) : findById(store, accountId(account));
  if (member === undefined) return undefined;
  const [found, ...others] = await findMembersCalled(store, member);
  if (found === undefined) throw new Refusal('NOT_FOUND', `No reseller calls a member "${member}"`);
  if (others.length > 0)
    throw new Refusal(
      'CONFLICT',
      `Several resellers call a member "${member}": say which by --account, one of ${[found, ...others].join(', ')}`,
    );
  return found;
}

async function findById(store: StoreConnection, id: AccountId): Promise<AccountId> {
  if (!(await hasAccount(store, id))) throw new Refusal('NOT_FOUND', `There is no account "${id}"`);
  return id;
}

async function findByEmail(store: StoreConnection, email: string): Promise<AccountId> {
  const found = await findAccountByEmail(store, normaliseEmail(email));
  if (found === null) throw new Refusal('NOT_FOUND', 'No account has this email');
  return found._id;
}

/** Returns the reseller's reference for an account; null without a reseller. */
export type MemberOf = (account: AccountId) => Promise<string | null>;

/**
 * A rename takes effect after this time at the latest. The reference is for searches only; no decision depends on it.
 */
const keptMs = 300_000;
const accountsMax = 10_000;

/** Remembers the reference of each account, so that adding it costs almost no database reads. */
export function createMemberReferences(store: StoreConnection, now: () => Date): MemberOf {
  return rememberingMembers((account) => findReferenceOfMember(store, account), now);
}

/** Caches what `find` returns. */
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
    startReceiver: async (receiver) => orchestrator.startReceiver(await named(receiver)),
    signalReceiver: async (receiver) => orchestrator.signalReceiver(await named(receiver)),
    startDelivery: async (delivery) => orchestrator.startDelivery(await named(delivery)),
    startBulkSync: async (bulk) => orchestrator.startBulkSync(await named(bulk)),
  };
}

/** Dependencies of the operators' commands: the database, and the engine if it can be reached. */
export interface OperationsContext {
  readonly store: StoreConnection;
  readonly engine: EngineOperations;
  readonly now: () => Date;
  readonly hints: Hints;
}
