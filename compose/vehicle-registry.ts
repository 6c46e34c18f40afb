import { createVehicleRegistry } from '../gateways/vehicle-registry/http-vehicle-registry.ts';
import type { VehicleRegistry } from '../gateways/vehicle-registry/port.ts';
import { probeRegistry, type RegistryProbe } from '../gateways/vehicle-registry/probe-registry.ts';
import type { Config } from './config.ts';

type Settings = Config['vehicleRegistry'];

/** The configured registry; null without one. */
export const openVehicleRegistry = ({ kind, ...settings }: Settings): VehicleRegistry | null =>
  kind === 'none' ? null : createVehicleRegistry({ kind, ...settings });

/** One look-up of the normalised plate, as an operator sees it; null without a registry. */
export const probeVehicleRegistry = async (
  { kind, ...settings }: Settings,
  plate: string,
): Promise<RegistryProbe | null> => (kind === 'none' ? null : probeRegistry({ kind, ...settings }, plate));
