import { absentVehicleRegistry } from '../gateways/vehicle-registry/absent-vehicle-registry.ts';
import { createHttpVehicleRegistry } from '../gateways/vehicle-registry/http-vehicle-registry.ts';
import { createVehicleLookupStore } from '../store/vehicle-lookups.ts';
import { createVehicleLookup } from '../usecases/vehicles/create-vehicle-lookup.ts';
import { readVehicle } from '../usecases/vehicles/read-vehicle.ts';
import { now, type Foundation } from './foundation.ts';

/** Plates are looked up in the registry where one is configured; its answers are shared by all processes. */
export function composeVehicles({ config, logger, store }: Pick<Foundation, 'config' | 'logger' | 'store'>) {
  const { vehicleRegistry } = config;
  const registry = vehicleRegistry.url === '' ? absentVehicleRegistry : createHttpVehicleRegistry(vehicleRegistry);
  const lookUp = createVehicleLookup({ registry, lookups: createVehicleLookupStore(store), logger, now });
  return {
    lookUp,
    read: (plate: string | undefined) => readVehicle({ lookUp, now }, plate),
    close: () => registry.close(),
  };
}
