import { randomUUID } from 'node:crypto';
import test from 'ava';
import { refresh, signIn } from '../support/a-browser.ts';
import { isError, withApiWorld, type CallOptions, type Reply } from '../support/api-world.ts';
import { auditSteps, ok } from '../support/audit-steps.ts';

const world = withApiWorld(test);
const limited = withApiWorld(test, { signIn: { loginsPerEmail: 3 } });
const { log } = auditSteps(world);

const newPassword = 'en helt annan lösenfras';
const me = async (token: string): Promise<number> => (await world().call('GET', '/auth/me', { token })).status;
const change = (token: string, body: object) => world().call('POST', '/auth/password', { token, body });
const sessionsOf = async (token: string): Promise<Reply['body'][]> =>
  (await ok(world().call('GET', '/auth/sessions', { token }))).body.sessions;
const logIn = async (email: string, password: string, options: CallOptions = {}): Promise<number> =>
  (await world().call('POST', '/auth/login', { body: { email, password }, ...options })).status;

// specification: change-of-password-list
test('password 204: the new one is the password, all other sessions end with their tokens, this one goes on', async (t) => {
  const person = await world().account();
  const thief = await signIn(world(), person);
  t.is((await change(person.token, { oldPassword: person.password, newPassword })).status, 204);
  t.deepEqual([await me(person.token), await me(thief.token)], [200, 401]);
  t.is((await refresh(world(), thief.refreshToken)).status, 401);
  t.is(await logIn(person.email, person.password), 401);
  t.is(await logIn(person.email, newPassword), 200);
  const { entries } = await log(person.token);
  const entry = entries.find(({ kind }: { kind: string }) => kind === 'password_changed');
  t.like(entry, { actor: { kind: 'dashboard', userId: person.id }, details: { sessionsEnded: 1 } });
});

test('password 422: a wrong old one, and a new one that breaks a rule, change nothing', async (t) => {
  const { email, token, password } = await world().account();
  const other = await signIn(world(), { email, password });
  const wrong = { oldPassword: 'not the old one', newPassword };
  const refused: [object, string][] = [[wrong, 'oldPassword']];
  for (const each of ['short', 'Password123', email, password])
    refused.push([{ oldPassword: password, newPassword: each }, 'newPassword']);
  for (const [body, field] of refused) {
    const reply = await change(token, body);
    isError(t, reply, { status: 422, code: 'VALIDATION_FAILED' });
    t.deepEqual(
      reply.body.details.map((problem: { field: string }) => problem.field),
      [field],
    );
  }
  t.deepEqual([await me(other.token), await logIn(email, password)], [200, 200]);
});

test('password 429: wrong old ones count like wrong logins, and strangers do not use up the attempts of the owner', async (t) => {
  const person = await limited().account();
  const guess = (oldPassword: string) =>
    limited().call('POST', '/auth/password', { token: person.token, body: { oldPassword, newPassword } });
  for (let n = 0; n < 4; n += 1)
    await limited().call('POST', '/auth/login', { body: { email: person.email, password: 'a guess' } });
  for (let n = 0; n < 3; n += 1) t.is((await guess('a guess')).status, 422);
  isError(t, await guess(person.password), { status: 429, code: 'RATE_LIMITED' });
});

test('password: of two changes made at once from the same old one, only one holds', async (t) => {
  const { email, token, password } = await world().account();
  const wishes = ['den första frasen', 'den andra frasen'];
  const replies = await Promise.all(wishes.map((wish) => change(token, { oldPassword: password, newPassword: wish })));
  const done = wishes.filter((_, n) => replies[n]?.status === 204);
  t.is(done.length, 1, JSON.stringify(replies.map(({ status }) => status)));
  t.is(await logIn(email, done[0] ?? ''), 200);
});

// specification: change-of-password-list
test('sessions 200: where each was opened, when it was last renewed, and which is the one that asks', async (t) => {
  const person = await world().account();
  const headers = { 'user-agent': 'Firefox on a train' };
  const { email, password } = person;
  const opened = await world().call('POST', '/auth/login', { body: { email, password }, headers });
  const list = await sessionsOf(opened.body.accessToken);
  t.is(list.length, 2);
  t.like(list[0], { isCurrent: true, address: '127.0.0.1', userAgent: 'Firefox on a train' });
  t.is(list[0].lastUsedAt, list[0].createdAt);
  t.like(list[1], { isCurrent: false, userAgent: null });
  t.deepEqual(
    (await sessionsOf(person.token)).map(({ isCurrent }) => isCurrent),
    [false, true],
  );
});

test('sessions: a renewal is told as the last use', async (t) => {
  const person = await world().account();
  const { refreshToken, token } = await signIn(world(), person);
  world().pass(1_000);
  t.is((await refresh(world(), refreshToken)).status, 200);
  const [mine] = await sessionsOf(token);
  t.true(Date.parse(mine.lastUsedAt) >= Date.parse(mine.createdAt) + 1_000);
});

test('sessions DELETE 204: one session ends at once, with its refresh token, and the others go on', async (t) => {
  const person = await world().account();
  const [left, kept] = [await signIn(world(), person), await signIn(world(), person)];
  const [, gone] = await sessionsOf(kept.token);
  const end = (id: string, token: string) => world().call('DELETE', `/auth/sessions/${id}`, { token });
  t.is((await end(gone.id, person.token)).status, 204);
  t.deepEqual([await me(left.token), await me(kept.token), await me(person.token)], [401, 200, 200]);
  t.is((await refresh(world(), left.refreshToken)).status, 401);
  const notFound = { status: 404, code: 'NOT_FOUND' };
  isError(t, await end(gone.id, person.token), notFound);
  isError(t, await end(randomUUID(), person.token), notFound);
  isError(t, await end((await sessionsOf(kept.token))[0].id, (await world().account()).token), notFound);
  t.is(await me(kept.token), 200);
});

// specification: change-of-password-list
test('sessions DELETE 204: all others end, and the log says how many', async (t) => {
  const person = await world().account();
  const others = [await signIn(world(), person), await signIn(world(), person)];
  t.is((await world().call('DELETE', '/auth/sessions', { token: person.token })).status, 204);
  for (const { token } of others) t.is(await me(token), 401);
  t.deepEqual(
    (await sessionsOf(person.token)).map(({ isCurrent }) => isCurrent),
    [true],
  );
  const { entries } = await log(person.token);
  t.like(entries[0], { kind: 'sessions_ended', details: { sessions: 2 } });
});
