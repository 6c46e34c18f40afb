import { randomUUID } from 'node:crypto';
import test from 'ava';
import { MailNotSent } from '../../gateways/mail/port.ts';
import { startApiWorld, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { sendDueMails, tokenIn } from '../support/sent-mails.ts';

const world = withApiWorld(test, { sendsMail: true });
const newPassword = 'en helt annan lösenfras';

const forgot = (email: string, language?: string) =>
  world().call('POST', '/auth/password/forgotten', { body: { email, ...(language && { language }) } });
const reset = (token: string, password = newPassword) =>
  world().call('POST', '/auth/password/reset', { body: { token, newPassword: password } });
const logIn = async ({ email }: TestAccount, password: string) =>
  (await world().call('POST', '/auth/login', { body: { email, password } })).status;
/** Other tests of the file have mails that are due, too. */
const mailTo = async (address: string) => (await sendDueMails(world())).findLast(({ to }) => to === address);

/** The token of a link to a new password; what else is due is sent before. */
async function askedToken(email: string): Promise<string> {
  await sendDueMails(world());
  await forgot(email);
  return tokenIn(await mailTo(email));
}

test.serial('a link to a new password works once, ends all sessions, and proves the address', async (t) => {
  const person = await world().account();
  await sendDueMails(world());
  t.is((await forgot(person.email.toUpperCase())).status, 202);
  const mail = await mailTo(person.email);
  t.regex(mail?.text ?? '', /http:\/\/api\.test\/dashboard\/reset-password#token=/);
  const token = tokenIn(mail);
  t.is((await reset(token)).status, 200);
  t.is((await world().call('GET', '/auth/me', { token: person.token })).status, 401);
  t.deepEqual([await logIn(person, person.password), await logIn(person, newPassword)], [401, 200]);
  const again = await reset(token);
  t.is(again.status, 422);
  t.is(again.body.details[0].field, 'token');
  const { body } = await world().call('POST', '/auth/login', { body: { email: person.email, password: newPassword } });
  t.true((await world().call('GET', '/auth/me', { token: body.accessToken })).body.emailConfirmed);
  t.is((await mailTo(person.email))?.subject, 'Ditt lösenord har bytts');
  const log = await world().call('GET', '/partner/audit-log?kind=password_reset', { token: body.accessToken });
  t.like(log.body.entries[0], { kind: 'password_reset', details: { sessionsEnded: 1 } });
});

test.serial('an address without an account is answered the same and gets no mail; no row keeps it', async (t) => {
  const { email } = await world().account();
  const unknown = `${randomUUID()}@example.se`;
  const [known, other] = [await forgot(email, 'en'), await forgot(unknown, 'en')];
  t.deepEqual([known.status, known.text, other.status, other.text], [202, '', 202, '']);
  const sent = await sendDueMails(world());
  t.true(sent.some(({ to, subject }) => to === email && subject === 'Choose a new password'));
  t.false(sent.some(({ to }) => to === unknown));
  const rows = await world().store.connection.collection('mails').find().toArray();
  t.false(JSON.stringify(rows).includes(unknown));
});

test.serial('a link is dead after an hour, after a change of the password, and for another purpose', async (t) => {
  const person = await world().account();
  const confirming = tokenIn(await mailTo(person.email));
  t.is((await reset(confirming)).status, 422);
  const early = await askedToken(person.email);
  const body = { oldPassword: person.password, newPassword };
  t.is((await world().call('POST', '/auth/password', { token: person.token, body })).status, 204);
  t.is((await reset(early, 'ett tredje långt lösenord')).status, 422);
  const late = await askedToken(person.email);
  world().pass(3_600_001);
  t.is((await reset(late, 'ett tredje långt lösenord')).status, 422);
  t.is(await logIn(person, newPassword), 200);
});

test.serial('of two calls with one link, one sets the password', async (t) => {
  const person = await world().account();
  const token = await askedToken(person.email);
  const passwords = ['ett nytt långt lösenord', 'ett annat långt lösenord'];
  const statuses = (await Promise.all(passwords.map((password) => reset(token, password)))).map(({ status }) => status);
  t.deepEqual(statuses.toSorted(), [200, 422]);
  t.is(await logIn(person, passwords[statuses.indexOf(200)] ?? ''), 200);
});

test.serial('a bad new password leaves the link as it was', async (t) => {
  const person = await world().account();
  const token = await askedToken(person.email);
  const bad = await reset(token, 'kort');
  t.is(bad.body.details[0].field, 'newPassword');
  t.is((await reset(token)).status, 200);
});

test.serial(
  'what the mail server postpones is sent later, what it refuses is not, and no token is stored',
  async (t) => {
    const { email } = await world().account();
    await sendDueMails(world());
    await forgot(email);
    const failing = (problem: 'postponed' | 'refused') => ({
      send: () => Promise.reject(new MailNotSent(problem, problem)),
    });
    t.deepEqual(await sendDueMails(world(), failing('postponed')), []);
    t.deepEqual(await sendDueMails(world()), [], 'not at once');
    world().pass(5_000);
    const token = tokenIn(await mailTo(email));
    const stored = await Promise.all(
      ['mails', 'mail_links', 'audit'].map((name) => world().store.connection.collection(name).find().toArray()),
    );
    t.false(JSON.stringify([stored, world().logLines]).includes(token));
    await forgot(email);
    await sendDueMails(world(), failing('refused'));
    world().pass(700_000);
    t.is(await mailTo(email), undefined);
  },
);

test('one address gets five mails an hour, whether it has an account or not', async (t) => {
  const few = await startApiWorld({ sendsMail: true, signIn: { mailsPerEmail: 5 } });
  t.teardown(() => few.close());
  const { email } = await few.account();
  for (const address of [email, `${randomUUID()}@example.se`]) {
    const ask = () => few.call('POST', '/auth/password/forgotten', { body: { email: address } });
    for (let n = 0; n < 5; n += 1) t.is((await ask()).status, 202);
    t.is((await ask()).status, 429);
    const tagged = email.replace('@', '+more@');
    const another = await few.call('POST', '/auth/password/forgotten', { body: { email: tagged } });
    t.is(another.status, 429, 'what follows a + reaches the same mailbox');
  }
  // Letters beyond ASCII in a domain are sent as `xn--…`, and signs without a meaning there are left out.
  const local = randomUUID();
  const ways = ['bås.example.se', 'xn--bs-yia.example.se', 'b\u{FE00}ås.example.se'];
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const body = { email: `${local}@${ways[n % 3] ?? ''}` };
    statuses.push((await few.call('POST', '/auth/password/forgotten', { body })).status);
  }
  t.deepEqual(statuses, [202, 202, 202, 202, 202, 429]);
});

test('without a mail server it says so, and registering works as ever', async (t) => {
  const silent = await startApiWorld();
  t.teardown(() => silent.close());
  const { email, token } = await silent.account();
  const asked = await silent.call('POST', '/auth/password/forgotten', { body: { email } });
  t.is(asked.status, 503);
  t.regex(asked.body.error, /no mail server is configured/);
  t.is((await silent.call('POST', '/auth/email/verification', { token })).status, 503);
  t.is(await silent.store.connection.collection('mails').countDocuments(), 0);
});
