import { RegistryUnavailable, type VehicleRegistry } from './port.ts';

/** Used without a configured registry: plates can't be looked up, and items go on without a vehicle. */
export const absentVehicleRegistry: VehicleRegistry = {
  lookUp: async () => {
    throw new RegistryUnavailable('not_configured', 'no vehicle registry is configured');
  },
  close: async () => undefined,
};
