import { once } from 'node:events';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { routes } from '../../api/routes.ts';
import { logOut, signIn, type TestSession } from '../support/a-browser.ts';
import { isError, withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';
import { Barrier } from '../support/barrier.ts';
import { consentingLogin } from '../support/consenting-login.ts';
import { writeExamples, type WriteExample } from '../support/write-examples.ts';
import { routesWith } from '../support/around-calls.ts';

/** By account: its calls wait inside of their handlers, right before they do their work. */
const barriers = new Map<string, Barrier>();

const world = withApiWorld(test, {
  sendsMail: true,
  replace: () => ({ login: consentingLogin }),
  // What an example does with a key before is not held: no barrier is set for its account then.
  routes: routesWith(async (_route, call, handle) => {
    await barriers.get(call.scope.actingAccountId)?.pass();
    return handle(call);
  }),
});

const examples: Readonly<Record<string, Pick<WriteExample, 'call'>>> = {
  ...writeExamples(world),
  'post /auth/email/verification': {
    call: ({ token }) => Promise.resolve({ path: '/auth/email/verification', token }),
  },
  'post /partner/marketplace-connection/login': {
    call: ({ token }) => Promise.resolve({ path: '/partner/marketplace-connection/login', token }),
  },
  'post /partner/subscription/checkout': {
    call: ({ token }) => Promise.resolve({ path: '/partner/subscription/checkout', token }),
  },
  // The first one makes the secret and shows it.
  'get /integration/webhook-settings': {
    call: ({ token }) => Promise.resolve({ path: '/integration/webhook-settings', token }),
  },
};

const reads = new Set(['get /integration/webhook-settings']);
for (const { method, path, credential } of routes) {
  const name = `${method} ${path}`;
  if (credential !== 'jwt' || (method === 'get' && !reads.has(name))) continue;
  test(`${name} 401: its session ends while it is in its handler; nothing is written`, async (t) => {
    const example = examples[name];
    if (example === undefined) return t.fail('a route that writes with a session needs an example');
    const { account, session } = await aSignedIn();
    const { path: calledPath, ...options } = await example.call({ ...account, token: session.token });
    const before = await storedOf(account.id);
    isEnded(
      t,
      await endedMeanwhile({ account, session }, () => world().call(method.toUpperCase(), calledPath, options)),
    );
    t.deepEqual(await storedOf(account.id), before);
  });
}

// specification: a-session-that-ends
test('GET 401: its session ends before what was read is answered', async (t) => {
  const signedIn = await aSignedIn();
  const { token } = signedIn.session;
  isEnded(t, await endedMeanwhile(signedIn, () => world().call('GET', '/integration/api-keys', { token })));
});

// specification: a-session-that-ends
test('a refusal is told only while the session is open', async (t) => {
  const signedIn = await aSignedIn();
  const { token } = signedIn.session;
  const call = () => world().call('DELETE', '/integration/api-keys/unknown', { token });
  isError(t, await call(), { status: 404, code: 'NOT_FOUND' });
  isEnded(t, await endedMeanwhile(signedIn, call));
});

for (const [kind, sent] of [
  ['well-formed', JSON.stringify({ name: 'thief' })],
  ['invalid', JSON.stringify({ name: 17 })],
] as const)
  test(`generate 401: the session ends while a body is on its way (${kind}); there is no new key`, async (t) => {
    const { account, session } = await aSignedIn();
    const before = await storedOf(account.id);
    const slow = openRequest(`${world().url}/integration/api-keys/generate`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${session.token}`,
        'content-type': 'application/json',
        'content-length': String(sent.length),
        expect: '100-continue',
      },
    });
    slow.flushHeaders();
    await once(slow, 'continue');
    slow.write(sent.slice(0, 4));
    t.is((await logOut(world(), session.refreshToken)).status, 204);
    slow.end(sent.slice(4));
    const [response] = (await once(slow, 'response')) as [IncomingMessage];
    t.is(response.statusCode, 401, await text(response));
    t.deepEqual(await storedOf(account.id), before);
  });

interface SignedIn {
  readonly account: TestAccount;
  readonly session: TestSession;
}

async function aSignedIn(): Promise<SignedIn> {
  const account = await world().account();
  return { account, session: await signIn(world(), account) };
}

async function endedMeanwhile({ account, session }: SignedIn, call: () => Promise<Reply>): Promise<Reply> {
  const barrier = new Barrier();
  barriers.set(account.id, barrier);
  const answer = call();
  await barrier.reached;
  const { status } = await logOut(world(), session.refreshToken);
  if (status !== 204) throw new Error(`logout answered ${String(status)}`);
  barrier.open();
  return answer;
}

function isEnded(t: ExecutionContext, reply: Reply): void {
  isError(t, reply, { status: 401, code: 'UNAUTHORIZED' });
  t.is(reply.body.error, 'Invalid or missing session token (Authorization: Bearer)');
}

/** Every row of the account in every collection but its sessions and what the log says of them. */
async function storedOf(account: string): Promise<object> {
  const { connection } = world().store;
  const names = (await connection.db?.listCollections().toArray())?.map(({ name }) => name) ?? [];
  const mine = { $or: [{ accountId: account }, { memberAccountId: account }, { _id: account as never }] };
  const stored: Record<string, unknown> = {};
  for (const name of names.filter((one) => one !== 'sessions' && !one.startsWith('system.')).sort()) {
    const rows = await connection.collection(name).find(mine).sort({ _id: 1 }).toArray();
    stored[name] = rows.filter(({ kind }) => kind !== 'signed_out');
  }
  return stored;
}
