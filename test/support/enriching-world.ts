import { startAiSimulator } from '../../simulators/ai/start-ai-simulator.ts';
import { defaultRegistryKey } from '../../simulators/vehicle-registry/vehicles.ts';
import { startVehicleRegistrySimulator } from '../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';
import { startWorld, type World } from './world.ts';

type Simulator = Awaited<ReturnType<typeof startAiSimulator>>;

export interface EnrichingWorld extends World {
  readonly registry: Simulator;
  readonly ai: Simulator;
}

/** A world with a vehicle registry and a language model. */
export async function startEnrichingWorld(environment: Record<string, string> = {}): Promise<EnrichingWorld> {
  const [registry, ai] = await Promise.all([startVehicleRegistrySimulator(), startAiSimulator()]);
  const world = await startWorld({
    environment: {
      VEHICLE_REGISTRY: 'biluppgifter',
      VEHICLE_REGISTRY_URL: registry.url,
      VEHICLE_REGISTRY_API_KEY: defaultRegistryKey,
      AI_URL: `${ai.url}/v1`,
      AI_MODEL: 'simulator',
      AI_CLASSIFIER: 'embedded',
      ...environment,
    },
  });
  return {
    ...world,
    registry,
    ai,
    stop: async () => {
      await world.stop();
      await Promise.all([registry.close(), ai.close()]);
    },
  };
}
