import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createHttpVehicleRegistry } from '../../gateways/vehicle-registry/http-vehicle-registry.ts';
import { RegistryUnavailable, type RegistryProblem } from '../../gateways/vehicle-registry/port.ts';
import { defaultRegistryKey } from '../../simulators/vehicle-registry/preset-vehicles.ts';
import { startVehicleRegistrySimulator } from '../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';

async function setUp(t: ExecutionContext, { apiKey = defaultRegistryKey, timeoutMs = 5_000 } = {}) {
  const simulator = await startVehicleRegistrySimulator();
  const registry = createHttpVehicleRegistry({ url: simulator.url, apiKey, timeoutMs });
  t.teardown(async () => {
    await simulator.close();
    await registry.close();
  });
  const fault = async (body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    t.is((await fetch(`${simulator.adminUrl}/faults`, init)).status, 201);
  };
  const calls = async (): Promise<number> => {
    const { calls: list } = (await (await fetch(`${simulator.adminUrl}/calls`)).json()) as { calls: unknown[] };
    return list.length;
  };
  return { registry, fault, calls };
}

async function isUnavailable(t: ExecutionContext, asking: Promise<unknown>, problem: RegistryProblem) {
  const error = await t.throwsAsync(asking, { instanceOf: RegistryUnavailable });
  t.is(error.problem, problem, error.message);
  t.false(error.message.includes(defaultRegistryKey));
  return error;
}

test('gives the vehicle of a known plate and null for an unknown one', async (t) => {
  const { registry } = await setUp(t);
  t.deepEqual(await registry.lookUp('MLB84A'), {
    registrationPlate: 'MLB84A',
    make: 'Volvo',
    model: 'V60',
    year: 2021,
    fuelType: 'hybrid',
    color: 'Blå',
  });
  t.is(await registry.lookUp('ZZZ000'), null);
});

test('sends a plate with letters beyond ASCII as it is', async (t) => {
  const { registry } = await setUp(t);
  t.is(await registry.lookUp('ÅÄÖ1'), null);
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
  t.is(await calls(), 2);
  await fault({ mode: 'drop-before' });
  await isUnavailable(t, registry.lookUp('MLB84A'), 'unreachable');
  t.is(await calls(), 4);
});

test('429 and 5xx say overloaded, with the pause that the registry asks for', async (t) => {
  const { registry, fault, calls } = await setUp(t);
  await fault({ mode: 'status', status: 503, times: 1 });
  t.is((await isUnavailable(t, registry.lookUp('MLB84A'), 'overloaded')).retryAfterMs, null);
  await fault({ mode: 'status', status: 429, headers: { 'Retry-After': '7' }, times: 1 });
  t.is((await isUnavailable(t, registry.lookUp('MLB84A'), 'overloaded')).retryAfterMs, 7_000);
  t.is(await calls(), 2);
});

test('a wrong key, a redirect and a 404 from somebody else are refusals, never "unknown plate"', async (t) => {
  const { registry } = await setUp(t, { apiKey: 'wrong' });
  await isUnavailable(t, registry.lookUp('MLB84A'), 'refused');
  const other = await setUp(t);
  await other.fault({ mode: 'status', status: 404, times: 1 });
  await isUnavailable(t, other.registry.lookUp('MLB84A'), 'refused');
  await other.fault({ mode: 'status', status: 302, headers: { Location: 'http://127.0.0.1:1/' }, times: 1 });
  await isUnavailable(t, other.registry.lookUp('MLB84A'), 'refused');
});

test('an unreadable answer is unusable', async (t) => {
  const { registry, fault } = await setUp(t);
  await fault({ mode: 'garbage' });
  await isUnavailable(t, registry.lookUp('MLB84A'), 'unusable_answer');
});

const answers = {
  'another vehicle than the one asked for': { registrationPlate: 'AAA000' },
  'a vehicle without a make': { make: '' },
  'a year that is no number': { year: '2021' },
  'a make of a million characters': { make: 'x'.repeat(1_000_000) },
};
const vehicle = { registrationPlate: 'MLB 84A', make: 'Volvo ', model: 'V60', year: 2021, fuelType: 'x', color: '' };

for (const [name, change] of Object.entries(answers)) {
  test(`${name} is unusable`, async (t) => {
    await isUnavailable(t, (await answering(t, { ...vehicle, ...change })).lookUp('MLB84A'), 'unusable_answer');
  });
}

test('takes a vehicle whose plate is written in another way, and nothing beyond its six fields', async (t) => {
  const registry = await answering(t, { ...vehicle, owner: 'nobody of our concern' });
  t.deepEqual(await registry.lookUp('MLB84A'), { ...vehicle, registrationPlate: 'MLB84A', make: 'Volvo' });
});

test('the key travels by HTTPS or on loopback only', (t) => {
  const options = { apiKey: 'k', timeoutMs: 1_000 };
  t.throws(() => createHttpVehicleRegistry({ ...options, url: 'http://registry.example.com' }), { message: /HTTPS/ });
  t.notThrows(() => createHttpVehicleRegistry({ ...options, url: 'https://registry.example.com' }));
});

/** A registry that always answers the same. */
async function answering(t: ExecutionContext, body: object) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const registry = createHttpVehicleRegistry({ url: `http://127.0.0.1:${port}`, apiKey: 'k', timeoutMs: 5_000 });
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await registry.close();
  });
  return registry;
}
