import { randomUUID } from 'node:crypto';
import test from 'ava';
import { routes } from '../../api/routes.ts';
import { isError, withApiWorld, type CallOptions, type TestAccount } from '../support/api-world.ts';

const world = withApiWorld(test);
let known: Promise<TestAccount> | undefined;
/** Somebody with a session and a key. */
const somebody = (): Promise<TestAccount> => (known ??= world().account());

const keyRefused = 'Invalid or missing API key (x-api-key)';
const messages = {
  'api-key': keyRefused,
  jwt: 'Invalid or missing session token (Authorization: Bearer)',
  either: 'Invalid or missing credential, an API key (x-api-key) or a session token (Authorization: Bearer)',
};
const [missing, unknownKey] = ['the header is missing', 'no account has this key, or it was revoked'];
const noKeyHere = 'an API key does not open this path';
const [inItsHeader, noKey] = [
  'send the key in the header x-api-key, not in Authorization',
  'a session token is no API key',
];
const noForm = 'it has not the form of a key, sk_live_ or sk_test_ and 43 letters and digits';

type Credential = keyof typeof messages;
type Sent = (account: TestAccount) => CallOptions;

/** What must not open a route that asks for it, and what the answer says about it. */
const wrong: Readonly<Record<Credential, Readonly<Record<string, readonly [Sent, string]>>>> = {
  'api-key': {
    'no credential': [() => ({}), missing],
    'a session as Bearer': [({ token }) => ({ token }), 'a session token does not open this path'],
    'a session in x-api-key': [({ token }) => ({ apiKey: token }), noKey],
    'the key as Bearer': [({ apiKey }) => ({ token: apiKey }), inItsHeader],
    'the key in quotes': [({ apiKey }) => ({ apiKey: `"${apiKey}"` }), 'send it without quotes'],
    'a key that nobody has': [() => ({ apiKey: `sk_live_${'a'.repeat(43)}` }), unknownKey],
    'the key twice': [({ apiKey }) => ({ apiKey: `${apiKey}, ${apiKey}` }), noForm],
  },
  jwt: {
    'no credential': [() => ({}), missing],
    'a key in x-api-key': [({ apiKey }) => ({ apiKey }), noKeyHere],
    'a key as Bearer': [({ apiKey }) => ({ token: apiKey }), noKeyHere],
    'the session in x-api-key': [({ token }) => ({ apiKey: token }), noKeyHere],
    'the session without Bearer': [
      ({ token }) => ({ headers: { authorization: token } }),
      'the header is Authorization: Bearer, a space and the token',
    ],
    'a token that nobody has signed': [
      () => ({ token: 'a.b.c' }),
      'the token is over or wrong, or its session has ended: sign in again',
    ],
  },
  either: {
    'no credential': [() => ({}), missing],
    'a key as Bearer': [({ apiKey }) => ({ token: apiKey }), inItsHeader],
    'a session in x-api-key': [({ token }) => ({ apiKey: token }), noKey],
    'a wrong key beside a good session': [({ token }) => ({ token, apiKey: `sk_live_${'a'.repeat(43)}` }), unknownKey],
  },
};

for (const route of routes) {
  const { credential, method } = route;
  if (credential === 'none') continue;
  // specification: a-key-is-refused, jwt-only-an-api, a-session-only-no, an-api-key-opens
  test(`${method.toUpperCase()} ${route.path} 401: ${Object.keys(wrong[credential]).join('; ')}; a credential in the address`, async (t) => {
    const path = route.path.replaceAll(/\{\w+\}/g, randomUUID());
    const account = await somebody();
    const { apiKey, token } = account;
    const asked = `${path}?x-api-key=${apiKey}&api_key=${apiKey}&apiKey=${apiKey}&access_token=${token}&authorization=Bearer%20${token}`;
    const inTheAddress: readonly [Sent, string] = [() => ({}), missing];
    for (const [name, [sent, advice]] of Object.entries({ ...wrong[credential], 'in the address': inTheAddress })) {
      const from = name === 'in the address' ? asked : path;
      const reply = await world().call(method.toUpperCase(), from, sent(account));
      isError(t, reply, { status: 401, code: 'UNAUTHORIZED' });
      t.is(reply.body.error, `${messages[credential]}: ${advice}`, name);
    }
  });
}

// specification: 401-in-the-same
test('an unknown and a revoked key are refused in the same words, and other words depend on what was sent alone', async (t) => {
  const { token, apiKey } = await world().account();
  const [{ id }] = (await world().call('GET', '/integration/api-keys', { token })).body.keys;
  await world().call('DELETE', `/integration/api-keys/${id}`, { token });
  const told = async (key: string | undefined): Promise<string> => {
    const reply = await world().call('GET', '/integration/v1/items', { apiKey: key });
    isError(t, reply, { status: 401, code: 'UNAUTHORIZED' });
    return reply.body.error;
  };
  for (const key of [`sk_live_${'b'.repeat(43)}`, apiKey]) t.is(await told(key), `${keyRefused}: ${unknownKey}`);
  for (const key of [undefined, '']) t.is(await told(key), `${keyRefused}: ${missing}`);
  for (const key of ['x', 'sk_live_short', apiKey.toUpperCase()]) t.is(await told(key), `${keyRefused}: ${noForm}`);
});
