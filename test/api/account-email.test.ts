import { randomUUID } from 'node:crypto';
import test from 'ava';
import { setSuspension } from '../../features/accounts/administer-account.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { sendDueMails, tokenIn } from '../support/sent-mails.ts';

const world = withApiWorld(test, { sendsMail: true });
const anAddress = () => `${randomUUID()}@example.se`;
const mailTo = async (address: string) => (await sendDueMails(world())).findLast(({ to }) => to === address);
const confirm = (token: string) => world().call('POST', '/auth/email/confirm', { body: { token } });
const change = ({ token, password }: TestAccount, body: object) =>
  world().call('POST', '/auth/email', { token, body: { password, ...body } });
const me = async ({ token }: TestAccount) => (await world().call('GET', '/auth/me', { token })).body;

test.serial('a new account is asked to confirm its address, and may ask again until it has', async (t) => {
  const person = await world().account();
  t.false((await me(person)).emailConfirmed);
  const first = tokenIn(await mailTo(person.email));
  t.is((await world().call('POST', '/auth/email/verification', { token: person.token })).status, 202);
  t.truthy(tokenIn(await mailTo(person.email)));
  t.is((await confirm(first)).status, 200);
  t.true((await me(person)).emailConfirmed);
  t.is((await confirm(first)).status, 422);
  t.is((await world().call('POST', '/auth/email/verification', { token: person.token })).status, 409);
});

test.serial('another address counts once its link is opened, and the former one is told', async (t) => {
  const person = await world().account();
  const email = anAddress();
  await sendDueMails(world());
  t.is((await change(person, { email: email.toUpperCase() })).status, 202);
  t.is((await me(person)).email, person.email);
  const token = tokenIn(await mailTo(email));
  t.is((await confirm(token)).status, 200);
  t.like(await me(person), { email, emailConfirmed: true });
  t.is((await mailTo(person.email))?.subject, 'Ditt konto har fått en ny e-postadress');
  const logIn = async (address: string) =>
    (await world().call('POST', '/auth/login', { body: { email: address, password: person.password } })).status;
  t.deepEqual([await logIn(person.email), await logIn(email)], [401, 200]);
  const log = await world().call('GET', '/partner/audit-log', { token: person.token });
  const kinds = log.body.entries.map(({ kind }: { kind: string }) => kind);
  t.deepEqual(kinds.slice(1, 3), ['email_changed', 'email_change_requested']);
});

test.serial('a suspended account changes no address by a link that was mailed before', async (t) => {
  const person = await world().account();
  await sendDueMails(world());
  const email = anAddress();
  await change(person, { email });
  const token = tokenIn(await mailTo(email));
  const { store, now } = world();
  await setSuspension({ store, now }, { email: person.email, isSuspended: true });
  t.is((await confirm(token)).status, 422);
  await setSuspension({ store, now }, { email: person.email, isSuspended: false });
  t.is((await confirm(token)).status, 200);
});

test.serial('the address of another account is answered the same, and stays with that account', async (t) => {
  const [person, other] = [await world().account(), await world().account()];
  await sendDueMails(world());
  const asked = await change(person, { email: other.email });
  t.deepEqual([asked.status, asked.text], [202, '']);
  t.is((await confirm(tokenIn(await mailTo(other.email)))).status, 409);
  t.is((await me(person)).email, person.email);
});

test.serial(
  'a wrong password changes no address, and a change of the password ends a link to another one',
  async (t) => {
    const person = await world().account();
    await sendDueMails(world());
    const wrong = await change({ ...person, password: 'fel lösenord här' }, { email: anAddress() });
    t.is(wrong.body.details[0].field, 'password');
    const [early, late] = [anAddress(), anAddress()];
    await change(person, { email: early });
    const token = tokenIn(await mailTo(early));
    await change(person, { email: late });
    const body = { oldPassword: person.password, newPassword: 'en helt annan lösenfras' };
    t.is((await world().call('POST', '/auth/password', { token: person.token, body })).status, 204);
    t.is(await mailTo(late), undefined);
    t.is((await confirm(token)).status, 422);
    t.is((await me(person)).email, person.email);
  },
);
