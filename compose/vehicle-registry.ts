import { createVehicleRegistry } from '../gateways/vehicle-registry/http-vehicle-registry.ts';
import type { VehicleRegistry } from '../gateways/vehicle-registry/port.ts';
import type { Config } from './config.ts';

type Settings = Config['vehicleRegistry'];

/** The configured registry; null without one. */
export const openVehicleRegistry = ({ kind, ...settings }: Settings): VehicleRegistry | null =>
  kind === 'none' ? null : createVehicleRegistry({ kind, ...settings });
