import type { Vehicle } from '../../core/vehicles/vehicle.ts';
import { RegistryUnavailable, type VehicleRegistry } from '../../gateways/vehicle-registry/port.ts';
import type { Logger } from '../../platform/logger.ts';
import type { VehicleLookupRecord, VehicleLookupStore } from '../../store/vehicle-lookups.ts';

export interface VehicleLookupDependencies {
  readonly registry: Pick<VehicleRegistry, 'lookUp'>;
  readonly lookups: VehicleLookupStore;
  readonly logger: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

/** What is known of a plate. */
export interface KnownVehicle {
  /** null: the registry does not know the plate. */
  readonly vehicle: Vehicle | null;
  readonly askedAt: Date;
}

/** `plate` is normalised. Throws {@link RegistryUnavailable} when there is no answer, not even an old one. */
export type VehicleLookup = (plate: string) => Promise<KnownVehicle>;

const hourMs = 3_600_000;
/** Specification "Limits". */
const freshMs = 24 * hourMs;
/** Brief, because a plate that is unknown today may be given to a vehicle, or be in the registry, any moment. */
const unknownFreshMs = hourMs / 6;
/** Make, model and year of a plate hardly ever change: while the registry is away an answer of this age is better than none. */
const staleMs = 30 * 24 * hourMs;

/**
 * Asks the registry, and remembers its answers in the database for all processes. Within a process a plate is asked for once
 * at a time; several processes may ask at the same time, which costs at most one call each and needs no lock that could be
 * left behind: the newest answer stays.
 */
export function createVehicleLookup(dependencies: VehicleLookupDependencies): VehicleLookup {
  const underway = new Map<string, Promise<KnownVehicle>>();
  return (plate) => {
    const begun = underway.get(plate) ?? lookUp(dependencies, plate).finally(() => underway.delete(plate));
    underway.set(plate, begun);
    return begun;
  };
}

async function lookUp({ lookups, ...asking }: VehicleLookupDependencies, plate: string): Promise<KnownVehicle> {
  const known = await lookups.find(plate);
  if (known !== null && isFresh(known, asking.now())) return known;
  try {
    const vehicle = await asking.registry.lookUp(plate);
    const record = recordOf(vehicle, asking.now());
    await lookups.save(plate, record);
    return record;
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    const isStaleAnswer = known !== null && isUsableWithoutRegistry(known, asking.now());
    const { problem, message: reason } = error;
    asking.logger.warn({ problem, reason, isStaleAnswer }, 'vehicle_registry.unavailable');
    if (isStaleAnswer) return known;
    throw error;
  }
}

const ageMs = ({ askedAt }: KnownVehicle, now: Date): number => now.getTime() - askedAt.getTime();

const isFresh = (known: KnownVehicle, now: Date): boolean =>
  ageMs(known, now) < (known.vehicle === null ? unknownFreshMs : freshMs);

/** "Unknown" must not outlive its time: it would deny a vehicle that is there. */
const isUsableWithoutRegistry = (known: KnownVehicle, now: Date): boolean =>
  known.vehicle !== null && ageMs(known, now) < staleMs;

const recordOf = (vehicle: Vehicle | null, askedAt: Date): VehicleLookupRecord => ({
  vehicle,
  askedAt,
  purgeAt: new Date(askedAt.getTime() + (vehicle === null ? unknownFreshMs : staleMs)),
});
