import test from 'ava';
import { randomUUID } from 'node:crypto';
import { isError, withApiWorld } from '../support/api-world.ts';

const world = withApiWorld(test);
const password = 'en lång lösenfras';
const register = (body: object) => world().call('POST', '/auth/register', { body });
const logIn = (body: object) => world().call('POST', '/auth/login', { body });

test('register 201: an account and a session that works', async (t) => {
  const email = `${randomUUID()}@Example.SE`;
  const reply = await register({ email, password, name: 'Lager AB' });
  t.is(reply.status, 201);
  t.like(reply.body.account, { email: email.toLowerCase(), name: 'Lager AB' });
  const me = await world().call('GET', '/auth/me', { token: reply.body.accessToken });
  t.deepEqual(me.body, reply.body.account);
});

test('register 409: the email has an account, in whatever case', async (t) => {
  const email = `${randomUUID()}@example.se`;
  await register({ email, password, name: 'A' });
  isError(t, await register({ email: email.toUpperCase(), password, name: 'B' }), { status: 409, code: 'CONFLICT' });
});

test('register 422: each field that is wrong', async (t) => {
  const reply = await register({ email: 1, password: 'short', name: ' ' });
  isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
  t.deepEqual(reply.body.details.map((problem: { field: string }) => problem.field).sort(), [
    'email',
    'name',
    'password',
  ]);
  isError(t, await register({ email: 'nobody', password, name: 'A' }), { status: 422, code: 'VALIDATION_FAILED' });
});

test('login 200: token and account, never from a cache', async (t) => {
  const { email, id } = await world().account('Lager AB');
  const reply = await logIn({ email, password: 'correct horse battery' });
  t.is(reply.status, 200);
  t.deepEqual(reply.body.account, { id, email, name: 'Lager AB' });
  t.deepEqual(Object.keys(reply.body).sort(), ['accessToken', 'account']);
  t.is(reply.headers.get('cache-control'), 'no-store');
});

test('login 401: a wrong password and an unknown email get the same answer', async (t) => {
  const { email } = await world().account();
  const wrong = await logIn({ email, password: 'something else' });
  const unknown = await logIn({ email: `${randomUUID()}@example.se`, password: 'something else' });
  isError(t, wrong, { status: 401, code: 'UNAUTHORIZED' });
  t.is(unknown.text, wrong.text);
});

test('me 401: no token, a broken one, and an API key in its place', async (t) => {
  const { token, apiKey } = await world().account();
  const me = (options: object) => world().call('GET', '/auth/me', options);
  for (const options of [{}, { token: `${token}x` }, { token: apiKey }, { apiKey }]) {
    isError(t, await me(options), { status: 401, code: 'UNAUTHORIZED' });
  }
});

test('login 200: the token is good for 15 minutes', async (t) => {
  const { email, password } = await world().account();
  const [, claims = ''] = (await logIn({ email, password })).body.accessToken.split('.');
  const { iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number; exp: number };
  t.is(exp - iat, 15 * 60);
});
