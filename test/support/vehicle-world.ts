import type { TestFn } from 'ava';
import { createVehicleRegistry } from '../../gateways/vehicle-registry/http-vehicle-registry.ts';
import type { VehicleRegistry } from '../../gateways/vehicle-registry/port.ts';
import { startVehicleRegistrySimulator } from '../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';
import { registrySettings } from './registry-settings.ts';
import { startApiWorld, withApiWorld, type ApiWorld, type Reply, type WorldOptions } from './api-world.ts';

/**
 * An API for the whole file that asks a simulated registry, and what its tests do with the two. The registry is given up after
 * `timeoutMs`; by default so late that a busy machine never gets there.
 */
export function withVehicleWorld(test: TestFn, { timeoutMs = 60_000 }: { readonly timeoutMs?: number } = {}) {
  const { registry, admin } = withRegistry(test, timeoutMs);
  const world = withApiWorld(test, { vehicleRegistry: { lookUp: (plate) => registry().lookUp(plate) } });
  let apiKey = '';
  test.serial.before('there is an account', async () => {
    ({ apiKey } = await world().account());
  });
  return {
    world,
    admin,
    ...vehiclesOf(admin),
    /** Of an account that is there from the start. */
    apiKey: () => apiKey,
    lookUp: (plate: string, options: Parameters<ApiWorld['call']>[2] = { apiKey }): Promise<Reply> =>
      world().call('GET', `/vehicles/lookup?plate=${encodeURIComponent(plate)}`, options),
    ownWorld: (t: WithTeardown, vehicleLookups?: WorldOptions['vehicleLookups']) =>
      startOwnWorld(t, { vehicleRegistry: registry(), ...(vehicleLookups && { vehicleLookups }) }),
  };
}

type Admin = (method: string, path: string, body?: object) => Promise<unknown>;

interface WithTeardown {
  readonly teardown: (end: () => Promise<void>) => void;
}

function withRegistry(
  test: TestFn,
  timeoutMs: number,
): { readonly registry: () => VehicleRegistry; readonly admin: Admin } {
  let simulator: Awaited<ReturnType<typeof startVehicleRegistrySimulator>> | undefined;
  let registry: VehicleRegistry | undefined;
  test.before('the registry starts', async () => {
    simulator = await startVehicleRegistrySimulator();
    registry = createVehicleRegistry(registrySettings(simulator.url, { timeoutMs }));
  });
  test.after.always('the registry stops', async () => {
    await simulator?.close();
    await registry?.close();
  });
  return {
    registry: () => {
      if (registry === undefined) throw new Error('the registry did not start');
      return registry;
    },
    admin: async (method, path, body) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${simulator?.adminUrl}${path}`, {
        method,
        ...(body !== undefined && { headers, body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
      return answer.status === 204 ? undefined : answer.json();
    },
  };
}

/** Every test has a plate of its own, so that all run side by side. */
function vehiclesOf(admin: Admin) {
  let plates = 0;
  const newPlate = (): string => `TST${String((plates += 1)).padStart(3, '0')}`;
  return {
    newPlate,
    aVehicle: async (change: object = {}): Promise<string> => {
      const plate = newPlate();
      const vehicle = { make: 'Saab', model: '900', year: 1990, fuelType: 'petrol', color: 'Röd', ...change };
      await admin('PUT', `/vehicles/${plate}`, vehicle);
      return plate;
    },
    callsFor: async (plate: string): Promise<number> =>
      ((await admin('GET', `/calls?path=/${plate}$`)) as { calls: unknown[] }).calls.length,
    fail: (plate: string, fault: object = {}): Promise<unknown> =>
      admin('POST', '/faults', { mode: 'status', status: 503, path: plate, ...fault }),
  };
}

/** The clock is the whole world's, so tests that pass time have one of their own. */
async function startOwnWorld(t: WithTeardown, options: WorldOptions) {
  const own = await startApiWorld(options);
  t.teardown(() => own.close());
  const { apiKey: ownKey } = await own.account();
  return {
    logLines: own.logLines,
    pass: (ms: number): void => own.pass(ms),
    account: () => own.account(),
    ask: (plate: string, apiKey = ownKey) => own.call('GET', `/vehicles/lookup?plate=${plate}`, { apiKey }),
  };
}
