import test from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { isError, withApiWorld } from '../support/api-world.ts';
import { routesWith } from '../support/around-calls.ts';

// What becomes of a call whose process dies, or takes very long. One after the other, because they move the clock.

const url = 'https://erp.example.se/hooks';
const headers = { 'idempotency-key': 'the-one' };
const minuteMs = 60_000;

const create = (token: string, body: object = { url }) =>
  world().call('POST', '/integration/webhooks', { token, body, headers });
const list = async (token: string) => (await world().call('GET', '/integration/webhooks', { token })).body.webhooks;
const generate = (token: string) => world().call('POST', '/integration/api-keys/generate', { token, headers });
const keys = async (token: string) => (await world().call('GET', '/integration/api-keys', { token })).body.keys;

/** Stops calls after they have done their work, as a process that dies there would, until they are let go on. */
const gate = createGate();
/** What the next calls that create a webhook throw after they have done their work. */
const failures: Error[] = [];
const gated = new Set(['post /integration/webhooks', 'post /integration/api-keys/generate', 'post /p/{slug}/connect']);
const world = withApiWorld(test, {
  routes: routesWith((route, call, handle) => {
    if (!gated.has(route)) return handle(call);
    return gate.after(route === 'post /integration/webhooks' ? thenFailing(handle) : handle)(call);
  }),
});

function createGate() {
  let arrived: (() => void) | undefined;
  let letGo = (): void => undefined;
  return {
    /** The next call is held; resolves when it is. */
    holdNext: (): Promise<void> => new Promise((resolve) => (arrived = resolve)),
    letGo: (): void => letGo(),
    after:
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        const result = await work(...args);
        const say = arrived;
        arrived = undefined;
        if (say === undefined) return result;
        return new Promise((resolve) => {
          letGo = () => resolve(result);
          say();
        });
      },
  };
}

const thenFailing =
  <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    const result = await work(...args);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return result;
  };

// specification: still-running-409-request
test.serial('while the first call runs: 409 with Retry-After; afterwards its answer', async (t) => {
  const { token } = await world().account();
  const atWork = gate.holdNext();
  const first = create(token);
  await atWork;
  const second = await create(token);
  isError(t, second, { status: 409, code: 'REQUEST_IN_PROGRESS' });
  const retryAfter = async (): Promise<number> => Number((await create(token)).headers.get('retry-after'));
  t.true([1, 2, 3].includes(Number(second.headers.get('retry-after'))));
  isError(t, await create(token, { url: `${url}/other` }), { status: 422, code: 'VALIDATION_FAILED' });
  world().pass(20_000);
  t.true([20, 21, 22, 23].includes(await retryAfter()), 'as long as it has been running');
  world().pass(35_000);
  t.true([2, 3, 4, 5].includes(await retryAfter()), 'at most until it may be taken over');
  gate.letGo();
  const { status, text } = await first;
  t.is(status, 201);
  t.is((await create(token)).text, text);
});

// specification: a-dead-call-is
test.serial(
  'a call that died after it had created is completed after a minute: the same endpoint, its secret in full',
  async (t) => {
    const { token } = await world().account();
    const died = gate.holdNext();
    const first = create(token);
    await died;
    const [created] = await list(token);
    world().pass(minuteMs + 1);
    const second = await create(token);
    t.is(second.status, 201, second.text);
    t.is(second.headers.get('idempotency-replayed'), null);
    t.is(second.body.id, created.id);
    t.regex(second.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    t.is(second.body.secret.slice(-4), created.secretHint.slice(-4));
    t.is((await list(token)).length, 1);
    // It was only slow: what the other one has answered is answered here too.
    gate.letGo();
    const late = await first;
    t.is(late.text, second.text);
    t.is(late.headers.get('idempotency-replayed'), 'true');
  },
);

test.serial('a completed call needs no room of its own among 20 endpoints', async (t) => {
  const { token } = await world().account();
  for (let n = 0; n < 19; n += 1) await world().call('POST', '/integration/webhooks', { token, body: { url } });
  const died = gate.holdNext();
  const first = create(token);
  await died;
  world().pass(minuteMs + 1);
  t.is((await create(token)).status, 201);
  t.is((await list(token)).length, 20);
  gate.letGo();
  await first;
});

// specification: a-dead-call-is
test.serial('an API key whose call died is made anew under the same id: one key, and it opens', async (t) => {
  const { token } = await world().account();
  const died = gate.holdNext();
  const first = generate(token);
  await died;
  const [created] = await keys(token);
  world().pass(minuteMs + 1);
  const second = await generate(token);
  t.is(second.status, 200);
  gate.letGo();
  const late = await first;
  t.is(late.text, second.text);
  t.is((await keys(token)).length, 2);
  t.is((await keys(token))[0].id, created.id);
  const log = (await world().call('GET', '/partner/audit-log?kind=api_key_generated', { token })).body.entries;
  const told = log.filter(({ details }: { details: { keyId: string } }) => details.keyId === created.id);
  t.is(told.length, 2);
  t.is(told[0].details.prefix, second.body.apiKey.slice(0, 14));
  t.true(told[0].message.includes(created.prefix), 'and which one nobody got');
  t.true(second.body.apiKey.startsWith((await keys(token))[0].prefix));
  t.is((await world().call('GET', '/integration/v1/items', { apiKey: second.body.apiKey })).status, 200);
});

test.serial('an API key that was revoked before its call could be completed: 409, and no second one', async (t) => {
  const { token } = await world().account();
  const died = gate.holdNext();
  const first = generate(token);
  await died;
  await world().call('DELETE', `/integration/api-keys/${(await keys(token))[0].id}`, { token });
  world().pass(minuteMs + 1);
  for (const _ of [1, 2]) isError(t, await generate(token), { status: 409, code: 'CONFLICT' });
  t.is((await keys(token)).length, 1);
  gate.letGo();
  await first;
});

// specification: a-dead-call-is
test.serial('a join that could not be answered is answered as a join: 201', async (t) => {
  const reseller = await world().reseller();
  const { token, id } = await world().account();
  const connect = () => world().call('POST', `/p/${reseller.slug}/connect`, { token, headers });
  const died = gate.holdNext();
  const first = connect();
  await died;
  world().pass(minuteMs + 1);
  const second = await connect();
  t.is(second.status, 201);
  t.is(second.body.membership.memberUserId, id);
  t.is((await world().call('POST', `/p/${reseller.slug}/connect`, { token })).status, 200);
  gate.letGo();
  await first;
});

// specification: a-dead-call-is
test.serial('after a 500 the next call goes on at once, with the id of the first', async (t) => {
  const { token } = await world().account();
  failures.push(new Error('the connection broke after the write'));
  isError(t, await create(token), { status: 500, code: 'INTERNAL' });
  const [created] = await list(token);
  isError(t, await create(token, { url: `${url}/other` }), { status: 422, code: 'VALIDATION_FAILED' });
  const second = await create(token);
  t.is(second.status, 201);
  t.is(second.body.id, created.id);
  t.is((await list(token)).length, 1);
});

test.serial('a refusal of a later attempt keeps the reserved id: nobody knows what the first one did', async (t) => {
  const { token } = await world().account();
  failures.push(new Error('nobody knows how far it came'), new Refusal('CONFLICT', 'not now'));
  t.is((await create(token)).status, 500);
  t.is((await create(token)).status, 409);
  t.is((await create(token)).status, 201);
  t.is((await list(token)).length, 1);
});
