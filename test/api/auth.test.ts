import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import test from 'ava';
import { cookiesOf, logOut, refresh, refreshTokenOf } from '../support/a-browser.ts';
import { isError, withApiWorld } from '../support/api-world.ts';
import { otherWaysToWrite } from '../support/other-ways-to-write.ts';

const world = withApiWorld(test, { registers: true });
const password = 'en lång lösenfras';
const register = (body: object) => world().call('POST', '/auth/register', { body });
const logIn = ({ email, password }: { email: string; password: string }) =>
  world().call('POST', '/auth/login', { body: { email, password } });

// specification: register-login-me
test('register 201: an account and a session that works', async (t) => {
  const email = `${randomUUID()}@Example.SE`;
  const reply = await register({ email, password, name: 'Lager AB' });
  t.is(reply.status, 201);
  t.like(reply.body.account, { email: email.toLowerCase(), name: 'Lager AB' });
  const me = await world().call('GET', '/auth/me', { token: reply.body.accessToken });
  t.deepEqual(me.body, {
    ...reply.body.account,
    emailConfirmed: false,
    isOperator: false,
    reseller: null,
    memberOf: null,
    hasMarketplaceLogin: false,
  });
});

// specification: register-login-me
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

// A mail program cleans these: they would reach one mailbox, each with mails of its own an hour.
test('register, forgotten password 422: other ways to write a mailbox', async (t) => {
  for (const email of otherWaysToWrite(`${randomUUID()}@example.se`)) {
    isError(t, await register({ email, password, name: 'A' }), { status: 422, code: 'VALIDATION_FAILED' });
    const asked = await world().call('POST', '/auth/password/forgotten', { body: { email } });
    isError(t, asked, { status: 422, code: 'VALIDATION_FAILED' });
  }
  for (const email of [`å.o'neil+x_${randomUUID()}@räksmörgås.example.se`, `a!#$%&*/=?^\`{|}~-${randomUUID()}@x-1.se`])
    t.is((await register({ email, password, name: 'A' })).status, 201, email);
});

// specification: a-new-password-is
test('register 422: common passwords, the own address, blank and invisible ones, and those of nine characters', async (t) => {
  const local = `lagret-${randomUUID()}`;
  const email = `${local}@example.se`;
  const common = ['1234567890', 'qwertyuiop', 'Password123', 'aaaaaaaaaa', '１２３４５６７８９０', ' qwertyuiop '];
  const adorned = ['Password123!', '!!Password123!!', 'P@$$w0rd123', '"qwertyuiop".'];
  const own = [email, email.toUpperCase(), local, 'example.se'.padEnd(10)];
  const unseen = [
    ' '.repeat(12),
    '\u200b'.repeat(12),
    `ettord${'\u200b'.repeat(6)}`,
    `ettord${' '.repeat(6)}`,
    'nio tecke',
  ];
  for (const refused of [...common, ...adorned, ...own, ...unseen]) {
    const reply = await register({ email, password: refused, name: 'A' });
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.deepEqual(
      reply.body.details.map(({ field }: { field: string }) => field),
      ['password'],
      JSON.stringify(refused),
    );
  }
  t.is((await register({ email, password: 'tio tecken', name: 'A' })).status, 201);
});

test('login 200: a password that was taken before there were rules still is one', async (t) => {
  const person = await world().account();
  const accounts = world().store.connection.collection<{ _id: string }>('accounts');
  await accounts.updateOne({ _id: person.id }, { $set: { passwordHash: await hash('12345678') } });
  t.is((await logIn({ email: person.email, password: '12345678' })).status, 200);
});

// specification: register-login-me
test('login 200: token and account, never from a cache', async (t) => {
  const { email, id } = await world().account('Lager AB');
  const reply = await logIn({ email, password: 'correct horse battery' });
  t.is(reply.status, 200);
  t.deepEqual(reply.body.account, { id, email, name: 'Lager AB' });
  t.deepEqual(Object.keys(reply.body).sort(), ['accessToken', 'account']);
  t.is(reply.headers.get('cache-control'), 'no-store');
});

// specification: unknown-email-and-wrong
test('login 401: a wrong password and an unknown email get the same status, body and headers', async (t) => {
  const { email } = await world().account();
  const wrong = await logIn({ email, password: 'something else' });
  const unknown = await logIn({ email: `${randomUUID()}@example.se`, password: 'something else' });
  isError(t, wrong, { status: 401, code: 'UNAUTHORIZED' });
  t.is(unknown.text, wrong.text);
  const differs = ['x-request-id', 'date', 'ratelimit'];
  const headersOf = ({ headers }: typeof wrong) => [...headers].filter(([name]) => !differs.includes(name));
  t.deepEqual(headersOf(unknown), headersOf(wrong));
});

test('login 422: a password longer than any that can be registered costs no work', async (t) => {
  const { email } = await world().account();
  isError(t, await logIn({ email, password: 'x'.repeat(129) }), { status: 422, code: 'VALIDATION_FAILED' });
});

// specification: passwords-are-hashed-with
test('login 200: a password stored with less work is stored anew with as much as today, and still is the password', async (t) => {
  const person = await world().account();
  const accounts = world().store.connection.collection<{ _id: string; passwordHash: string }>('accounts');
  const weak = await hash(person.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
  await accounts.updateOne({ _id: person.id }, { $set: { passwordHash: weak } });
  t.is((await logIn({ email: person.email, password: 'a wrong one' })).status, 401);
  t.is((await accounts.findOne({ _id: person.id }))?.passwordHash, weak);
  t.is((await logIn(person)).status, 200);
  const stored = (await accounts.findOne({ _id: person.id }))?.passwordHash ?? '';
  t.regex(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  t.is((await logIn(person)).status, 200);
  t.is((await accounts.findOne({ _id: person.id }))?.passwordHash, stored);
});

// specification: refresh-token-opaque-stored
test('passwords and tokens are in no log line, no error body and nowhere in the database', async (t) => {
  const email = `${randomUUID()}@example.se`;
  const secret = `hemlig-${randomUUID()}`;
  const headers = { 'idempotency-key': randomUUID() };
  const opened = await world().call('POST', '/auth/register', {
    body: { email, password: secret, name: 'A' },
    headers,
  });
  const again = await register({ email, password: secret, name: 'A' });
  const short = await register({ email: `x${email}`, password: 'hemlig', name: 'A' });
  const wrong = await logIn({ email, password: `${secret}x` });
  const renewed = await refresh(world(), refreshTokenOf(opened));
  const refused = await refresh(world(), `${refreshTokenOf(opened)}x`);
  const ended = await logOut(world(), refreshTokenOf(renewed));
  t.deepEqual(
    [opened, renewed, ended].map(({ status }) => status),
    [201, 200, 204],
  );
  const tokens = [opened, renewed].flatMap((reply) => [reply.body.accessToken, ...refreshTokenOf(reply).split('.')]);
  const secrets: string[] = [secret, ...tokens, cookiesOf(opened)['device']?.value ?? '?'];
  const collections = (await world().store.connection.db?.collections()) ?? [];
  const rows = await Promise.all(collections.map((collection) => collection.find().toArray()));
  const places = {
    log: JSON.stringify(world().logLines),
    answers: [again, short, wrong, refused].map(({ text }) => text).join('\n'),
    database: JSON.stringify(rows),
  };
  t.true(places.log.includes('/auth/register') && places.database.includes(email));
  for (const [place, text] of Object.entries(places))
    for (const [index, each] of secrets.entries()) t.false(text.includes(each), `secret ${index} is in the ${place}`);
});

test('the log of the account says when it was registered, signed in to and out of, and from which address', async (t) => {
  const person = await world().account();
  await logOut(world(), refreshTokenOf(await logIn(person)));
  const rows = await world().store.connection.collection('audit').find({ accountId: person.id }).toArray();
  const entries = rows.filter(({ kind }) => /sign|account/.test(String(kind)));
  t.deepEqual(entries.map(({ kind }) => String(kind)).sort(), [
    'account_registered',
    'signed_in',
    'signed_in',
    'signed_out',
  ]);
  for (const { actor } of entries) t.like(actor, { kind: 'dashboard', accountId: person.id });
  for (const { kind, details } of entries) if (kind === 'signed_in') t.like(details, { address: '127.0.0.1' });
});

// specification: register-login-me
test('me 401: no token, a broken one, and an API key in its place', async (t) => {
  const { token, apiKey } = await world().account();
  const me = (options: object) => world().call('GET', '/auth/me', options);
  for (const options of [{}, { token: `${token}x` }, { token: apiKey }, { apiKey }]) {
    isError(t, await me(options), { status: 401, code: 'UNAUTHORIZED' });
  }
});
