import { LRUCache } from 'lru-cache';
import type { AccountId } from '../rules/ids.ts';
import type { Vehicle } from './rules/vehicle.ts';
import { RegistryUnavailable, type VehicleRegistry } from '../../gateways/vehicle-registry/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { CallLimits, PaidCalls } from '../accounts/store/paid-calls.ts';
import {
  type KnownVehicle,
  isFresh,
  isUsableWithoutRegistry,
  recordOf,
  type VehicleLookupStore,
} from './store/plate-cache.ts';

export interface VehicleLookupDependencies {
  readonly registry: Pick<VehicleRegistry, 'lookUp'>;
  readonly lookups: VehicleLookupStore;
  readonly budget: LookupBudget;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly now: () => Date;
}

/**
 * `plate` is normalised. Throws {@link RegistryUnavailable} without any answer, not even an old one, {@link LookupsUsedUp}
 * when no look-up is left, and {@link LookupsOff} when there is no registry.
 */
export type VehicleLookup = (accountId: AccountId, plate: string, options?: AskOptions) => Promise<KnownVehicle>;

export interface AskOptions {
  /** Repeats a question that has just failed, because the worker asks only once for each accepted write or retry. */
  readonly asksFailedAgain?: true;
}

/**
 * Asks the registry, and stores its answers in the database for all processes. Within a process an account asks for a plate once
 * at a time. Another account's question is never shared, because that account's used-up share would refuse this one. Accounts and
 * processes may ask in parallel: that costs one call each and needs no lock that a crash could leave behind. The newest answer
 * stays.
 */
export function createVehicleLookup(dependencies: VehicleLookupDependencies): VehicleLookup {
  const underway = new Map<string, Promise<KnownVehicle>>();
  const ask = createAsker(dependencies);
  return (accountId, plate, options = {}) => {
    const lookUp = () => lookUpPlate(dependencies, plate, () => ask(accountId, plate, options));
    const question = `${accountId} ${plate}`;
    const begun = underway.get(question) ?? lookUp().finally(() => underway.delete(question));
    underway.set(question, begun);
    return begun;
  };
}

async function lookUpPlate(
  { lookups, logger, now }: VehicleLookupDependencies,
  plate: string,
  ask: () => Promise<Vehicle | null>,
): Promise<KnownVehicle> {
  const known = await lookups.find(plate);
  if (known !== null && isFresh(known, now())) return known;
  try {
    const record = recordOf(await ask(), now());
    await lookups.save(plate, record);
    return record;
  } catch (error) {
    if (!(error instanceof RegistryUnavailable || error instanceof LookupsUsedUp)) throw error;
    const isStaleAnswer = known !== null && isUsableWithoutRegistry(known, now());
    const { problem, message: reason } = error;
    // A wrong key or address waits for the operator. An account's own limit is reported to the account only.
    if (problem !== 'account_used_up')
      logger[problem === 'refused' ? 'error' : 'warn'](
        { problem, reason, isStaleAnswer },
        'vehicle_registry.unavailable',
      );
    if (isStaleAnswer) return known;
    throw error;
  }
}

/** Used when the registry named no time for a retry. */
const failureKeptMs = 30_000;
/** The same after 429, which is about all plates: plans are counted by the minute, among others. */
const limitHeldMs = 60_000;

/**
 * A call of the registry costs money, so each is taken from the account's share. A plate that failed is not asked for again
 * before the retry time told to callers, except with `asksFailedAgain`. Each process remembers failures on its own; the share
 * limits all of them. After 429 no process asks for any plate until the time that the registry named.
 */
function createAsker({ registry, budget, now }: VehicleLookupDependencies) {
  const failures = new LRUCache<string, { readonly error: RegistryUnavailable; readonly untilMs: number }>({
    max: 10_000,
  });
  return async (
    accountId: AccountId,
    plate: string,
    { asksFailedAgain = false }: { readonly asksFailedAgain?: boolean },
  ): Promise<Vehicle | null> => {
    const failed = asksFailedAgain ? undefined : failures.get(plate);
    const leftMs = (failed?.untilMs ?? 0) - now().getTime();
    if (failed !== undefined && leftMs > 0)
      throw new RegistryUnavailable(failed.error.problem, failed.error.message, { retryAfterMs: leftMs });
    await budget.take(accountId);
    return registry.lookUp(plate).catch(async (error: unknown) => {
      if (!(error instanceof RegistryUnavailable)) throw error;
      if (error.problem === 'limit_reached') return budget.hold(error.retryAfterMs ?? limitHeldMs);
      failures.set(plate, { error, untilMs: now().getTime() + (error.retryAfterMs ?? failureKeptMs) });
      throw error;
    });
  };
}

/** There is no registry: plates are never looked up. */
export class LookupsOff extends Error {
  override readonly name = 'LookupsOff';

  constructor() {
    super('the service has no vehicle registry');
  }
}

/**
 * No look-up is left: of the account's share (`account_used_up`), of the service's (`all_used_up`), or by the registry's own word
 * (`registry_limit`).
 */
export class LookupsUsedUp extends Error {
  override readonly name = 'LookupsUsedUp';
  readonly problem: 'account_used_up' | 'all_used_up' | 'registry_limit';
  readonly retryAfterSeconds: number;

  constructor(problem: LookupsUsedUp['problem'], retryAfterSeconds: number) {
    super('no look-ups in the vehicle registry are left for now');
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Both methods throw {@link LookupsUsedUp}. */
export interface LookupBudget {
  /** Takes one call of the registry. */
  take(accountId: AccountId): Promise<void>;
  /** The registry takes no call for so long; all processes keep to it. */
  hold(ms: number): Promise<never>;
}

export interface LookupLimits extends CallLimits {
  /** The part of these for one account. */
  readonly account: CallLimits;
}

const callsName = 'vehicle-registry';

/** The account's share first, so its refusals take nothing from other accounts. */
export const createLookupBudget = (
  calls: PaidCalls,
  { limits, now }: { readonly limits: LookupLimits; readonly now: () => Date },
): LookupBudget => ({
  take: async (accountId) => {
    const heldSeconds = await calls.heldSeconds(callsName);
    if (heldSeconds > 0) throw new LookupsUsedUp('registry_limit', heldSeconds);
    const ownSeconds = await calls.take(`${callsName}:${accountId}`, limits.account);
    if (ownSeconds > 0) throw new LookupsUsedUp('account_used_up', ownSeconds);
    const seconds = await calls.take(callsName, limits);
    if (seconds > 0) throw new LookupsUsedUp('all_used_up', seconds);
  },
  hold: async (ms) => {
    await calls.hold(callsName, new Date(now().getTime() + ms));
    throw new LookupsUsedUp('registry_limit', Math.ceil(ms / 1_000));
  },
});
