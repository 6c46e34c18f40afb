import { randomUUID } from 'node:crypto';
import test from 'ava';
import { grantResellerAgreement } from '../../features/resellers/agreements.ts';
import { withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';
import { auditSteps } from '../support/audit-steps.ts';
import { sendDueMails, tokenIn } from '../support/sent-mails.ts';

const world = withApiWorld(test, { sendsMail: true });
const { anEndpoint, setUrl, connect, kindsOf } = auditSteps(world);
const newPassword = 'en helt annan lösenfras';

const mailTo = async (address: string) => (await sendDueMails(world())).findLast(({ to }) => to === address);
const post = (path: string, body: object) => world().call('POST', path, { body });
const revoke = (token: string) => post('/auth/access/revoke', { token });

interface Furnished extends TestAccount {
  readonly secondKey: string;
  readonly endpoint: string;
  readonly confirming: string;
}

/** An account with all that acts for it: two keys, an endpoint, the account's URL, a membership, a connection. */
async function furnished(): Promise<Furnished> {
  const [account, reseller] = [await world().account(), await world().account()];
  const confirming = tokenIn(await mailTo(account.email));
  const { store, now } = world();
  const slug = `r-${randomUUID().slice(0, 13)}`;
  await grantResellerAgreement({ store, now, newId: randomUUID }, { email: reseller.email, commissionBps: 100, slug });
  const joined = await world().call('POST', `/p/${slug}/connect`, {
    token: account.token,
    body: { sharesOrders: true },
  });
  if (joined.status !== 201) throw new Error(joined.text);
  const endpoint = await anEndpoint(account);
  await setUrl(account);
  await connect(account);
  const key = await world().call('POST', '/integration/api-keys/generate', {
    token: account.token,
    body: { name: 'b' },
  });
  return { ...account, secondKey: key.body.apiKey, endpoint, confirming };
}

const kinds = ({ body }: Reply, list: 'revoked' | 'active') => body[list].map(({ kind }: { kind: string }) => kind);
const everything = ['api_key', 'api_key', 'webhook', 'webhook', 'membership', 'marketplace'];

const keyStatuses = async ({ apiKey, secondKey }: Furnished): Promise<number[]> => {
  const read = (one: string) => world().call('GET', '/integration/v1/items', { apiKey: one });
  return [(await read(apiKey)).status, (await read(secondKey)).status];
};

/** What a session of the account finds of what acted for it. */
async function left(email: string, password: string): Promise<object> {
  const { body } = await post('/auth/login', { email, password });
  const get = async (path: string) => (await world().call('GET', path, { token: body.accessToken })).body;
  return {
    keys: (await get('/integration/api-keys')).keys.length,
    endpoints: (await get('/integration/webhooks')).webhooks.length,
    url: (await get('/integration/webhook-settings')).webhookUrl,
    memberOf: (await get('/auth/me')).memberOf,
  };
}
const nothing = { keys: 0, endpoints: 0, url: null, memberOf: null };

async function reset(email: string): Promise<Reply> {
  await sendDueMails(world());
  await post('/auth/password/forgotten', { email });
  return post('/auth/password/reset', { token: tokenIn(await mailTo(email)), newPassword });
}

test.serial('the reset of an address that was never confirmed takes back all that a squatter left', async (t) => {
  const squatter = await furnished();
  t.deepEqual(await keyStatuses(squatter), [200, 200]);
  const answer = await reset(squatter.email);
  t.is(answer.status, 200);
  t.deepEqual([kinds(answer, 'revoked'), kinds(answer, 'active')], [everything, []]);
  t.is(answer.body.revocationToken, null);
  t.deepEqual(await keyStatuses(squatter), [401, 401]);
  t.deepEqual(await left(squatter.email, newPassword), nothing);
  const mail = await mailTo(squatter.email);
  t.regex(mail?.text ?? '', /aldrig bekräftats/);
  for (const { name, kind } of answer.body.revoked)
    t.true(kind === 'marketplace' || mail?.text.includes(name), `the mail names ${name}`);
  const { body } = await post('/auth/login', { email: squatter.email, password: newPassword });
  const log = await kindsOf(body.accessToken);
  for (const kind of [
    'api_key_revoked',
    'webhook_deleted',
    'webhook_url_changed',
    'member_left',
    'marketplace_removed',
  ])
    t.true(log.includes(kind), kind);
});

test.serial('a confirmation of the address takes nothing back, lists what is active, and offers to', async (t) => {
  const person = await furnished();
  const confirmed = await post('/auth/email/confirm', { token: person.confirming });
  t.is(confirmed.status, 200);
  t.deepEqual([kinds(confirmed, 'revoked'), kinds(confirmed, 'active')], [[], everything]);
  t.deepEqual(await keyStatuses(person), [200, 200]);
  const revoked = await revoke(confirmed.body.revocationToken);
  t.deepEqual(kinds(revoked, 'revoked'), everything);
  t.deepEqual(await keyStatuses(person), [401, 401]);
  t.is((await world().call('GET', '/auth/me', { token: person.token })).status, 401, 'sessions end, too');
  t.deepEqual(await left(person.email, person.password), nothing);
  t.is((await revoke(confirmed.body.revocationToken)).status, 422, 'the token works once');
});

test.serial(
  'the reset of a confirmed address takes nothing back; its answer and its mail offer it for a day',
  async (t) => {
    const person = await furnished();
    t.is((await post('/auth/email/confirm', { token: person.confirming })).status, 200);
    const answer = await reset(person.email);
    t.deepEqual([kinds(answer, 'revoked'), kinds(answer, 'active')], [[], everything]);
    t.deepEqual(await keyStatuses(person), [200, 200]);
    const mail = await mailTo(person.email);
    t.regex(mail?.text ?? '', /http:\/\/api\.test\/dashboard\/revoke-access#token=/);
    t.deepEqual(kinds(await revoke(tokenIn(mail)), 'revoked'), everything);
    t.deepEqual(await keyStatuses(person), [401, 401]);
    world().pass(86_400_001);
    t.is((await revoke(answer.body.revocationToken)).status, 422);
  },
);

test.serial('a token to take access back is dead after a change of the password, and opens nothing else', async (t) => {
  const person = await furnished();
  const { body } = await post('/auth/email/confirm', { token: person.confirming });
  const token = body.revocationToken;
  t.is((await post('/auth/password/reset', { token, newPassword })).status, 422);
  t.is((await post('/auth/email/confirm', { token })).status, 422);
  const change = { oldPassword: person.password, newPassword };
  t.is((await world().call('POST', '/auth/password', { token: person.token, body: change })).status, 204);
  t.is((await revoke(token)).status, 422);
  t.deepEqual(await keyStatuses(person), [200, 200]);
});

test.serial('the reset ends what a squatter has asked of a reseller: it can not be approved later', async (t) => {
  const [squatter, reseller] = [await world().account(), await world().reseller()];
  const { slug, token } = reseller;
  const profile = { slug, displayName: 'Återförsäljaren AB', needsApproval: true };
  t.is((await world().call('PUT', '/business/my-profile', { token, body: profile })).status, 200);
  const asking = { token: squatter.token, body: { sharesOrders: true } };
  t.is((await world().call('POST', `/p/${slug}/connect`, asking)).status, 202);
  t.is((await reset(squatter.email)).status, 200);
  t.deepEqual((await world().call('GET', '/business/join-requests', { token })).body.requests, []);
  const approval = { token, body: { externalId: 'KUND-7' } };
  const approved = await world().call('PUT', `/business/my-profile/connections/${squatter.id}`, approval);
  t.is(approved.status, 404);
  t.deepEqual(await left(squatter.email, newPassword), nothing);
  t.is((await kindsOf(token))[0], 'join_request_ended');
});

test.serial('approval and reset at once leave no membership', async (t) => {
  for (let round = 0; round < 4; round += 1) {
    const [squatter, reseller] = [await world().account(), await world().reseller()];
    const { slug, token } = reseller;
    const profile = { slug, displayName: 'Återförsäljaren AB', needsApproval: true };
    await world().call('PUT', '/business/my-profile', { token, body: profile });
    await world().call('POST', `/p/${slug}/connect`, { token: squatter.token });
    const [answer, approved] = await Promise.all([
      reset(squatter.email),
      world().call('PUT', `/business/my-profile/connections/${squatter.id}`, { token, body: { externalId: 'K' } }),
    ]);
    t.is(answer.status, 200);
    t.true([200, 404].includes(approved.status), approved.text);
    t.deepEqual(await left(squatter.email, newPassword), nothing);
  }
});

test.serial('the secret of the account-level URL is another one after the reset, also without a URL', async (t) => {
  const squatter = await world().account();
  const secretOf = async (token: string) =>
    (await world().call('GET', '/integration/webhook-settings', { token })).body.webhookSecret;
  const known = await secretOf(squatter.token);
  t.regex(known, /^whsec_/);
  t.is((await reset(squatter.email)).status, 200);
  const { body } = await post('/auth/login', { email: squatter.email, password: newPassword });
  const fresh = await secretOf(body.accessToken);
  t.regex(fresh, /^whsec_[^*]+$/, 'it is shown in full, as to the first reader');
  t.not(fresh, known);
});

test.serial('keys that are being made while the reset runs are revoked, or not made', async (t) => {
  const squatter = await world().account();
  await sendDueMails(world());
  await post('/auth/password/forgotten', { email: squatter.email });
  const token = tokenIn(await mailTo(squatter.email));
  const make = () =>
    world().call('POST', '/integration/api-keys/generate', { token: squatter.token, body: { name: 'late' } });
  const early = Array.from({ length: 5 }, make);
  const resetting = post('/auth/password/reset', { token, newPassword });
  const made = await Promise.all([...early, ...Array.from({ length: 5 }, make)]);
  t.is((await resetting).status, 200);
  for (const { body } of made.filter(({ status }) => status === 200))
    t.is((await world().call('GET', '/integration/v1/items', { apiKey: body.apiKey })).status, 401);
  t.deepEqual(await left(squatter.email, newPassword), nothing);
});
