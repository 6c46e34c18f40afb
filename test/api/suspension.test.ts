import test, { type ExecutionContext } from 'ava';
import { setSuspension } from '../../features/accounts/administer-account.ts';
import { refresh, signIn } from '../support/a-browser.ts';
import { isError, withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';
import { anItemBody, auditSteps } from '../support/audit-steps.ts';
import { Barrier } from '../support/barrier.ts';
import { routesWith } from '../support/around-calls.ts';

/** By the account whose writes are held. */
const barriers = new Map<string, Barrier>();
const held = new Set(['put /integration/v1/items/{external_id}', 'post /integration/api-keys/generate']);

const world = withApiWorld(test, {
  routes: routesWith(async (route, call, handle) => {
    if (held.has(route)) await barriers.get(call.scope.actingAccountId)?.pass();
    return handle(call);
  }),
});
const { log } = auditSteps(world);

const suspend = ({ email }: TestAccount, reason?: string) =>
  setSuspension({ store: world().store, now: world().now }, { email, isSuspended: true, reason });
const resume = ({ email }: TestAccount) =>
  setSuspension({ store: world().store, now: world().now }, { email, isSuspended: false });
const put = ({ apiKey }: Pick<TestAccount, 'apiKey'>, reference?: string): Promise<Reply> => {
  const headers = reference === undefined ? {} : { 'x-partner-account': reference };
  return world().call('PUT', '/integration/v1/items/a', { apiKey, headers, body: anItemBody });
};
const read = ({ apiKey }: Pick<TestAccount, 'apiKey'>): Promise<Reply> =>
  world().call('GET', '/integration/v1/items', { apiKey });
const me = (token: string): Promise<Reply> => world().call('GET', '/auth/me', { token });
const logIn = ({ email }: TestAccount, password: string): Promise<Reply> =>
  world().call('POST', '/auth/login', { body: { email, password } });

function isSuspended(t: ExecutionContext, reply: Reply): void {
  isError(t, reply, { status: 403, code: 'ACCOUNT_SUSPENDED' });
  t.regex(reply.body.error, /suspended/);
}

// specification: account-suspended-403, a-suspended-account-is
test('403: keys and sessions of a suspended account are refused at once, and it says why; resumed, its keys count again', async (t) => {
  const person = await world().account();
  const open = await signIn(world(), person);
  t.is((await put(person)).status, 202);
  t.like(await suspend(person, 'spam'), { accountId: person.id, hasChanged: true });
  t.like(await suspend(person), { hasChanged: false });
  const { apiKey, token } = person;
  isSuspended(t, await put(person));
  isSuspended(t, await read(person));
  isSuspended(t, await me(token));
  isSuspended(t, await world().call('GET', '/integration/events', { apiKey }));
  isSuspended(t, await world().call('GET', '/integration/events', { token }));
  isSuspended(t, await logIn(person, person.password));
  isError(t, await logIn(person, 'a wrong password'), { status: 401, code: 'UNAUTHORIZED' });
  t.is((await refresh(world(), open.refreshToken)).status, 401);

  t.like(await resume(person), { hasChanged: true });
  t.is((await read(person)).status, 200);
  isError(t, await me(token), { status: 401, code: 'UNAUTHORIZED' });
  const again = await logIn(person, person.password);
  const { entries } = await log(again.body.accessToken);
  t.like(
    entries.filter(({ kind }: { kind: string }) => kind.startsWith('account_')),
    [
      { kind: 'account_resumed', actor: { kind: 'operator' } },
      { kind: 'account_suspended', details: { reason: 'spam', sessionsEnded: 2 } },
    ],
  );
});

// specification: a-suspended-account-is
test('403: writes of a key that are in flight when its account is suspended have no effect', async (t) => {
  const person = await world().account();
  const answer = await suspendedMeanwhile(person, () => put(person));
  isSuspended(t, answer);
  await resume(person);
  t.is((await world().call('GET', '/integration/v1/items/a', { apiKey: person.apiKey })).status, 404);
});

test('403: a key that a session was generating when its account was suspended is not made', async (t) => {
  const person = await world().account();
  const generate = () => world().call('POST', '/integration/api-keys/generate', { token: person.token });
  isSuspended(t, await suspendedMeanwhile(person, generate));
  const keys = world().store.connection.collection<{ accountId: string }>('api_keys');
  t.is(await keys.countDocuments({ accountId: person.id }), 1);
});

test('a suspended reseller acts for no member any more; its members go on with their own keys', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  t.is((await put(reseller, member.reference)).status, 202);
  await suspend(reseller);
  isSuspended(t, await put(reseller, member.reference));
  t.is((await put(member)).status, 202);
});

test('a suspended member is refused, and its reseller goes on acting for it', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  await suspend(member);
  isSuspended(t, await put(member));
  t.is((await put(reseller, member.reference)).status, 202);
});

async function suspendedMeanwhile(person: TestAccount, call: () => Promise<Reply>): Promise<Reply> {
  const barrier = new Barrier();
  barriers.set(person.id, barrier);
  const answer = call();
  await barrier.reached;
  await suspend(person);
  barrier.open();
  return answer;
}
