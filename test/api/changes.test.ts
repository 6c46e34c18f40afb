import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ChangeKind } from '../../features/partner/rules/change-set.ts';
import { accountId } from '../../features/rules/ids.ts';
import { noteChange } from '../../features/partner/store/changes.ts';
import { openBeside } from '../support/open-test-store.ts';
import { startApiWorld, withApiWorld, type ApiWorld, type TestAccount } from '../support/api-world.ts';
import { listenTo, type Told } from '../support/change-listener.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test);

const anItem = { title: 'Emaljkanna', price: 149, imageUrls: [] };
const push = async (at: ApiWorld, { apiKey }: TestAccount, externalId: string): Promise<void> => {
  const { status } = await at.call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body: anItem });
  if (status !== 202) throw new Error(`PUT answered ${status}`);
};
const names = (kind: ChangeKind, id: string) => (told: Told) =>
  told.event === 'changed' && told.data.changes?.some((one) => one.kind === kind && one.ids?.includes(id)) === true;

test('a change in one process is told by another', async (t) => {
  const other = await startApiWorld({ beside: world() });
  const account = await other.account();
  const stream = await listenTo(other, account);
  const externalId = `A-${randomUUID()}`;
  await push(world(), account, externalId);
  t.is((await stream.until(names('items', externalId))).event, 'changed');
  stream.close();
  await other.close();
});

test('what changes while a stream is away is told to the next one, and nothing twice', async (t) => {
  const account = await world().account();
  const before = await listenTo(world(), account);
  await push(world(), account, 'first');
  const { id = '' } = await before.until(names('items', 'first'));
  before.close();
  await push(world(), account, 'second');
  const after = await listenTo(world(), account, { lastId: id });
  await after.until(names('items', 'second'));
  t.false(after.told.some(names('items', 'first')));
  after.close();
});

test('a stream that goes on after what nobody remembers is told that anything may have changed', async (t) => {
  const account = await world().account();
  const stream = await listenTo(world(), account, { lastId: '0123456789abcdef01234567' });
  t.truthy(await stream.until(({ event }) => event === 'reset'));
  stream.close();
});

test('a stream hears of its own account and of nobody else', async (t) => {
  const [account, stranger] = [await world().account(), await world().account()];
  const stream = await listenTo(world(), account);
  await push(world(), stranger, 'theirs');
  await push(world(), account, 'ours');
  await stream.until(names('items', 'ours'));
  t.false(stream.text().includes('theirs'));
  stream.close();
});

test('a reseller hears of the member that it names, and of another reseller’s member nothing', async (t) => {
  const [reseller, other] = [await world().reseller(), await world().reseller()];
  const member = await world().memberOf(reseller);
  const stream = await listenTo(world(), reseller, { query: `?member=${member.reference}` });
  await push(world(), member, 'of-member');
  await stream.until(names('items', 'of-member'));
  stream.close();
  const refused = await world().call('GET', `/partner/changes?seconds=0&member=${member.id}`, { token: other.token });
  t.is(refused.status, 404);
});

const ofAllMembers = { path: '/business/members/changes' };
const note = (of: { readonly id: string }, kind: ChangeKind, id: string): void =>
  noteChange(world().store, { accountId: accountId(of.id), kind, ids: [id] });
const share = ({ token }: TestAccount, sharesOrders: boolean) =>
  world().call('PATCH', '/business/my-deal', { token, body: { sharesOrders } });

test('a stream of all members hears of each of them, from the moment that it joins, and of nobody else', async (t) => {
  const [reseller, other] = [await world().reseller(), await world().reseller()];
  const [first, foreign] = [await world().memberOf(reseller), await world().memberOf(other)];
  const stream = await listenTo(world(), reseller, ofAllMembers);
  await push(world(), foreign, 'of-foreign');
  await push(world(), first, 'of-first');
  await stream.until(names('items', 'of-first'));
  const before = stream.told.length;
  const joined = await world().memberOf(reseller);
  const isOfMembers = ({ data }: Told) => data.changes?.some(({ kind }) => kind === 'members') === true;
  await stream.until((told) => isOfMembers(told) && stream.told.indexOf(told) >= before);
  await push(world(), joined, 'of-joined');
  await stream.until(names('items', 'of-joined'));
  await push(world(), reseller, 'own');
  await stream.until(names('items', 'own'));
  t.false(stream.text().includes('of-foreign'));
  stream.close();
});

for (const one of ['all members', 'one member'])
  test(`a stream of ${one} hears of a member’s orders only while it shares them, and never of its deliveries`, async (t) => {
    const reseller = await world().reseller();
    const member = await world().memberOf(reseller);
    const whose = one === 'all members' ? ofAllMembers : { query: `?member=${member.reference}` };
    const stream = await listenTo(world(), reseller, whose);
    note(member, 'orders', 'ord_before');
    note(member, 'deliveries', 'of-member');
    await push(world(), member, 'A-1');
    await stream.until(names('items', 'A-1'));
    await share(member, true);
    note(member, 'orders', 'ord_shared');
    await stream.until(names('orders', 'ord_shared'));
    await share(member, false);
    note(member, 'orders', 'ord_after');
    note(reseller, 'orders', 'ord_own');
    await stream.until(names('orders', 'ord_own'));
    t.notRegex(stream.text(), /ord_before|ord_after|of-member/);
    stream.close();
  });

test('nothing more is told of a member that has left, not even before the stream knows that it has', async (t) => {
  const reseller = await world().reseller();
  const [left, gone] = [await world().memberOf(reseller), await world().memberOf(reseller)];
  const removed = await world().memberOf(reseller);
  const stream = await listenTo(world(), reseller, ofAllMembers);
  await world().call('DELETE', '/business/my-deal', { token: left.token });
  note(left, 'items', 'of-left');
  const { token } = reseller;
  await world().call('DELETE', `/business/my-profile/connections/${removed.id}`, { token });
  note(removed, 'items', 'of-removed');
  // Without a notice, as if it had been lost.
  await world().store.connection.collection('member_connections').deleteOne({ memberAccountId: gone.id });
  note(gone, 'items', 'of-gone');
  note(reseller, 'items', 'own');
  const { id = '' } = await stream.until(names('items', 'own'));
  t.notRegex(stream.text(), /of-left|of-removed|of-gone/);
  stream.close();
  // One that goes on later is told of what has changed meanwhile, of neither either.
  note(left, 'items', 'left-later');
  note(removed, 'items', 'removed-later');
  note(reseller, 'items', 'own-later');
  const next = await listenTo(world(), reseller, { ...ofAllMembers, lastId: id });
  await next.until(names('items', 'own-later'));
  t.notRegex(next.text(), /of-left|of-removed|of-gone|left-later|removed-later/);
  next.close();
});

test('an account that is no reseller hears of itself alone; `member` is no parameter of a stream of all', async (t) => {
  const account = await world().account();
  const stream = await listenTo(world(), account, ofAllMembers);
  await push(world(), account, 'own');
  await stream.until(names('items', 'own'));
  stream.close();
  const { token } = account;
  const refused = await world().call('GET', `/business/members/changes?member=${account.id}`, { token });
  t.is(refused.status, 400);
});

test('a stream ends when its session does, before it tells anything more', async (t) => {
  const account = await world().account();
  const stream = await listenTo(world(), account);
  await world()
    .store.connection.collection('sessions')
    .updateMany({ accountId: account.id }, { $set: { endedAt: present() } });
  noteChange(world().store, { accountId: accountId(account.id), kind: 'items', ids: ['secret'] });
  const { data } = await stream.until(({ event }) => event === 'end');
  t.is(data.reason, 'signed_out');
  t.false(stream.text().includes('secret'));
  await stream.ended;
});

/** The session of an account, as a call of its has it. */
function sessionOf({ id, token }: TestAccount) {
  const claims = world().context.sessions.verify(token, world().now());
  if (claims === undefined) throw new Error('the token is not valid');
  const scope = { accountId: accountId(id), actingAccountId: accountId(id) } as const;
  const { sessionId, expiresAt: tokenExpiresAt } = claims;
  const endsAt = new Date(world().now().getTime() + 60_000);
  const credential = { kind: 'session', sessionId } as const;
  return {
    scope: { ...scope, credential },
    isOfAllMembers: false,
    sessionId,
    tokenExpiresAt,
    endsAt,
    lastId: undefined,
  };
}

test('a stream ends with its token, and goes on with the next one', async (t) => {
  const account = await world().account();
  const tokenExpiresAt = new Date(world().now().getTime() + 200);
  const stream = world().context.changeStreams.open({ ...sessionOf(account), tokenExpiresAt });
  const told = [];
  for await (const message of stream) told.push(message);
  t.like(told.at(-1), { event: 'end', reason: 'token_expired' });
  const [first] = told;
  await push(world(), account, 'meanwhile');
  const next = await listenTo(world(), account, { lastId: first?.event === 'ready' ? first.id : '' });
  await next.until(names('items', 'meanwhile'));
  next.close();
});

test('seconds=0 tells what is known and ends', async (t) => {
  const account = await world().account();
  const reader = await listenTo(world(), account);
  const begun = reader.lastId();
  await push(world(), account, 'just-now');
  await reader.until(names('items', 'just-now'));
  reader.close();
  const { status, headers, text } = await world().call('GET', '/partner/changes?seconds=0', {
    ...{ token: account.token, headers: { 'last-event-id': begun } },
  });
  t.is(status, 200);
  t.is(headers.get('content-type'), 'text/event-stream');
  t.regex(headers.get('cache-control') ?? '', /no-store.*no-transform/);
  t.is(headers.get('x-accel-buffering'), 'no');
  t.regex(text, /event: changed\nid: [0-9a-f]{24}\ndata: .*just-now[\s\S]*time_over/);
});

test('a change in a transaction is told once it is committed', async (t) => {
  const account = await world().account();
  const stream = await listenTo(world(), account);
  const session = await world().store.connection.startSession();
  const change = { accountId: accountId(account.id), kind: 'orders', ids: ['ord_1'] } as const;
  await session.withTransaction(async () => {
    await world().store.connection.collection<{ _id: string }>('marks').insertOne({ _id: randomUUID() }, { session });
    noteChange(world().store, change, session);
    noteChange(world().store, { ...change, kind: 'items', ids: ['in-transaction'] }, session);
  });
  await session.endSession();
  await stream.until(names('orders', 'ord_1'));
  stream.close();
  t.pass();
});

test('a reader that does not read costs one change for each kind', async (t) => {
  const account = await world().account();
  const id = accountId(account.id);
  const reader = world().context.changeStreams.open(sessionOf(account))[Symbol.asyncIterator]();
  t.is((await reader.next()).value.event, 'ready');
  const beside = await listenTo(world(), account);
  for (let number = 0; number < 300; number += 1)
    noteChange(world().store, { accountId: id, kind: 'items', ids: [`X-${number}`] });
  noteChange(world().store, { accountId: id, kind: 'orders', ids: ['last'] });
  await beside.until(names('orders', 'last'));
  const { value } = await reader.next();
  t.deepEqual(value.changes, [
    { accountId: id, kind: 'items', ids: null },
    { accountId: id, kind: 'orders', ids: ['last'] },
  ]);
  await reader.return?.();
  beside.close();
});

test('the seventh stream of a session ends its first; a process that stops ends all with a word', async (t) => {
  const other = await startApiWorld({ beside: world() });
  const account = await other.account();
  const streams = [];
  for (let number = 0; number < 7; number += 1) streams.push(await listenTo(other, account));
  const [first, ...rest] = streams;
  t.is((await first?.until(({ event }) => event === 'end'))?.data.reason, 'replaced');
  const closing = other.close();
  for (const stream of rest) t.is((await stream.until(({ event }) => event === 'end')).data.reason, 'stopping');
  await closing;
});

test('a lost cursor is opened again, and what was told meanwhile is heard', async (t) => {
  const beside = await openBeside(world().store);
  const account = await world().account();
  const stream = await listenTo(world(), account);
  const database = world().store.connection.db;
  const open = await world()
    .store.connection.getClient()
    .db('admin')
    .aggregate<{ cursor?: { cursorId: unknown } }>(
      [
        { $currentOp: { idleCursors: true, allUsers: true } },
        { $match: { ns: `${world().store.connection.name}.changes`, 'cursor.tailable': true } },
      ],
      { readConcern: { level: 'local' } },
    )
    .toArray();
  const cursors = open.flatMap(({ cursor }) => cursor?.cursorId ?? []);
  t.true(cursors.length > 0);
  await database?.command({ killCursors: 'changes', cursors });
  noteChange(beside, { accountId: accountId(account.id), kind: 'items', ids: ['meanwhile'] });
  await stream.until(names('items', 'meanwhile'));
  stream.close();
  await beside.close();
});
