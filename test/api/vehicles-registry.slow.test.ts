import test from 'ava';
import { isError } from '../support/api-world.ts';
import { withVehicleWorld } from '../support/vehicle-world.ts';

const { aVehicle, newPlate, callsFor, ownWorld } = withVehicleWorld(test);
const impatient = withVehicleWorld(test, { timeoutMs: 3_000 });

const hourMs = 3_600_000;

test('GET 503: a registry that hangs is given up, also by those who joined the wait', async (t) => {
  const { aVehicle, fail, lookUp } = impatient;
  const plate = await aVehicle();
  await fail(plate, { mode: 'delay', delayMs: 10_000 });
  const replies = await Promise.all([lookUp(plate), lookUp(plate)]);
  for (const reply of replies) isError(t, reply, { status: 503, code: 'UNAVAILABLE' });
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
