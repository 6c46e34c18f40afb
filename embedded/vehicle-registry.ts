import { defaultRegistryKey } from '../simulators/vehicle-registry/vehicles.ts';
import { namedMarketplace } from './marketplace.ts';
import type { SimulatorAddress, SimulatorAddresses } from './simulators-process.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The registry that the user's environment names in place of the simulator; '' for none. */
export const namedRegistry = (environment: Environment): string => environment['VEHICLE_REGISTRY_URL'] ?? '';

/**
 * Settings of compose/config.ts. The simulator is asked in the form of Biluppgifter, unless the environment names the other one
 * (`VEHICLE_REGISTRY=tic`). A server that the environment names is asked by its settings.
 */
export function registrySettings(base: Environment, simulatorUrl: string): Environment {
  if (namedRegistry(base) !== '') return {};
  const kind = base['VEHICLE_REGISTRY'] || 'biluppgifter';
  return {
    VEHICLE_REGISTRY: kind,
    VEHICLE_REGISTRY_URL: kind === 'none' ? '' : simulatorUrl,
    VEHICLE_REGISTRY_API_KEY: defaultRegistryKey,
  };
}

/**
 * The simulators that the product uses, for the ready file. The entries of registry and marketplace say by which settings they are
 * asked.
 */
export type UsedSimulators = Omit<SimulatorAddresses, 'vehicleRegistry' | 'marketplace'> & {
  readonly marketplace?: SimulatorAddress & { readonly appId: string; readonly appKey: string };
  readonly vehicleRegistry?: SimulatorAddress & { readonly kind: string; readonly apiKey: string };
};

/** `settings` are those of API and worker. A simulator in whose place they name another server runs idle, and is left out. */
export function usedSimulators(
  { vehicleRegistry, marketplace, ...others }: SimulatorAddresses,
  settings: Environment,
): UsedSimulators {
  const { VEHICLE_REGISTRY: kind = '', VEHICLE_REGISTRY_API_KEY: apiKey = '' } = settings;
  const { MARKETPLACE_APP_ID: appId = '', MARKETPLACE_APP_KEY: appKey = '' } = settings;
  return {
    ...others,
    ...(namedMarketplace(settings) === marketplace.url && { marketplace: { ...marketplace, appId, appKey } }),
    ...(namedRegistry(settings) === vehicleRegistry.url && { vehicleRegistry: { ...vehicleRegistry, kind, apiKey } }),
  };
}
