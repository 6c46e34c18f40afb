import test from 'ava';
import { loadVehicleRegistryConfig } from '../../compose/config.ts';
import { registrySettings, usedSimulators } from '../../embedded/vehicle-registry.ts';
import { startVehicleRegistrySimulator } from '../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';
import { StartedSystem } from './support/started-system.ts';

const simulator = { url: 'http://127.0.0.1:4011', adminUrl: 'http://127.0.0.1:4011/admin' };
const simulators = {
  marketplace: simulator,
  payments: simulator,
  ai: simulator,
  images: simulator,
  webhookReceiver: simulator,
  mail: { ...simulator, smtpUrl: 'smtp://127.0.0.1:4017' },
  vehicleRegistry: simulator,
};
const other = {
  VEHICLE_REGISTRY: 'tic',
  VEHICLE_REGISTRY_URL: 'http://127.0.0.1:9999',
  VEHICLE_REGISTRY_API_KEY: 'theirs',
};
/** What the product and the ready file make of a user's environment. */
const started = (environment: Readonly<Record<string, string>>) => {
  const settings = { ...environment, ...registrySettings(environment, simulator.url) };
  const { kind, url, apiKey } = loadVehicleRegistryConfig({}, settings);
  return { kind, url, apiKey, ready: usedSimulators(simulators, settings).vehicleRegistry };
};

test('the simulator is asked in the form of Biluppgifter, or in the one that is named', (t) => {
  for (const kind of ['biluppgifter', 'tic'] as const) {
    const { ready, ...settings } = started(kind === 'tic' ? { VEHICLE_REGISTRY: kind } : {});
    t.deepEqual(settings, { kind, url: simulator.url, apiKey: 'simulator-registry-key' });
    t.deepEqual(ready, { ...simulator, kind, apiKey: 'simulator-registry-key' });
  }
});

test('a server that the environment names is asked instead, and the ready file has no simulator of it', (t) => {
  t.deepEqual(started(other), { kind: 'tic', url: other.VEHICLE_REGISTRY_URL, apiKey: 'theirs', ready: undefined });
});

test('look-ups can be off', (t) => {
  t.like(started({ VEHICLE_REGISTRY: 'none' }), { kind: 'none', ready: undefined });
});

test('a server that is named without saying which registry it is, is refused with what to set', (t) => {
  const { message } = t.throws(() => started({ VEHICLE_REGISTRY_URL: 'http://127.0.0.1:9999' }));
  t.regex(message, /VEHICLE_REGISTRY must say which registry VEHICLE_REGISTRY_URL is/);
});

test('a server beyond this machine is refused before anything starts', async (t) => {
  const environment = { ...other, VEHICLE_REGISTRY_URL: 'https://registry.example.com' };
  const system = await StartedSystem.launch({ environment });
  t.teardown(() => system.discard());
  t.not(await system.exited, 0);
  t.regex(system.output, /VEHICLE_REGISTRY_URL is not on this machine[^]*--real-marketplace/);
});

test('the whole system looks plates up at the server that the environment names', async (t) => {
  t.timeout(600_000);
  const registry = await startVehicleRegistrySimulator({ apiKey: other.VEHICLE_REGISTRY_API_KEY });
  t.teardown(() => registry.close());
  const system = await StartedSystem.launch({ environment: { ...other, VEHICLE_REGISTRY_URL: registry.url } });
  t.teardown(() => system.discard());
  const ready = await system.ready();
  t.false('vehicleRegistry' in ready.simulators);
  t.true(system.output.includes(`vehicles are looked up at ${registry.url}`));
  const url = `${ready.apiUrl}/vehicles/lookup?plate=MLB84A`;
  const answer = await fetch(url, { headers: { 'x-api-key': ready.accounts[0]?.apiKey ?? '' } });
  t.like(await answer.json(), { make: 'VOLVO', model: 'V60', year: 2021, color: 'Blå' });
});
