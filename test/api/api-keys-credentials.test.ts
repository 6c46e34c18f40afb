import { randomUUID } from 'node:crypto';
import test from 'ava';
import { routes } from '../../api/routes.ts';
import { isError, withApiWorld, type CallOptions, type TestAccount } from '../support/api-world.ts';

const world = withApiWorld(test);
let known: Promise<TestAccount> | undefined;
/** Somebody with a session and a key. */
const somebody = (): Promise<TestAccount> => (known ??= world().account());

const keyRefused = 'Invalid or missing API key (x-api-key)';
const sessionRefused = 'Invalid or missing session token (Authorization: Bearer)';
const eitherRefused =
  'Invalid or missing credential: an API key (x-api-key) or a session token (Authorization: Bearer)';
const messages = { 'api-key': keyRefused, jwt: sessionRefused, either: eitherRefused };

type Credential = keyof typeof messages;
type Sent = (account: TestAccount) => CallOptions;

/** What must not open a route that asks for it. */
const wrong: Readonly<Record<Credential, Readonly<Record<string, Sent>>>> = {
  'api-key': {
    'no credential': () => ({}),
    'a session as Bearer': ({ token }) => ({ token }),
    'a session in x-api-key': ({ token }) => ({ apiKey: token }),
    'the key as Bearer': ({ apiKey }) => ({ token: apiKey }),
    'a key that nobody has': () => ({ apiKey: `sk_live_${'a'.repeat(43)}` }),
    'the key twice': ({ apiKey }) => ({ apiKey: `${apiKey}, ${apiKey}` }),
  },
  jwt: {
    'no credential': () => ({}),
    'a key in x-api-key': ({ apiKey }) => ({ apiKey }),
    'a key as Bearer': ({ apiKey }) => ({ token: apiKey }),
    'the session in x-api-key': ({ token }) => ({ apiKey: token }),
    'the session without Bearer': ({ token }) => ({ headers: { authorization: token } }),
  },
  either: {
    'no credential': () => ({}),
    'a key as Bearer': ({ apiKey }) => ({ token: apiKey }),
    'a session in x-api-key': ({ token }) => ({ apiKey: token }),
    'a wrong key beside a good session': ({ token }) => ({ token, apiKey: `sk_live_${'a'.repeat(43)}` }),
  },
};

for (const route of routes) {
  const { credential, method } = route;
  if (credential === 'none') continue;
  // specification: a-key-is-refused
  test(`${method.toUpperCase()} ${route.path} 401: ${Object.keys(wrong[credential]).join('; ')}; a credential in the address`, async (t) => {
    const path = route.path.replaceAll(/\{\w+\}/g, randomUUID());
    const account = await somebody();
    const { apiKey, token } = account;
    const asked = `${path}?x-api-key=${apiKey}&api_key=${apiKey}&apiKey=${apiKey}&access_token=${token}&authorization=Bearer%20${token}`;
    for (const [name, sent] of Object.entries({ ...wrong[credential], 'in the address': () => ({}) })) {
      const from = name === 'in the address' ? asked : path;
      const reply = await world().call(method.toUpperCase(), from, (sent as Sent)(account));
      isError(t, reply, { status: 401, code: 'UNAUTHORIZED' });
      t.is(reply.body.error, messages[credential], name);
    }
  });
}

// specification: 401-in-the-same
test('a key is refused in the same words whether it is missing, malformed, unknown or revoked', async (t) => {
  const { token, apiKey } = await world().account();
  const [{ id }] = (await world().call('GET', '/integration/api-keys', { token })).body.keys;
  await world().call('DELETE', `/integration/api-keys/${id}`, { token });
  const keys = [undefined, '', 'x', 'sk_live_short', `sk_live_${'b'.repeat(43)}`, apiKey, apiKey.toUpperCase()];
  const answers = new Set<string>();
  for (const key of keys) {
    const reply = await world().call('GET', '/integration/v1/items', { apiKey: key });
    answers.add(`${reply.status} ${reply.text}`);
  }
  t.deepEqual([...answers], [`401 ${JSON.stringify({ error: keyRefused, code: 'UNAUTHORIZED', statusCode: 401 })}`]);
});
