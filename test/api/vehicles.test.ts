import test from 'ava';
import { isError, startApiWorld } from '../support/api-world.ts';
import { withVehicleWorld } from '../support/vehicle-world.ts';
import { present } from '../support/clock.ts';
import { said } from '../support/said.ts';

const { world, apiKey, lookUp, admin, aVehicle, newPlate, callsFor, fail, ownWorld } = withVehicleWorld(test);

const hourMs = 3_600_000;
const few = (callsPerMinute: number, callsPerDay: number) => ({ callsPerMinute, callsPerDay });

// specification: registrationplate-make-model-year, get-vehicles-lookup-result, an-api-key-or
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

// specification: a-plate-however-it
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

// specification: get-vehicles-lookup-404, 404-an-unknown-plate
test('GET 404: an unknown plate', async (t) => {
  isError(t, await lookUp(newPlate()), { status: 404, code: 'NOT_FOUND' });
});

// specification: no-swedish-plate-422
test('GET 422: what is no Swedish plate, at the field plate, and the registry is not asked', async (t) => {
  for (const plate of ['', 'A', 'ABCDEFGH', 'AB_123', 'ABC123; DROP', '../x', 'x'.repeat(5_000), '\0AB']) {
    const reply = await lookUp(plate);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.deepEqual([...new Set(reply.body.details.map(({ field }: { field: string }) => field))], ['plate'], plate);
  }
  const missing = await world().call('GET', '/vehicles/lookup', { apiKey: apiKey() });
  isError(t, missing, { status: 422, code: 'VALIDATION_FAILED' });
  t.deepEqual(said(missing.body.details), [{ field: 'plate', message: 'is required' }]);
});

test('GET 200: 20 calls for one plate at once ask the registry once', async (t) => {
  const plate = await aVehicle();
  await fail(plate, { mode: 'delay', delayMs: 200 });
  const replies = await Promise.all(Array.from({ length: 20 }, () => lookUp(plate)));
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  t.is(await callsFor(plate), 1);
});

// specification: no-swedish-plate-422
test('GET 503: a registry that fails, with Retry-After, which is the registry’s own where it has one', async (t) => {
  const plate = await aVehicle();
  await fail(plate, { times: 1 });
  const failed = await lookUp(plate);
  isError(t, failed, { status: 503, code: 'UNAVAILABLE' });
  t.is(failed.headers.get('retry-after'), '30');
  const other = await aVehicle();
  await fail(other, { headers: { 'Retry-After': '7' }, times: 1 });
  t.is((await lookUp(other)).headers.get('retry-after'), '7');
});

test('GET 503: after 429 no plate is asked for before the reset that the registry named, and shares stay whole', async (t) => {
  const { ask, pass, logLines } = await ownWorld(t, { ...few(1_000, 1_000), account: few(1_000, 2) });
  const [plate, known] = [await aVehicle(), await aVehicle()];
  // Look-ups are counted by UTC days: an hour later it is to be the same day.
  pass(24 * hourMs - (present().getTime() % (24 * hourMs)) + 60_000);
  t.is((await ask(known)).status, 200);
  const reset = String(Math.ceil(present().getTime() / 1_000) + 3_600);
  await fail(plate, { status: 429, headers: { 'X-RateLimit-Reset': reset }, times: 1 });
  for (const one of [plate, plate, newPlate(), newPlate()]) {
    const refused = await ask(one);
    isError(t, refused, { status: 503, code: 'UNAVAILABLE' });
    const seconds = Number(refused.headers.get('retry-after'));
    t.true(seconds > 3_000 && seconds <= 3_601, String(seconds));
  }
  t.is(await callsFor(plate), 1);
  t.true(logLines.some(({ msg, problem }) => msg === 'vehicle_registry.unavailable' && problem === 'registry_limit'));
  t.is((await ask(known)).status, 200, 'what is known is answered');
  pass(3_602_000);
  // The call that was answered 429 took the second look-up of the day.
  isError(t, await ask(plate), { status: 429, code: 'RATE_LIMITED' });
  pass(24 * hourMs);
  t.is((await ask(plate)).status, 200);
});

test('GET 503: a 429 that names no time is waited out for a minute', async (t) => {
  const { ask, pass } = await ownWorld(t);
  const plate = await aVehicle();
  await fail(plate, { status: 429, times: 1 });
  t.is((await ask(plate)).headers.get('retry-after'), '60');
  pass(61_000);
  t.is((await ask(plate)).status, 200);
});

test('GET 503: a refused key is an error in the log, which the answer does not tell', async (t) => {
  const { ask, logLines } = await ownWorld(t);
  const plate = await aVehicle();
  await fail(plate, { status: 401 });
  const refused = await ask(plate);
  isError(t, refused, { status: 503, code: 'UNAVAILABLE' });
  t.notRegex(refused.text, /401|KEY/);
  const [line] = logLines.filter(({ msg }) => msg === 'vehicle_registry.unavailable');
  t.like(line, { level: 50, problem: 'refused' });
});

test('GET 503: look-ups are off, and the answer says so', async (t) => {
  const own = await startApiWorld();
  t.teardown(() => own.close());
  const somebody = await own.account();
  const reply = await own.call('GET', '/vehicles/lookup?plate=MLB84A', { apiKey: somebody.apiKey });
  isError(t, reply, { status: 503, code: 'UNAVAILABLE' });
  t.regex(reply.text, /look-ups are off/);
  t.is(reply.headers.get('retry-after'), '3600');
});

// specification: get-vehicles-lookup-cached, plate-lookup-cache-24, a-plate-however-it
test('GET 200: an answer is kept for 24 hours, its Age is told, and then the registry is asked again', async (t) => {
  const { ask, pass } = await ownWorld(t);
  const plate = await aVehicle();
  t.regex((await ask(plate)).headers.get('age') ?? '', /^[0-5]?\d$/, 'within a minute');
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
