import { LRUCache } from 'lru-cache';
import type { AccountId } from '../../core/ids.ts';
import type { Vehicle } from '../../core/vehicles/vehicle.ts';
import { RegistryUnavailable, type VehicleRegistry } from '../../gateways/vehicle-registry/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type {
  CallLimits,
  PaidCalls,
  VehicleLookupRecord,
  VehicleLookupStore,
} from '../../store/paid-calls/paid-calls.ts';

export interface VehicleLookupDependencies {
  readonly registry: Pick<VehicleRegistry, 'lookUp'>;
  readonly lookups: VehicleLookupStore;
  readonly takeLookup: TakeLookup;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

/** The stored answer for a plate. */
export interface KnownVehicle {
  /** null: the registry does not know the plate. */
  readonly vehicle: Vehicle | null;
  readonly askedAt: Date;
}

/**
 * `plate` is normalised. Throws {@link RegistryUnavailable} without any answer, not even an old one, and {@link LookupsUsedUp}
 * when no look-up is left.
 */
export type VehicleLookup = (accountId: AccountId, plate: string, options?: AskOptions) => Promise<KnownVehicle>;

export interface AskOptions {
  /** Repeats a question that has just failed, because the worker asks only once for each accepted write or retry. */
  readonly asksFailedAgain?: true;
}

const hourMs = 3_600_000;
/** Specification "Limits". */
const freshMs = 24 * hourMs;
/** Short, because an unknown plate may be assigned or registered at any moment. */
const unknownFreshMs = hourMs / 6;
/** Make, model and year of a plate rarely change, so while the registry is unavailable an answer of this age is used. */
const staleMs = 30 * 24 * hourMs;

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
    // An account's own limit is reported to the account only; the operator need not act.
    if (problem !== 'account_used_up') logger.warn({ problem, reason, isStaleAnswer }, 'vehicle_registry.unavailable');
    if (isStaleAnswer) return known;
    throw error;
  }
}

/** Used when the registry named no time for a retry. */
const failureKeptMs = 30_000;

/**
 * A call of the registry costs money, so each is taken from the account's share. A plate that failed is not asked for again
 * before the retry time told to callers, except with `asksFailedAgain`. Each process remembers failures on its own; the share
 * limits all of them.
 */
function createAsker({ registry, takeLookup, now }: VehicleLookupDependencies) {
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
    await takeLookup(accountId);
    return registry.lookUp(plate).catch((error: unknown) => {
      if (error instanceof RegistryUnavailable)
        failures.set(plate, { error, untilMs: now().getTime() + (error.retryAfterMs ?? failureKeptMs) });
      throw error;
    });
  };
}

const ageMs = ({ askedAt }: KnownVehicle, now: Date): number => now.getTime() - askedAt.getTime();

const isFresh = (known: KnownVehicle, now: Date): boolean =>
  ageMs(known, now) < (known.vehicle === null ? unknownFreshMs : freshMs);

/** An answer "unknown" must not outlive its time: it would hide a vehicle that exists by then. */
const isUsableWithoutRegistry = (known: KnownVehicle, now: Date): boolean =>
  known.vehicle !== null && ageMs(known, now) < staleMs;

const recordOf = (vehicle: Vehicle | null, askedAt: Date): VehicleLookupRecord => ({
  vehicle,
  askedAt,
  purgeAt: new Date(askedAt.getTime() + (vehicle === null ? unknownFreshMs : staleMs)),
});

/** No look-up is left for the account or for the service. */
export class LookupsUsedUp extends Error {
  override readonly name = 'LookupsUsedUp';
  readonly problem: 'account_used_up' | 'all_used_up';
  readonly retryAfterSeconds: number;

  constructor(problem: LookupsUsedUp['problem'], retryAfterSeconds: number) {
    super('no look-ups in the vehicle registry are left for now');
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Takes one call of the registry. Throws {@link LookupsUsedUp}. */
export type TakeLookup = (accountId: AccountId) => Promise<void>;

export interface LookupLimits extends CallLimits {
  /** The part of these for one account. */
  readonly account: CallLimits;
}

/** The account's share first, so its refusals take nothing from other accounts. */
export const createTakeLookup =
  (calls: PaidCalls, limits: LookupLimits): TakeLookup =>
  async (accountId) => {
    const ownSeconds = await calls.take(`vehicle-registry:${accountId}`, limits.account);
    if (ownSeconds > 0) throw new LookupsUsedUp('account_used_up', ownSeconds);
    const seconds = await calls.take('vehicle-registry', limits);
    if (seconds > 0) throw new LookupsUsedUp('all_used_up', seconds);
  };
