import { randomUUID } from 'node:crypto';
import test from 'ava';
import { aVisitor, wordsOf } from '../public-page/support/a-visitor.ts';
import { isError, withApiWorld, type TestAccount } from '../support/api-world.ts';
import { sendDueMails, tokenIn } from '../support/sent-mails.ts';

// A reseller that approves its members.

const world = withApiWorld(test, { sendsMail: true });

type Reseller = Awaited<ReturnType<typeof aReseller>>;

async function aReseller(needsApproval = true) {
  const reseller = await world().reseller();
  await approves(reseller, needsApproval);
  return reseller;
}

const approves = ({ token, slug }: { token: string; slug: string }, needsApproval?: boolean) =>
  world().call('PUT', '/business/my-profile', {
    token,
    body: { slug, displayName: 'Återförsäljaren AB', ...(needsApproval !== undefined && { needsApproval }) },
  });
const connect = ({ slug }: Pick<Reseller, 'slug'>, { token }: Pick<TestAccount, 'token'>, body?: object) =>
  world().call('POST', `/p/${slug}/connect`, { token, ...(body && { body }) });
const requests = async ({ token }: Pick<TestAccount, 'token'>) =>
  (await world().call('GET', '/business/join-requests', { token })).body.requests;
const put = ({ token }: Pick<TestAccount, 'token'>, id: string, externalId: string) =>
  world().call('PUT', `/business/my-profile/connections/${id}`, { token, body: { externalId } });
const remove = ({ token }: Pick<TestAccount, 'token'>, id: string) =>
  world().call('DELETE', `/business/my-profile/connections/${id}`, { token });
const leave = ({ token }: Pick<TestAccount, 'token'>) => world().call('DELETE', '/business/my-deal', { token });
const deal = async ({ token }: Pick<TestAccount, 'token'>) =>
  (await world().call('GET', '/business/my-deal', { token })).body;
const told = async ({ token }: Pick<TestAccount, 'token'>) =>
  (await world().call('GET', '/partner/audit-log', { token })).body.entries
    .filter(({ kind }: { kind: string }) => /^(join_|member_|order_sharing)/.test(kind))
    .map(({ kind, actor }: { kind: string; actor: { kind: string } }) => `${kind} ${actor.kind}`)
    .toReversed();

async function confirmAddress({ email }: Pick<TestAccount, 'email'>): Promise<void> {
  const mail = (await sendDueMails(world())).findLast(({ to }) => to === email);
  await world().call('POST', '/auth/email/confirm', { body: { token: tokenIn(mail) } });
}

test.serial('202: the account asks, and is nobody’s member until the reseller approves it', async (t) => {
  const reseller = await aReseller();
  const account = await world().account('Verkstaden AB');
  const asked = await connect(reseller, account, { sharesOrders: true });
  t.is(asked.status, 202, asked.text);
  t.like(asked.body, { resellerUserId: reseller.id, sharesOrders: true });
  t.is((await connect(reseller, account)).body.requestedAt, asked.body.requestedAt);
  t.like(await deal(account), {
    kind: 'consumer_default',
    reseller: null,
    askedReseller: { userId: reseller.id, displayName: 'Återförsäljaren AB' },
  });
  const headers = { 'x-partner-account': account.id };
  const before = await world().call('GET', '/integration/v1/items/x', { apiKey: reseller.apiKey, headers });
  isError(t, before, { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  t.deepEqual(await requests(reseller), [
    {
      memberUserId: account.id,
      memberName: 'Verkstaden AB',
      email: account.email,
      externalId: null,
      sharesOrders: true,
      requestedAt: asked.body.requestedAt,
      expiresAt: asked.body.expiresAt,
    },
  ]);

  const approved = await put(reseller, account.id, 'KUND-7');
  t.is(approved.status, 200, approved.text);
  t.like(approved.body, { memberUserId: account.id, externalId: 'KUND-7', sharesOrders: true });
  t.deepEqual(await requests(reseller), []);
  t.like(await deal(account), { kind: 'sub_account', askedReseller: null, sharesOrders: true });
  t.deepEqual(await told(account), [
    'join_requested dashboard',
    'member_joined reseller',
    'order_sharing_changed dashboard',
  ]);
  t.deepEqual(await told(reseller), [
    'join_requested member',
    'member_joined dashboard',
    'order_sharing_changed member',
  ]);
});

test.serial('declined, withdrawn: the account is no member, and may ask again', async (t) => {
  const reseller = await aReseller();
  const [one, two] = [await world().account(), await world().account()];
  for (const account of [one, two]) await connect(reseller, account);
  t.is((await remove(reseller, one.id)).status, 204);
  t.is((await leave(two)).status, 204);
  t.deepEqual(await requests(reseller), []);
  for (const account of [one, two]) {
    isError(t, await put(reseller, account.id, 'X'), { status: 404, code: 'NOT_FOUND' });
    t.like(await deal(account), { kind: 'consumer_default', askedReseller: null });
  }
  t.deepEqual(await told(one), ['join_requested dashboard', 'join_request_ended reseller']);
  t.deepEqual(await told(two), ['join_requested dashboard', 'join_request_ended dashboard']);
  t.is((await connect(reseller, one)).status, 202);
});

test.serial('who does not ask this reseller is 404 for it, whosever member it is', async (t) => {
  const [reseller, other] = [await aReseller(), await aReseller()];
  const [asksOther, member, stranger] = [await world().account(), await world().account(), await world().account()];
  await connect(other, asksOther);
  await connect(other, member);
  await put(other, member.id, 'M-1');
  for (const id of [asksOther.id, member.id, stranger.id, other.id, reseller.id, randomUUID()]) {
    isError(t, await put(reseller, id, 'X'), { status: 404, code: 'NOT_FOUND' });
    isError(t, await remove(reseller, id), { status: 404, code: 'NOT_FOUND' });
  }
  t.is((await requests(other)).length, 1);
  t.deepEqual(await requests(stranger), []);
});

test.serial('an account asks one reseller at a time, and joining another ends what it asked', async (t) => {
  const [one, two, free] = [await aReseller(), await aReseller(), await aReseller(false)];
  const account = await world().account();
  await connect(one, account);
  await connect(two, account);
  t.deepEqual([(await requests(one)).length, (await requests(two)).length], [0, 1]);
  t.is((await connect(free, account)).status, 201);
  t.deepEqual(await requests(two), []);
  isError(t, await put(two, account.id, 'X'), { status: 404, code: 'NOT_FOUND' });
});

test.serial('approve 409: a reference that another member has; the request stays', async (t) => {
  const reseller = await aReseller();
  const [member, account] = [await world().account(), await world().account()];
  for (const one of [member, account]) await connect(reseller, one);
  await put(reseller, member.id, 'KUND-7');
  isError(t, await put(reseller, account.id, 'KUND-7'), { status: 409, code: 'REFERENCE_TAKEN' });
  t.is((await requests(reseller)).length, 1);
});

test.serial('approval and withdrawal at once: a member with a deal, or neither', async (t) => {
  for (let round = 0; round < 4; round += 1) {
    const reseller = await aReseller();
    const account = await world().account();
    await connect(reseller, account);
    const [approved, left] = await Promise.all([put(reseller, account.id, 'X'), leave(account)]);
    t.is(left.status, 204);
    t.true([200, 404].includes(approved.status), approved.text);
    t.like(await deal(account), { kind: 'consumer_default', reseller: null, askedReseller: null });
  }
});

test.serial('approval is off at first; a profile that does not name it keeps it', async (t) => {
  const reseller = await world().reseller();
  t.is((await connect(reseller, await world().account())).status, 201);
  t.true((await approves(reseller, true)).body.needsApproval);
  t.true((await approves(reseller)).body.needsApproval);
  const account = await world().account();
  t.is((await connect(reseller, account)).status, 202);
  t.false((await approves(reseller, false)).body.needsApproval);
  t.is((await connect(reseller, account)).status, 201);
  t.deepEqual(await requests(reseller), []);
});

test.serial(
  'an invitation is approval for its own confirmed address, and a request with its reference for any other',
  async (t) => {
    const reseller = await aReseller();
    await confirmAddress(reseller);
    const invite = async (email: string, externalId: string) => {
      const invited = await world().call('POST', '/business/invitations', {
        token: reseller.token,
        body: { invitations: [{ email, externalId }] },
      });
      t.is(invited.body.sent, 1, invited.text);
      const mail = (await sendDueMails(world())).find(({ to }) => to === email);
      return /\/p\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    };
    const joinBy = async (link: string, person: TestAccount) => {
      const visitor = aVisitor(world());
      await visitor.logIn(person);
      const page = await visitor.follow(await visitor.open(link));
      return wordsOf(await visitor.follow(await visitor.send(page, 'join')));
    };
    const [own, unproven, another] = [await world().account(), await world().account(), await world().account()];
    await confirmAddress(own);
    t.regex(await joinBy(await invite(own.email, 'KUND-1'), own), /är nu medlem/);
    t.regex(await joinBy(await invite(unproven.email, 'KUND-2'), unproven), /har fått din förfrågan/);
    const address = `${randomUUID()}@verkstad.example.se`;
    t.regex(await joinBy(await invite(address, 'KUND-3'), another), /har fått din förfrågan/);
    t.deepEqual(
      (await requests(reseller)).map(({ email, externalId }: Record<string, string>) => [email, externalId]),
      [
        [unproven.email, 'KUND-2'],
        [another.email, 'KUND-3'],
      ],
    );
    await put(reseller, another.id, 'KUND-3');
    const { invitations } = (await world().call('GET', '/business/invitations', { token: reseller.token })).body;
    t.deepEqual(
      invitations
        .map((one: Record<string, string>) => [one['externalId'], one['state'], one['joinedEmail']])
        .toSorted(),
      [
        ['KUND-1', 'joined', own.email],
        ['KUND-2', 'open', null],
        ['KUND-3', 'joined', another.email],
      ],
    );
  },
);

test.serial('the page asks in place of joining, shows that it waits, and takes the request back', async (t) => {
  const reseller = await aReseller();
  const visitor = aVisitor(world());
  const fields = { name: 'Ny AB', email: `${randomUUID()}@example.se`, password: 'fyra helt vanliga ord' };
  const page = await visitor.open(`/p/${reseller.slug}?lang=en`);
  t.regex(wordsOf(page), /Create account and ask to join/);
  const waiting = await visitor.follow(await visitor.send(page, 'sign-up', { fields }));
  t.regex(wordsOf(waiting), /has received your request.*You are waiting for an answer/s);
  t.is((await requests(reseller)).length, 1);
  const free = await visitor.follow(await visitor.send(waiting, 'leave'));
  t.regex(wordsOf(free), /Ask to join Återförsäljaren AB/);
  t.deepEqual(await requests(reseller), []);
});

test.serial('a request ends by itself after 30 days', async (t) => {
  const reseller = await aReseller();
  const { body } = await connect(reseller, await world().account());
  t.is(Date.parse(body.expiresAt) - Date.parse(body.requestedAt), 30 * 86_400_000);
  const indexes = await world().store.connection.collection('join_requests').indexes();
  t.true(indexes.some(({ key, expireAfterSeconds }) => 'expiresAt' in key && expireAfterSeconds === 0));
});
