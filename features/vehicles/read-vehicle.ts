import { Refusal } from '../rules/errors.ts';
import type { Scope } from '../rules/scope.ts';
import type { Vehicle } from './rules/vehicle.ts';
import { RegistryUnavailable } from '../../gateways/vehicle-registry/port.ts';
import { readPlate } from '../../schemas/vehicles/vehicle.ts';
import type { Context } from '../context.ts';
import { LookupsOff, LookupsUsedUp } from './look-up-vehicle.ts';
import type { KnownVehicle } from './store/plate-cache.ts';

export interface VehicleReading {
  readonly vehicle: Vehicle;
  /** Age of the registry's answer, in seconds. */
  readonly ageSeconds: number;
}

/** Used when the registry named no time for a retry. */
const defaultRetryAfterSeconds = 30;
/** Only the operator can turn look-ups on. */
const offRetryAfterSeconds = 3_600;

/**
 * Looks a vehicle up by its plate, in any common spelling. Throws Refusal VALIDATION_FAILED for an invalid Swedish plate,
 * NOT_FOUND for an unknown one, and RATE_LIMITED when the account has used up its look-ups. UNAVAILABLE means that the service has
 * no registry, that the registry can't be reached, or that all look-ups are used up.
 */
export async function readVehicle(
  { lookUpVehicle, now }: Pick<Context, 'lookUpVehicle' | 'now'>,
  { accountId }: Scope,
  sent: string | undefined,
): Promise<VehicleReading> {
  const plate = readPlate(sent);
  const { vehicle, askedAt } = await lookUpOrRefuse(() => lookUpVehicle(accountId, plate));
  if (vehicle === null) throw new Refusal('NOT_FOUND', 'No vehicle has this plate');
  return { vehicle, ageSeconds: Math.max(0, Math.floor((now().getTime() - askedAt.getTime()) / 1_000)) };
}

async function lookUpOrRefuse(lookUp: () => Promise<KnownVehicle>): Promise<KnownVehicle> {
  try {
    return await lookUp();
  } catch (error) {
    if (error instanceof LookupsOff)
      throw new Refusal('UNAVAILABLE', 'Vehicle look-ups are off: this service has no vehicle registry', {
        retryAfterSeconds: offRetryAfterSeconds,
      });
    if (error instanceof LookupsUsedUp) throw refusalOf(error);
    if (!(error instanceof RegistryUnavailable)) throw error;
    const retryAfterSeconds =
      error.retryAfterMs === null ? defaultRetryAfterSeconds : Math.max(1, Math.ceil(error.retryAfterMs / 1_000));
    throw new Refusal('UNAVAILABLE', 'The vehicle registry is out of reach; try again later', {
      retryAfterSeconds,
      cause: error,
    });
  }
}

const refusalOf = ({ problem, retryAfterSeconds }: LookupsUsedUp): Refusal =>
  problem === 'account_used_up'
    ? new Refusal('RATE_LIMITED', 'The account has used up its look-ups in the vehicle registry; wait', {
        retryAfterSeconds,
      })
    : new Refusal('UNAVAILABLE', 'No look-ups in the vehicle registry are left; try again later', {
        retryAfterSeconds,
      });
