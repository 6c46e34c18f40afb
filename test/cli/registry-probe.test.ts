import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startVehicleRegistrySimulator } from '../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';
import { defaultRegistryKey } from '../../simulators/vehicle-registry/vehicles.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runItembridge } from './support/run-itembridge.ts';

async function aRegistry(t: ExecutionContext) {
  const simulator = await startVehicleRegistrySimulator();
  t.teardown(() => simulator.close());
  const settings = {
    VEHICLE_REGISTRY_URL: simulator.url,
    VEHICLE_REGISTRY_API_KEY: defaultRegistryKey,
    // The tests of this process share two cores with others.
    VEHICLE_REGISTRY_TIMEOUT_MS: '60000',
  };
  const probe = (plate: string, env: Readonly<Record<string, string>>, args: readonly string[] = []) =>
    runItembridge(['registry', 'probe', plate, ...args], { env: { ...settings, ...env } });
  return { simulator, probe };
}

test('shows what came, where each field was read, and only the names of what was not', async (t) => {
  const { probe, simulator } = await aRegistry(t);
  const { code, stdout, stderr } = await probe('mlb 84a', { VEHICLE_REGISTRY: 'biluppgifter' });
  t.is(code, 0, stderr);
  t.regex(stdout, new RegExp(`GET ${simulator.url}/api/v1/vehicle/regno/MLB84A\nHTTP 200 .*x-ratelimit-remaining: `));
  t.regex(stdout, /electric +vehicle\.technical\.electric_vehicle_configuration +Laddhybrid/);
  t.regex(stdout, /Came, and was not read\n {2}owner\n {2}real_owner\n {2}historical_owners\n {2}debts/);
  t.regex(stdout, /Read as[^]*fuelType +hybrid/);
  t.false(`${stdout}${stderr}`.includes('Påhitt') || stdout.includes(defaultRegistryKey));
});

test('asks the other registry in its form, as JSON for programs', async (t) => {
  const { probe } = await aRegistry(t);
  const { code, stdout } = await probe('MLB84A', { VEHICLE_REGISTRY: 'tic' }, ['--json']);
  t.is(code, 0);
  t.like(JSON.parse(stdout), {
    outcome: 'vehicle',
    answer: { status: 200, notRead: ['mileageKm'] },
    vehicle: { registrationPlate: 'MLB84A', make: 'VOLVO', color: 'Blå' },
  });
});

test('says why there is no vehicle, and its exit code tells a refusal from a silence', async (t) => {
  const { probe } = await aRegistry(t);
  const biluppgifter = { VEHICLE_REGISTRY: 'biluppgifter' };
  const runs = await Promise.all([
    probe('ZZZ000', biluppgifter),
    probe('MLB84A', { ...biluppgifter, VEHICLE_REGISTRY_API_KEY: 'wrong' }),
    probe('MLB84A', { ...biluppgifter, VEHICLE_REGISTRY_URL: 'http://127.0.0.1:9' }),
    probe('MLB84A', {}),
    probe('no plate!', biluppgifter),
  ]);
  t.deepEqual(
    runs.map(({ code }) => code),
    [1, 1, 3, 2, 2],
  );
  const [unknown, refused, silent, unnamed, noPlate] = runs.map(({ stdout, stderr }) => stdout + stderr);
  t.regex(unknown ?? '', /HTTP 404[^]*No vehicle \(unknown_plate\)/);
  t.regex(refused ?? '', /No vehicle \(refused\): the vehicle registry answered HTTP 401: VEHICLE_REGISTRY_API_KEY/);
  t.regex(silent ?? '', /No vehicle \(unreachable\)/);
  t.regex(unnamed ?? '', /VEHICLE_REGISTRY must say which registry/);
  t.regex(noPlate ?? '', /no Swedish registration plate/);
});

test('without settings it asks the simulator of the system that runs here, else says what to set', async (t) => {
  const { simulator } = await aRegistry(t);
  const home = temporaryFolder('home');
  const probe = (env: Readonly<Record<string, string>> = {}) =>
    runItembridge(['registry', 'probe', 'MLB84A'], {
      env: { ITEMBRIDGE_HOME: home, VEHICLE_REGISTRY_TIMEOUT_MS: '60000', ...env },
    });
  const off = await probe();
  t.is(off.code, 2);
  t.regex(off.stderr, /Look-ups are off: set VEHICLE_REGISTRY/);
  const vehicleRegistry = { url: simulator.url, kind: 'biluppgifter', apiKey: defaultRegistryKey };
  writeFileSync(join(home, 'ready.json'), JSON.stringify({ simulators: { vehicleRegistry } }));
  t.regex((await probe()).stdout, /Read as[^]*make +Volvo/);
  t.regex((await probe({ VEHICLE_REGISTRY: 'tic' })).stdout, /Read as[^]*make +VOLVO/);
});
