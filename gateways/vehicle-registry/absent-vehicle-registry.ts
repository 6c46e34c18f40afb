import { RegistryUnavailable, type VehicleRegistry } from './port.ts';

/** Where no registry is configured: plates can't be looked up, and items go on without. */
export const absentVehicleRegistry: VehicleRegistry = {
  lookUp: async () => {
    throw new RegistryUnavailable('not_configured', 'no vehicle registry is configured');
  },
  close: async () => undefined,
};
