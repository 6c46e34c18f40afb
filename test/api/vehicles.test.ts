import test from 'ava';
import { createHttpVehicleRegistry } from '../../gateways/vehicle-registry/http-vehicle-registry.ts';
import type { VehicleRegistry } from '../../gateways/vehicle-registry/port.ts';
import { defaultRegistryKey } from '../../simulators/vehicle-registry/default-registry-key.ts';
import { startVehicleRegistrySimulator } from '../../simulators/vehicle-registry/start-vehicle-registry-simulator.ts';
import {
  isError,
  startApiWorld,
  withApiWorld,
  type ApiWorld,
  type Reply,
  type WorldOptions,
} from '../support/api-world.ts';

let simulator: Awaited<ReturnType<typeof startVehicleRegistrySimulator>>;
let registry: VehicleRegistry;
const world = withApiWorld(test, { vehicleRegistry: { lookUp: (plate) => registry.lookUp(plate) } });

let apiKey = '';
test.before('the registry starts', async () => {
  simulator = await startVehicleRegistrySimulator();
  registry = createHttpVehicleRegistry({ url: simulator.url, apiKey: defaultRegistryKey, timeoutMs: 3_000 });
});
test.serial.before('somebody asks', async () => {
  ({ apiKey } = await world().account());
});
test.after.always('the registry stops', async () => {
  await simulator.close();
  await registry.close();
});

const hourMs = 3_600_000;
const lookUp = (plate: string, options: Parameters<ApiWorld['call']>[2] = { apiKey }): Promise<Reply> =>
  world().call('GET', `/vehicles/lookup?plate=${encodeURIComponent(plate)}`, options);

async function admin(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(simulator.adminUrl + path, {
    method,
    ...(body !== undefined && { headers, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.status === 204 ? undefined : answer.json();
}

/** Every test has a plate of its own, so that all run side by side. */
let plates = 0;
async function aVehicle(change: object = {}): Promise<string> {
  const plate = newPlate();
  const vehicle = { make: 'Saab', model: '900', year: 1990, fuelType: 'petrol', color: 'Röd', ...change };
  await admin('PUT', `/vehicles/${plate}`, vehicle);
  return plate;
}
const newPlate = (): string => `TST${String((plates += 1)).padStart(3, '0')}`;
const callsFor = async (plate: string): Promise<number> =>
  ((await admin('GET', `/calls?path=/v1/vehicles/${plate}`)) as { calls: unknown[] }).calls.length;
const fail = (plate: string, fault: object = {}): Promise<unknown> =>
  admin('POST', '/faults', { mode: 'status', status: 503, path: plate, ...fault });

test('GET 200: exactly the six fields of the vehicle, for a key and for a session', async (t) => {
  const person = await world().account();
  for (const credential of [{ apiKey: person.apiKey }, { token: person.token }]) {
    const reply = await lookUp('MLB84A', credential);
    t.is(reply.status, 200, reply.text);
    t.deepEqual(reply.body, {
      registrationPlate: 'MLB84A',
      make: 'Volvo',
      model: 'V60',
      year: 2021,
      fuelType: 'hybrid',
      color: 'Blå',
    });
  }
});

test('GET 200: a plate is the same in lower case, with spaces and hyphens', async (t) => {
  const plate = await aVehicle();
  const ways = [
    plate.toLowerCase(),
    `${plate.slice(0, 3)} ${plate.slice(3)}`,
    `${plate.slice(0, 3)}-${plate.slice(3)}`,
  ];
  for (const way of ways) t.is((await lookUp(way)).body.registrationPlate, plate);
  t.is(await callsFor(plate), 1);
});

test('GET 401: no credential, or a wrong one', async (t) => {
  isError(t, await lookUp('MLB84A', {}), { status: 401, code: 'UNAUTHORIZED' });
  isError(t, await lookUp('MLB84A', { apiKey: 'wrong' }), { status: 401, code: 'UNAUTHORIZED' });
});

test('GET 404: an unknown plate', async (t) => {
  isError(t, await lookUp(newPlate()), { status: 404, code: 'NOT_FOUND' });
});

test('GET 422: what is no Swedish plate, at the field plate, and the registry is not asked', async (t) => {
  for (const plate of ['', 'A', 'ABCDEFGH', 'AB_123', 'ABC123; DROP', '../x', 'x'.repeat(5_000), '\0AB']) {
    const reply = await lookUp(plate);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.deepEqual([...new Set(reply.body.details.map(({ field }: { field: string }) => field))], ['plate'], plate);
  }
  const missing = await world().call('GET', '/vehicles/lookup', { apiKey });
  isError(t, missing, { status: 422, code: 'VALIDATION_FAILED' });
  t.deepEqual(missing.body.details, [{ field: 'plate', message: 'is required' }]);
});

test('GET 200: 20 calls for one plate at once ask the registry once', async (t) => {
  const plate = await aVehicle();
  await fail(plate, { mode: 'delay', delayMs: 200 });
  const replies = await Promise.all(Array.from({ length: 20 }, () => lookUp(plate)));
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  t.is(await callsFor(plate), 1);
});

test('GET 503: a registry that fails, with Retry-After, which is the registry’s own where it has one', async (t) => {
  const plate = await aVehicle();
  await fail(plate, { times: 1 });
  const failed = await lookUp(plate);
  isError(t, failed, { status: 503, code: 'UNAVAILABLE' });
  t.is(failed.headers.get('retry-after'), '30');
  const other = await aVehicle();
  await fail(other, { status: 429, headers: { 'Retry-After': '7' }, times: 1 });
  t.is((await lookUp(other)).headers.get('retry-after'), '7');
});

test('GET 503: a registry that hangs is given up, also by those who joined the wait', async (t) => {
  const plate = await aVehicle();
  await fail(plate, { mode: 'delay', delayMs: 10_000 });
  const replies = await Promise.all([lookUp(plate), lookUp(plate)]);
  for (const reply of replies) isError(t, reply, { status: 503, code: 'UNAVAILABLE' });
});

test('GET 503: no registry is configured', async (t) => {
  const own = await startApiWorld();
  t.teardown(() => own.close());
  const somebody = await own.account();
  const reply = await own.call('GET', '/vehicles/lookup?plate=MLB84A', { apiKey: somebody.apiKey });
  isError(t, reply, { status: 503, code: 'UNAVAILABLE' });
});

// The clock is the whole world's, so these have one of their own.
async function ownWorld(
  t: { teardown: (end: () => Promise<void>) => void },
  vehicleLookups?: WorldOptions['vehicleLookups'],
) {
  const own = await startApiWorld({ vehicleRegistry: registry, ...(vehicleLookups && { vehicleLookups }) });
  t.teardown(() => own.close());
  const { apiKey: ownKey } = await own.account();
  return {
    logLines: own.logLines,
    pass: (ms: number): void => own.pass(ms),
    account: () => own.account(),
    ask: (plate: string, apiKey = ownKey) => own.call('GET', `/vehicles/lookup?plate=${plate}`, { apiKey }),
  };
}

test('GET 200: an answer is kept for 24 hours, its Age is told, and then the registry is asked again', async (t) => {
  const { ask, pass } = await ownWorld(t);
  const plate = await aVehicle();
  t.is((await ask(plate)).headers.get('age'), '0');
  await admin('PUT', `/vehicles/${plate}`, {
    make: 'Saab',
    model: '9-3',
    year: 2009,
    fuelType: 'petrol',
    color: 'Blå',
  });
  pass(24 * hourMs - 60_000);
  const kept = await ask(plate);
  t.is(kept.body.model, '900');
  t.true(Number(kept.headers.get('age')) >= 24 * 3_600 - 60);
  t.is(await callsFor(plate), 1);
  pass(2 * 60_000);
  t.is((await ask(plate)).body.model, '9-3');
  t.is(await callsFor(plate), 2);
});

test('GET 404: "unknown" is kept for 10 minutes', async (t) => {
  const { ask, pass } = await ownWorld(t);
  const plate = newPlate();
  t.is((await ask(plate)).status, 404);
  t.is((await ask(plate)).status, 404);
  t.is(await callsFor(plate), 1);
  await admin('PUT', `/vehicles/${plate}`, {
    make: 'Saab',
    model: '900',
    year: 1990,
    fuelType: 'petrol',
    color: 'Röd',
  });
  pass(10 * 60_000 + 1_000);
  t.is((await ask(plate)).status, 200);
});

test('GET 200: while the registry is away, an old answer is better than none, for 30 days', async (t) => {
  const { ask, pass, logLines } = await ownWorld(t);
  const plate = await aVehicle();
  await ask(plate);
  await fail(plate);
  pass(48 * hourMs);
  const old = await ask(plate);
  t.is(old.status, 200);
  t.true(Number(old.headers.get('age')) >= 48 * 3_600);
  t.true(logLines.some(({ msg, isStaleAnswer }) => msg === 'vehicle_registry.unavailable' && isStaleAnswer === true));
  pass(29 * 24 * hourMs);
  isError(t, await ask(plate), { status: 503, code: 'UNAVAILABLE' });
});

test('GET 503: an old "unknown" denies nobody a vehicle while the registry is away', async (t) => {
  const { ask, pass } = await ownWorld(t);
  const plate = newPlate();
  t.is((await ask(plate)).status, 404);
  await fail(plate);
  pass(11 * 60_000);
  isError(t, await ask(plate), { status: 503, code: 'UNAVAILABLE' });
});

test('GET 503: a plate that the registry failed at is not asked for again before the time that was told', async (t) => {
  const { ask, pass } = await ownWorld(t);
  const plate = await aVehicle();
  await fail(plate, { times: 1 });
  t.is((await ask(plate)).headers.get('retry-after'), '30');
  pass(20_000);
  const again = await ask(plate);
  isError(t, again, { status: 503, code: 'UNAVAILABLE' });
  t.true(Number(again.headers.get('retry-after')) <= 10);
  t.is(await callsFor(plate), 1);
  pass(10_000);
  t.is((await ask(plate)).status, 200);
});

const few = (callsPerMinute: number, callsPerDay: number) => ({ callsPerMinute, callsPerDay });

test('GET 429: 150 made-up plates of one account cost its share of look-ups, and other accounts keep theirs', async (t) => {
  // By the day: a minute may end while they are asked for.
  const { ask, pass, account } = await ownWorld(t, { ...few(1_000, 1_000), account: few(1_000, 20) });
  const known = await aVehicle();
  const other = await account();
  t.is((await ask(known, other.apiKey)).status, 200);
  const plates = Array.from({ length: 150 }, newPlate);
  const askAll = async () => Promise.all(plates.map((plate) => ask(plate)));
  const calls = async (): Promise<number> =>
    (await Promise.all(plates.map(callsFor))).reduce((sum, count) => sum + count, 0);
  const refused = (await askAll()).filter(({ status }) => status !== 404);
  t.is(await calls(), 20);
  t.is(refused.length, 130);
  for (const reply of refused) {
    isError(t, reply, { status: 429, code: 'RATE_LIMITED' });
    const seconds = Number(reply.headers.get('retry-after'));
    t.true(seconds >= 1 && seconds <= 86_400);
  }
  t.is((await ask(known)).status, 200, 'what is known is answered');
  const wanted = await aVehicle();
  const [own, others] = await Promise.all([ask(wanted), ask(wanted, other.apiKey)]);
  t.is(own.status, 429);
  t.is(others.status, 200, 'also for the same plate at the same moment');
  pass(24 * hourMs);
  await askAll();
  t.is(await calls(), 40);
});

test('GET 503: when all look-ups are used up, an old answer is better than none', async (t) => {
  const { ask, pass } = await ownWorld(t, { ...few(1_000, 1), account: few(10, 10) });
  const plate = await aVehicle();
  t.is((await ask(plate)).status, 200);
  const refused = await ask(newPlate());
  isError(t, refused, { status: 503, code: 'UNAVAILABLE' });
  t.true(Number(refused.headers.get('retry-after')) <= 86_400);
  pass(25 * hourMs);
  t.is((await ask(newPlate())).status, 404);
  t.is((await ask(plate)).status, 200);
});
