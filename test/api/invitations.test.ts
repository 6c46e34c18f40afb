import { randomUUID } from 'node:crypto';
import test from 'ava';
import { aVisitor } from '../public-page/support/a-visitor.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { sendDueMails, tokenIn } from '../support/sent-mails.ts';

const world = withApiWorld(test, { sendsMail: true });
const path = '/business/invitations';
const anAddress = (): string => `${randomUUID()}@verkstad.example.se`;
const password = 'fyra helt vanliga ord';

/** A reseller whose own address is confirmed. */
async function anInviter() {
  const reseller = await world().reseller();
  const mail = (await sendDueMails(world())).findLast(({ to }) => to === reseller.email);
  await world().call('POST', '/auth/email/confirm', { body: { token: tokenIn(mail) } });
  return reseller;
}

const invite = ({ token }: Pick<TestAccount, 'token'>, invitations: object[], more: object = {}) =>
  world().call('POST', path, { token, body: { invitations, ...more } });
const list = async ({ token }: Pick<TestAccount, 'token'>) =>
  (await world().call('GET', path, { token })).body.invitations;

async function linkTo(email: string): Promise<string> {
  const mail = (await sendDueMails(world())).find(({ to }) => to === email);
  const [link] = /\/p\/\S+/.exec(mail?.text ?? '') ?? [];
  if (link === undefined) throw new Error(`no link in ${mail?.text ?? 'no mail'}`);
  return link;
}

async function joinBy(link: string, { name = 'Verkstad A', email = anAddress() } = {}) {
  const visitor = aVisitor(world());
  const page = await visitor.follow(await visitor.open(link));
  return visitor.follow(await visitor.send(page, 'sign-up', { fields: { name, email, password } }));
}

test.serial('who joins by the link of the mail gets the reference of the invitation, which is used up', async (t) => {
  const reseller = await anInviter();
  const email = anAddress();
  t.deepEqual((await invite(reseller, [{ email, externalId: 'KUND-7' }])).body, { sent: 1, skipped: [] });
  t.like((await list(reseller))[0], { email, externalId: 'KUND-7', state: 'open', joinedAt: null });
  const link = await linkTo(email);
  t.is((await joinBy(link)).status, 200);
  const { body } = await world().call('GET', '/business/members', { token: reseller.token });
  t.deepEqual(
    body.members.map(({ externalId, memberName }: Record<string, string>) => [externalId, memberName]),
    [['KUND-7', 'Verkstad A']],
  );
  t.is((await list(reseller))[0].state, 'joined');
  t.deepEqual((await invite(reseller, [{ email }])).body.skipped, [{ email, reason: 'joined' }]);

  await joinBy(link, { name: 'Verkstad B' });
  const { members } = (await world().call('GET', '/business/members?sort=joined', { token: reseller.token })).body;
  t.is(members.length, 2);
  t.is(members[1].externalId, members[1].memberUserId);
});

test.serial('the token of a link leaves the address at once, and the page shows nobody’s address', async (t) => {
  const reseller = await anInviter();
  const email = anAddress();
  await invite(reseller, [{ email, externalId: 'KUND-7' }]);
  const link = await linkTo(email);
  const visitor = aVisitor(world());
  const moved = await visitor.open(link);
  t.deepEqual([moved.status, moved.headers.get('location')], [303, `/p/${reseller.slug}`]);
  const page = await visitor.follow(moved);
  const [, token = ''] = link.split('invitation=');
  t.true(token.length > 40 && !page.text.includes(token) && !page.text.includes(email));
  await visitor.send(page, 'sign-up', { fields: { name: 'Verkstad A', email: anAddress(), password } });
  const { members } = (await world().call('GET', '/business/members', { token: reseller.token })).body;
  t.is(members[0].externalId, 'KUND-7');
});

test.serial('a token of another form is not taken into a cookie', async (t) => {
  const reseller = await anInviter();
  for (const token of ['x', 'a'.repeat(44), encodeURIComponent('a\r\nSet-Cookie: session=x')]) {
    const visitor = aVisitor(world());
    t.is((await visitor.open(`/p/${reseller.slug}?invitation=${token}`)).status, 303);
    t.is(visitor.cookies.size, 0);
  }
});

test.serial('the reseller is told which address joined by an invitation', async (t) => {
  const reseller = await anInviter();
  const [email, another] = [anAddress(), anAddress()];
  await invite(reseller, [{ email }]);
  t.like((await list(reseller))[0], { state: 'open', joinedEmail: null });
  await joinBy(await linkTo(email), { email: another });
  t.like((await list(reseller))[0], { email, state: 'joined', joinedEmail: another });
});

test.serial('no text of a reseller is in the subject of a mail', async (t) => {
  const reseller = await anInviter();
  const displayName = '=?utf-8?q?=0D=0ABcc:x@y?= https://evil.example/login';
  await world().call('PUT', '/business/my-profile', {
    token: reseller.token,
    body: { slug: reseller.slug, displayName },
  });
  for (const language of ['sv', 'en']) {
    const email = anAddress();
    await invite(reseller, [{ email }], { language });
    const mail = (await sendDueMails(world())).find(({ to }) => to === email);
    t.regex(mail?.subject ?? '', /^(Du är inbjuden|You are invited)/);
    t.notRegex(mail?.subject ?? '', /evil|Bcc|utf/);
  }
});

test.serial('a reference that another member has by then is left to it', async (t) => {
  const reseller = await anInviter();
  const email = anAddress();
  await invite(reseller, [{ email, externalId: 'KUND-7' }]);
  const member = await world().memberOf(reseller);
  await world().call('PUT', `/business/my-profile/connections/${member.id}`, {
    token: reseller.token,
    body: { externalId: 'KUND-7' },
  });
  await joinBy(await linkTo(email));
  const { members } = (await world().call('GET', '/business/members?sort=joined', { token: reseller.token })).body;
  t.deepEqual(
    members.map(({ memberUserId, externalId }: Record<string, string>) => externalId === memberUserId),
    [false, true],
  );
});

test.serial("a link gives no reference at another reseller's page", async (t) => {
  const [reseller, other] = [await anInviter(), await anInviter()];
  const email = anAddress();
  await invite(reseller, [{ email, externalId: 'KUND-7' }]);
  const link = await linkTo(email);
  await joinBy(link.replace(reseller.slug, other.slug));
  const { members } = (await world().call('GET', '/business/members', { token: other.token })).body;
  t.is(members[0].externalId, members[0].memberUserId);
  t.is((await list(reseller))[0].state, 'open');
});

test.serial('an address gets one mail a day; the link of each goes on to work', async (t) => {
  const reseller = await anInviter();
  const email = anAddress();
  await invite(reseller, [{ email }]);
  const first = await linkTo(email);
  t.deepEqual((await invite(reseller, [{ email }])).body, { sent: 0, skipped: [{ email, reason: 'invited_today' }] });
  const rows = world().store.connection.collection('member_invitations');
  await rows.updateOne({ email }, { $set: { invitedAt: new Date(world().now().getTime() - 25 * 3_600_000) } });
  t.is((await invite(reseller, [{ email, externalId: 'B-1' }], { language: 'en' })).body.sent, 1);
  t.not(await linkTo(email), first);
  await joinBy(first);
  t.like((await list(reseller))[0], { state: 'joined', externalId: 'B-1' });
});

test.serial('a withdrawn invitation sends no mail, and its link gives nothing', async (t) => {
  const reseller = await anInviter();
  const [email, late] = [anAddress(), anAddress()];
  await invite(reseller, [{ email, externalId: 'KUND-7' }]);
  const link = await linkTo(email);
  await invite(reseller, [{ email: late }]);
  for (const { id } of await list(reseller))
    t.is((await world().call('DELETE', `${path}/${id}`, { token: reseller.token })).status, 204);
  t.false((await sendDueMails(world())).some(({ to }) => to === late));
  await joinBy(link);
  const { members } = (await world().call('GET', '/business/members', { token: reseller.token })).body;
  t.is(members[0].externalId, members[0].memberUserId);
  const gone = await world().call('DELETE', `${path}/${randomUUID()}`, { token: reseller.token });
  isError(t, gone, { status: 404, code: 'NOT_FOUND' });
});

test.serial(
  '403 without an agreement, 409 while the own address is not confirmed, 422 and 429 for bad lists',
  async (t) => {
    const [account, unproven, reseller] = [await world().account(), await world().reseller(), await anInviter()];
    isError(t, await invite(account, [{ email: anAddress() }]), { status: 403, code: 'RESELLER_AGREEMENT_REQUIRED' });
    isError(t, await invite(unproven, [{ email: anAddress() }]), { status: 409, code: 'CONFLICT' });
    const email = anAddress();
    const bad = await invite(reseller, [{ email }, { email: email.toUpperCase() }, { email: 'a@b', externalId: 'å' }]);
    isError(t, bad, { status: 422, code: 'VALIDATION_FAILED' });
    t.deepEqual(
      bad.body.details.map(({ field }: { field: string }) => field),
      ['invitations.1.email', 'invitations.2.email', 'invitations.2.externalId'],
    );
    const hundred = () => Array.from({ length: 100 }, () => ({ email: anAddress() }));
    for (let n = 0; n < 5; n += 1) t.is((await invite(reseller, hundred())).status, 200);
    isError(t, await invite(reseller, [{ email }]), { status: 429, code: 'RATE_LIMITED' });
  },
);
