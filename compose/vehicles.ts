import { absentVehicleRegistry } from '../gateways/vehicle-registry/absent-vehicle-registry.ts';
import { createHttpVehicleRegistry } from '../gateways/vehicle-registry/http-vehicle-registry.ts';
import type { Config } from '../platform/config.ts';
import { createPaidCalls } from '../store/paid-calls/paid-calls.ts';
import { createVehicleLookupStore } from '../store/paid-calls/vehicle-lookups.ts';
import { createTakeLookup, createVehicleLookup } from '../usecases/vehicles/look-up-vehicle.ts';
import type { Foundation } from './foundation.ts';

/** Plates are looked up in the registry where one is configured; its answers are shared by all processes. */
export function composeVehicles(foundation: Pick<Foundation, 'config' | 'logger' | 'store' | 'now' | 'instead'>) {
  const { config, logger, store, now, instead } = foundation;
  const registry = instead?.vehicleRegistry ?? configuredRegistry(config.vehicleRegistry);
  const takeLookup =
    registry === absentVehicleRegistry
      ? () => Promise.resolve()
      : createTakeLookup(createPaidCalls(store, now), config.vehicleRegistry.lookups);
  const lookups = createVehicleLookupStore(store);
  const lookUp = createVehicleLookup({ registry, lookups, takeLookup, logger, now });
  return {
    lookUp,
    close: () => registry.close(),
  };
}

const configuredRegistry = (settings: Config['vehicleRegistry']) =>
  settings.url === '' ? absentVehicleRegistry : createHttpVehicleRegistry(settings);
