import type { VehicleRegistrySettings } from '../../gateways/vehicle-registry/http-vehicle-registry.ts';
import { defaultRegistryKey } from '../../simulators/vehicle-registry/vehicles.ts';

/** Settings for the simulator at this address: whole vehicles of Biluppgifter. */
export const registrySettings = (
  url: string,
  change: Partial<VehicleRegistrySettings> = {},
): VehicleRegistrySettings => ({
  kind: 'biluppgifter',
  lookup: 'whole',
  url,
  apiKey: defaultRegistryKey,
  timeoutMs: 5_000,
  ...change,
});
