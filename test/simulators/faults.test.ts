import express from 'express';
import test, { type ExecutionContext } from 'ava';
import { Refusal } from '../../simulators/kit/fields.ts';
import { rawBodyOf } from '../../simulators/kit/request-body.ts';
import { startSimulator, type SimulatorParts } from '../../simulators/kit/start-simulator.ts';
import { until } from '../support/until.ts';
import { call } from './support/call.ts';

/** A simulator whose whole work is to remember the bodies it got. */
async function aSimulator(t: ExecutionContext, parts: Pick<SimulatorParts, 'pause'> = {}) {
  const worked: string[] = [];
  const routes = express.Router();
  routes.post('/tasks/:name', (request, response) => {
    worked.push(rawBodyOf(request).toString());
    response.status(201).json({ done: request.params.name });
  });
  routes.get('/refused', () => {
    throw new Refusal(418, 'Teapot', 'no coffee here');
  });
  const simulator = await startSimulator({ name: 'test', routes, ...parts });
  t.teardown(() => simulator.close());
  return {
    ...simulator,
    worked,
    work: (name = 'a', body: unknown = 1) => call('POST', `${simulator.url}/tasks/${name}?key=secret`, { body }),
    fault: async (body: unknown) =>
      (await call('POST', `${simulator.adminUrl}/faults`, { body })).json<{ id: string }>().id,
    calls: async (query = '') =>
      (await call('GET', `${simulator.adminUrl}/calls${query}`)).json<{ calls: Record<string, unknown>[] }>().calls,
  };
}

test('without a fault the work is done and answered', async (t) => {
  const { work, worked } = await aSimulator(t);
  const answer = await work();
  t.is(answer.status, 201);
  t.deepEqual(answer.json(), { done: 'a' });
  t.deepEqual(worked, ['1']);
});

test('status: answers without doing the work, with the headers asked for', async (t) => {
  const { work, worked, fault } = await aSimulator(t);
  await fault({ mode: 'status', status: 302, headers: { Location: 'https://127.0.0.1/elsewhere' }, times: 1 });
  const answer = await work();
  t.is(answer.status, 302);
  t.is(answer.headers['location'], 'https://127.0.0.1/elsewhere');
  t.deepEqual(worked, []);
  t.is((await work()).status, 201, 'used up after one call');
});

test('status is 503 when the fault does not say', async (t) => {
  const { work, fault } = await aSimulator(t);
  await fault({ mode: 'status' });
  t.is((await work()).status, 503);
});

test('delay: answers late', async (t) => {
  const { work, worked, fault } = await aSimulator(t);
  await fault({ mode: 'delay', delayMs: 120 });
  const started = performance.now();
  t.is((await work()).status, 201);
  t.true(performance.now() - started >= 115);
  t.deepEqual(worked, ['1']);
});

test('delay: the work is done although the caller has hung up meanwhile', async (t) => {
  let endDelay: () => void = () => undefined;
  const delay = new Promise<void>((resolve) => (endDelay = resolve));
  const { url, worked, fault, calls } = await aSimulator(t, { pause: () => delay });
  await fault({ mode: 'delay', delayMs: 1 });
  const body = 'x'.repeat(300_000);
  const caller = new AbortController();
  const abandoned = fetch(`${url}/tasks/a`, { method: 'POST', body, signal: caller.signal });
  await until('the call', async () => (await calls()).length > 0);
  caller.abort();
  await t.throwsAsync(abandoned, { any: true });
  t.deepEqual(worked, []);
  endDelay();
  await until('the work', async () => worked.length > 0);
  t.is(worked[0]?.length, body.length);
});

test('drop-before: the connection closes and nothing was done', async (t) => {
  const { work, worked, fault } = await aSimulator(t);
  await fault({ mode: 'drop-before', times: 1 });
  await t.throwsAsync(work(), { code: 'UND_ERR_SOCKET' });
  t.deepEqual(worked, []);
});

test('drop-after: the connection closes without an answer, but the work was done', async (t) => {
  const { work, worked, fault, calls } = await aSimulator(t);
  await fault({ mode: 'drop-after', times: 1, delayMs: 20 });
  await t.throwsAsync(work(), { code: 'UND_ERR_SOCKET' });
  t.deepEqual(worked, ['1']);
  t.like((await calls())[0], { status: null, fault: 'drop-after' });
});

test('garbage: answers 200 with a body that no reader understands, and the work was done', async (t) => {
  const { work, worked, fault } = await aSimulator(t);
  await fault({ mode: 'garbage' });
  const answer = await work();
  t.is(answer.status, 200);
  t.throws(() => answer.json());
  t.deepEqual(worked, ['1']);
});

test('a fault hits only its method and path, as often as it says, the oldest first', async (t) => {
  const { work, fault, adminUrl } = await aSimulator(t);
  await fault({ mode: 'status', method: 'put' });
  await fault({ mode: 'status', status: 500, path: '^/tasks/b$', times: 2 });
  await fault({ mode: 'status', status: 410, path: 'b' });
  t.is((await work('a')).status, 201);
  t.deepEqual([(await work('b')).status, (await work('b')).status, (await work('b')).status], [500, 500, 410]);
  const { faults } = (await call('GET', `${adminUrl}/faults`)).json<{
    faults: { method?: string; status: number }[];
  }>();
  t.deepEqual(
    faults.map(({ method, status }) => [method, status]),
    [
      ['PUT', 503],
      [undefined, 410],
    ],
  );
});

test('faults are taken away one by one or all at once', async (t) => {
  const { work, fault, adminUrl } = await aSimulator(t);
  const id = await fault({ mode: 'status' });
  await fault({ mode: 'status', status: 500 });
  t.is((await call('DELETE', `${adminUrl}/faults/${id}`)).status, 204);
  t.is((await call('DELETE', `${adminUrl}/faults/${id}`)).status, 404);
  t.is((await work()).status, 500);
  t.is((await call('DELETE', `${adminUrl}/faults`)).status, 204);
  t.is((await work()).status, 201);
});

for (const [what, body, words] of [
  ['an unknown mode', { mode: 'explode' }, /mode must be one of status, delay/],
  ['a delay without a time', { mode: 'delay' }, /delayMs must be/],
  ['a path that is no regular expression', { mode: 'status', path: '(' }, /path must be a regular expression/],
  ['zero times', { mode: 'status', times: 0 }, /times must be a whole number/],
  ['a list', [], /the body must be a JSON object/],
] as const)
  test(`400 for a fault with ${what}`, async (t) => {
    const { adminUrl } = await aSimulator(t);
    const answer = await call('POST', `${adminUrl}/faults`, { body });
    t.is(answer.status, 400);
    t.regex(answer.text, words);
  });

test('calls are logged oldest first, without admin calls and without the query, where secrets may stand', async (t) => {
  const { work, fault, calls, url } = await aSimulator(t);
  await work('a');
  await fault({ mode: 'status', status: 500, times: 1 });
  await work('b');
  await call('GET', `${url}/refused`);
  const logged = await calls();
  t.deepEqual(
    logged.map(({ method, path, status, fault: mode }) => [method, path, status, mode]),
    [
      ['POST', '/tasks/a', 201, null],
      ['POST', '/tasks/b', 500, 'status'],
      ['GET', '/refused', 418, null],
    ],
  );
  t.true(logged.every(({ at }) => !Number.isNaN(Date.parse(String(at)))));
  t.false(JSON.stringify(logged).includes('secret'));
  t.deepEqual(
    (await calls('?path=tasks/b$')).map(({ path }) => path),
    ['/tasks/b'],
  );
});

test('what is nowhere is 404, what is refused has code and message, and a body that is no JSON is 400', async (t) => {
  const { url, adminUrl } = await aSimulator(t);
  t.is((await call('GET', `${url}/nowhere`)).status, 404);
  t.is((await call('GET', `${adminUrl}/nowhere`)).status, 404);
  t.deepEqual((await call('GET', `${url}/refused`)).json(), { error: { code: 'Teapot', message: 'no coffee here' } });
  const headers = { 'content-type': 'application/json' };
  t.is((await fetch(`${adminUrl}/faults`, { method: 'POST', body: '{', headers })).status, 400);
});

test('a port that is taken fails with the name of the simulator and the port', async (t) => {
  const { url } = await aSimulator(t);
  const port = Number(new URL(url).port);
  const second = startSimulator({ name: 'second', port, routes: express.Router() });
  await t.throwsAsync(second, { message: `the second simulator can't start: port ${port} is taken` });
});

test('closing does not wait for a call that hangs', async (t) => {
  const simulator = await aSimulator(t);
  const { fault, work, calls } = simulator;
  await fault({ mode: 'delay', delayMs: 60_000 });
  const hanging = t.throwsAsync(work());
  await until('the call', async () => (await calls()).length > 0);
  const started = performance.now();
  await simulator.close();
  await hanging;
  t.true(performance.now() - started < 5000);
});
