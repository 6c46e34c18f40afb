import { Refusal } from '../../core/errors.ts';
import type { Vehicle } from '../../core/vehicles/vehicle.ts';
import { RegistryUnavailable } from '../../gateways/vehicle-registry/port.ts';
import { readPlate } from '../../schemas/vehicles/plate.ts';
import type { KnownVehicle, VehicleLookup } from './create-vehicle-lookup.ts';

export interface VehicleReading {
  readonly vehicle: Vehicle;
  /** Since the registry said so. */
  readonly ageSeconds: number;
}

export interface ReadVehicleDependencies {
  readonly lookUp: VehicleLookup;
  readonly now: () => Date;
}

/** Where the registry did not say itself when to come back. */
const defaultRetryAfterSeconds = 30;

/**
 * Looks a vehicle up by its plate, however that is written. Throws Refusal VALIDATION_FAILED for what is no Swedish plate,
 * NOT_FOUND for an unknown one and UNAVAILABLE when the registry is out of reach.
 */
export async function readVehicle(
  { lookUp, now }: ReadVehicleDependencies,
  sent: string | undefined,
): Promise<VehicleReading> {
  const { vehicle, askedAt } = await lookUpOrRefuse(lookUp, readPlate(sent));
  if (vehicle === null) throw new Refusal('NOT_FOUND', 'No vehicle has this plate');
  return { vehicle, ageSeconds: Math.max(0, Math.floor((now().getTime() - askedAt.getTime()) / 1_000)) };
}

async function lookUpOrRefuse(lookUp: VehicleLookup, plate: string): Promise<KnownVehicle> {
  try {
    return await lookUp(plate);
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    const retryAfterSeconds =
      error.retryAfterMs === null ? defaultRetryAfterSeconds : Math.max(1, error.retryAfterMs / 1_000);
    throw new Refusal('UNAVAILABLE', 'The vehicle registry is out of reach; try again later', {
      retryAfterSeconds,
      cause: error,
    });
  }
}
