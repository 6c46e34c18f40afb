import { randomUUID } from 'node:crypto';
import test from 'ava';
import { cookiesOf, signIn } from '../support/a-browser.ts';
import { isError, startApiWorld, withApiWorld, type ApiWorld, type Reply } from '../support/api-world.ts';

const byEmail = withApiWorld(test, { signIn: { loginsPerEmail: 3, registrationsPerEmail: 2 } });
const byAddress = withApiWorld(test, { signIn: { loginsPerAddress: 3 } });
const registrations = withApiWorld(test, { signIn: { registrationsPerAddress: 2 } });

const password = 'correct horse battery';
const newEmail = (): string => `${randomUUID()}@example.se`;
const attempt = (world: ApiWorld, email: string, wish: { password?: string; cookie?: string } = {}): Promise<Reply> =>
  world.call('POST', '/auth/login', {
    body: { email, password: wish.password ?? 'a wrong password' },
    headers: wish.cookie === undefined ? {} : { cookie: wish.cookie },
  });
const register = (world: ApiWorld, email: string): Promise<Reply> =>
  world.call('POST', '/auth/register', { body: { email, password, name: 'A' } });

const limited = { status: 429, code: 'RATE_LIMITED' };

// specification: login-and-register-are
test('login 429: after some attempts at one email the right password is refused too, with a time to wait', async (t) => {
  const { email } = await byEmail().account();
  for (let n = 0; n < 3; n += 1) isError(t, await attempt(byEmail(), email), { status: 401, code: 'UNAUTHORIZED' });
  const reply = await attempt(byEmail(), email.toUpperCase(), { password });
  isError(t, reply, limited);
  const seconds = Number(reply.headers.get('retry-after'));
  t.true(Number.isInteger(seconds) && seconds >= 1 && seconds <= 300, String(seconds));
  t.deepEqual(reply.headers.getSetCookie(), []);
});

// specification: unknown-email-and-wrong
test('login 429: an email without an account is limited just the same', async (t) => {
  const known = (await byEmail().account()).email;
  const unknown = newEmail();
  const run = async (email: string) => {
    const replies = [];
    for (let n = 0; n < 5; n += 1) replies.push(await attempt(byEmail(), email));
    return replies.map(({ status, text, headers }) => ({ status, text, names: [...headers.keys()].sort() }));
  };
  t.deepEqual(await run(unknown), await run(known));
});

// specification: strangers-can-t-lock
test('login: attempts that are refused do not make the wait longer', async (t) => {
  const email = newEmail();
  for (let n = 0; n < 4; n += 1) await attempt(byEmail(), email);
  for (let n = 0; n < 20; n += 1) await attempt(byEmail(), email);
  const reply = await attempt(byEmail(), email);
  isError(t, reply, limited);
  t.true(Number(reply.headers.get('retry-after')) <= 300);
});

test('login 429: attempts made at once count like those made one after the other', async (t) => {
  const email = newEmail();
  const replies = await Promise.all(Array.from({ length: 12 }, () => attempt(byEmail(), email)));
  t.is(replies.filter(({ status }) => status === 401).length, 3);
  t.is(replies.filter(({ status }) => status === 429).length, 9);
});

// specification: strangers-can-t-lock
test('login 200: strangers can not lock the owner out of a browser that has signed in before', async (t) => {
  const person = await byEmail().account();
  const { device } = await signIn(byEmail(), person);
  for (let n = 0; n < 6; n += 1) await attempt(byEmail(), person.email);
  isError(t, await attempt(byEmail(), person.email, { password }), limited);
  const owner = await attempt(byEmail(), person.email, { password, cookie: `device=${device}` });
  t.is(owner.status, 200);
  const attributes = { path: '/auth/login', samesite: 'Strict', httponly: '', 'max-age': String(180 * 86_400) };
  t.deepEqual(cookiesOf(owner)['device']?.attributes, attributes);
});

// specification: strangers-can-t-lock
test('login 429: whoever has such a browser has no more attempts than anybody else, and at no other email', async (t) => {
  const [person, victim] = [await byEmail().account(), await byEmail().account()];
  const cookie = `device=${(await signIn(byEmail(), person)).device}`;
  for (let n = 0; n < 3; n += 1) t.is((await attempt(byEmail(), person.email, { cookie })).status, 401);
  isError(t, await attempt(byEmail(), person.email, { password, cookie }), limited);
  for (let n = 0; n < 3; n += 1) t.is((await attempt(byEmail(), victim.email)).status, 401);
  isError(t, await attempt(byEmail(), victim.email, { password, cookie }), limited);
  isError(t, await attempt(byEmail(), victim.email, { password, cookie: 'device=made.up.one' }), limited);
});

// specification: login-and-register-are
test('login 429: one address that tries one email after the other, whatever it says about where it comes from', async (t) => {
  const statuses = [];
  for (let n = 0; n < 5; n += 1) {
    const headers = { 'x-forwarded-for': `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` };
    const body = { email: newEmail(), password: 'a wrong password' };
    statuses.push((await byAddress().call('POST', '/auth/login', { body, headers })).status);
  }
  t.deepEqual(statuses, [401, 401, 401, 429, 429]);
});

// specification: login-and-register-are
test('login: the limits hold over several processes', async (t) => {
  const other = await startApiWorld({ beside: byEmail(), signIn: { loginsPerEmail: 3 } });
  try {
    const email = newEmail();
    const statuses = [];
    for (const world of [byEmail(), other, byEmail(), other, byEmail()])
      statuses.push((await attempt(world, email)).status);
    t.deepEqual(statuses, [401, 401, 401, 429, 429]);
  } finally {
    await other.close();
  }
});

// specification: login-and-register-are
test('register 429: many accounts from one address', async (t) => {
  const statuses = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await register(registrations(), newEmail())).status);
  t.deepEqual(statuses, [201, 201, 429, 429]);
});

// specification: login-and-register-are
test('register 429: asking again and again whether an email has an account', async (t) => {
  const email = newEmail();
  const replies = [];
  for (let n = 0; n < 3; n += 1) replies.push(await register(byEmail(), email));
  t.deepEqual(
    replies.map(({ status }) => status),
    [201, 409, 429],
  );
  t.truthy(replies[2]?.headers.get('retry-after'));
});

test('the limits store no email and no address', async (t) => {
  const email = newEmail();
  await attempt(byEmail(), email);
  const rows = await byEmail().store.connection.collection('rate_buckets').find().toArray();
  t.true(rows.length > 0);
  t.notRegex(JSON.stringify(rows), /example\.se|127\.0\.0\.1|::1/);
});

test('login: right ones are not counted among the wrong ones of all', async (t) => {
  const calm = await startApiWorld({ signIn: { loginsPerAddress: 20, wrongLogins: 1 } });
  try {
    const person = await calm.account();
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await attempt(calm, person.email, { password })).status);
    t.deepEqual(statuses, [200, 200, 200, 200, 200, 200]);
  } finally {
    await calm.close();
  }
});
