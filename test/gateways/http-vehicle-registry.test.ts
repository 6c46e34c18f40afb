import test, { type ExecutionContext } from 'ava';
import {
  createVehicleRegistry,
  type VehicleRegistrySettings,
} from '../../gateways/vehicle-registry/http-vehicle-registry.ts';
import { RegistryUnavailable, type RegistryProblem } from '../../gateways/vehicle-registry/port.ts';
import { startVehicleRegistrySimulator } from '../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';
import { defaultRegistryKey, madeUpOwner } from '../../simulators/vehicle-registry/vehicles.ts';
import { registrySettings } from '../support/registry-settings.ts';
import { startHttp } from './support/local-server.ts';

async function setUp(t: ExecutionContext, change: Partial<VehicleRegistrySettings> = {}) {
  const simulator = await startVehicleRegistrySimulator();
  const registry = createVehicleRegistry(registrySettings(simulator.url, change));
  t.teardown(async () => {
    await simulator.close();
    await registry.close();
  });
  const admin = async (path: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    t.true((await fetch(`${simulator.adminUrl}${path}`, init)).ok);
  };
  const calls = async (): Promise<readonly { path: string }[]> => {
    const answer = (await (await fetch(`${simulator.adminUrl}/calls`)).json()) as { calls: { path: string }[] };
    return answer.calls;
  };
  return { registry, admin, fault: (body: object) => admin('/faults', body), calls };
}

async function isUnavailable(t: ExecutionContext, asking: Promise<unknown>, problem: RegistryProblem) {
  const error = await t.throwsAsync(asking, { instanceOf: RegistryUnavailable });
  t.is(error.problem, problem, error.message);
  t.false(error.message.includes(defaultRegistryKey));
  return error;
}

const volvo = {
  registrationPlate: 'MLB84A',
  make: 'Volvo',
  model: 'V60',
  year: 2021,
  fuelType: 'hybrid',
  color: 'Blå',
};
const positions = [
  {
    change: { kind: 'biluppgifter', lookup: 'whole' },
    path: '/api/v1/vehicle/regno/MLB84A',
    vehicle: volvo,
  },
  {
    change: { kind: 'biluppgifter', lookup: 'simple' },
    path: '/api/v1/lookup/vehicle/regno/MLB84A',
    vehicle: { ...volvo, fuelType: '' },
  },
  {
    change: { kind: 'tic', lookup: 'whole' },
    path: '/datasets/vehicles/se/licence-plate/MLB84A',
    vehicle: { ...volvo, make: 'VOLVO', fuelType: '' },
  },
] as const;

for (const { change, path, vehicle } of positions) {
  const title = `${change.kind}, ${change.lookup}`;

  test(`${title}: a known plate is a vehicle of six fields, an unknown one is null`, async (t) => {
    const { registry, calls } = await setUp(t, change);
    t.deepEqual(await registry.lookUp('MLB84A'), vehicle);
    t.deepEqual(
      (await calls()).map((call) => call.path),
      [path],
    );
    t.is(await registry.lookUp('ZZZ000'), null);
    t.is(await registry.lookUp('ÅÄÖ1'), null, 'letters beyond ASCII are sent as they are');
  });

  test(`${title}: a wrong key is for the operator`, async (t) => {
    const { registry } = await setUp(t, { ...change, apiKey: 'wrong' });
    const { message } = await isUnavailable(t, registry.lookUp('MLB84A'), 'refused');
    t.regex(message, /HTTP 401: VEHICLE_REGISTRY_API_KEY is wrong/);
  });

  test(`${title}: a used-up plan is a limit, with the reset that the registry names`, async (t) => {
    const { registry, admin } = await setUp(t, change);
    await admin('/limit', { calls: 1, seconds: 1_000 });
    await registry.lookUp('MLB84A');
    const { retryAfterMs } = await isUnavailable(t, registry.lookUp('MLB84A'), 'limit_reached');
    if (change.kind === 'tic') t.is(retryAfterMs, null);
    else t.true(retryAfterMs !== null && retryAfterMs > 900_000 && retryAfterMs <= 1_001_000, String(retryAfterMs));
  });
}

test('the reset is compared with the clock of the registry, not with ours', async (t) => {
  const { registry, admin } = await setUp(t);
  await admin('/clock', { advanceSeconds: 86_400 });
  await admin('/limit', { calls: 0, seconds: 60 });
  const { retryAfterMs } = await isUnavailable(t, registry.lookUp('MLB84A'), 'limit_reached');
  t.true(retryAfterMs !== null && retryAfterMs <= 61_000, String(retryAfterMs));
});

test('nothing of owners and debts leaves the adapter, whatever becomes of the answer', async (t) => {
  const { registry, fault } = await setUp(t);
  const whole = await registry.lookUp('MLB84A');
  t.deepEqual(Object.keys(whole ?? {}).sort(), Object.keys(volvo).sort());
  const owner = JSON.stringify({ vehicle: { regnr: 'MLB84A' }, owner: madeUpOwner });
  const error = await isUnavailable(t, (await answering(t, owner)).lookUp('MLB84A'), 'unusable_answer');
  await fault({ mode: 'garbage' });
  const other = await isUnavailable(t, registry.lookUp('MLB84A'), 'unusable_answer');
  for (const one of [error, other]) t.false(`${one.stack} ${JSON.stringify(one)}`.includes('Påhitt'));
});

test('an answer that does not come in time is a timeout', async (t) => {
  const { registry, fault } = await setUp(t, { timeoutMs: 100 });
  await fault({ mode: 'delay', delayMs: 3_000 });
  await isUnavailable(t, registry.lookUp('MLB84A'), 'timeout');
});

test('a broken connection is tried once more, and no oftener', async (t) => {
  const { registry, fault, calls } = await setUp(t);
  await fault({ mode: 'drop-before', times: 1 });
  t.like(await registry.lookUp('MLB84A'), { make: 'Volvo' });
  t.is((await calls()).length, 2);
  await fault({ mode: 'drop-before' });
  await isUnavailable(t, registry.lookUp('MLB84A'), 'unreachable');
  t.is((await calls()).length, 4);
});

test('5xx says overloaded, 403 refused, and a pause is the one that the registry asks for', async (t) => {
  const { registry, fault, calls } = await setUp(t);
  await fault({ mode: 'status', status: 503, times: 1 });
  t.is((await isUnavailable(t, registry.lookUp('MLB84A'), 'overloaded')).retryAfterMs, null);
  await fault({ mode: 'status', status: 403, times: 1 });
  await isUnavailable(t, registry.lookUp('MLB84A'), 'refused');
  const reset = { 'Retry-After': '7', 'X-RateLimit-Reset': '1' };
  await fault({ mode: 'status', status: 429, headers: reset, times: 1 });
  t.is((await isUnavailable(t, registry.lookUp('MLB84A'), 'limit_reached')).retryAfterMs, 7_000);
  await fault({ mode: 'status', status: 429, headers: { 'X-RateLimit-Reset': '1' }, times: 1 });
  t.is((await isUnavailable(t, registry.lookUp('MLB84A'), 'limit_reached')).retryAfterMs, null, 'long ago');
  t.is((await calls()).length, 4);
});

for (const [what, body, isRegistry] of [
  ['JSON', '{"title":"Not Found"}', true],
  ['no body', '', true],
  ['a page', '<html><h1>404 Not Found</h1></html>', false],
  ['a text', 'no route matched', false],
] as const) {
  test(`a 404 with ${what} is ${isRegistry ? 'an unknown plate' : 'refused: it is of a server in between'}`, async (t) => {
    const registry = await answering(t, body, 404);
    if (isRegistry) t.is(await registry.lookUp('MLB84A'), null);
    else await isUnavailable(t, registry.lookUp('MLB84A'), 'refused');
  });
}

test('a redirect is not followed: the key would go along', async (t) => {
  const { registry, fault } = await setUp(t);
  await fault({ mode: 'status', status: 302, headers: { Location: 'http://127.0.0.1:1/' }, times: 1 });
  await isUnavailable(t, registry.lookUp('MLB84A'), 'refused');
});

test('an unreadable answer is unusable', async (t) => {
  const { registry, fault } = await setUp(t);
  await fault({ mode: 'garbage' });
  await isUnavailable(t, registry.lookUp('MLB84A'), 'unusable_answer');
});

test('an answer of more than a megabyte is not read to its end', async (t) => {
  const registry = await answering(t, JSON.stringify({ vehicle: { make: 'x'.repeat(2_000_000) } }));
  await isUnavailable(t, registry.lookUp('MLB84A'), 'unusable_answer');
});

test('the key travels by HTTPS or on loopback only', (t) => {
  const at = (url: string) => () => createVehicleRegistry(registrySettings(url));
  t.throws(at('http://registry.example.com'), { message: /HTTPS/ });
  t.notThrows(at('https://registry.example.com'));
  t.notThrows(at(''), "the registry's own address");
});

/** A registry that always answers the same. */
async function answering(t: ExecutionContext, body: string, status = 200) {
  const server = await startHttp((_request, response) => {
    response.writeHead(status).end(body);
  });
  const registry = createVehicleRegistry(registrySettings(server.url));
  t.teardown(async () => {
    await server.close();
    await registry.close();
  });
  return registry;
}
