import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { numberEvents, numberUnread } from '../../features/webhooks/store/events.ts';
import { present } from '../support/clock.ts';
import { isError, withApiWorld, type Reply } from '../support/api-world.ts';
import { aDueEvent, storeEvents } from '../support/stored-events.ts';

const world = withApiWorld(test);

interface Reader {
  readonly apiKey?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

const read = ({ apiKey, token, headers = {} }: Reader, query: Record<string, string> = {}): Promise<Reply> =>
  world().call('GET', `/integration/events?${new URLSearchParams(query).toString()}`, { apiKey, token, headers });

const externalIds = (reply: Reply): string[] =>
  reply.body.events.map((event: { data: { externalId: string } }) => event.data.externalId);

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const cursorAt = (account: string, number: number): string => encoded(`1:${number}:${account}`);

/** What the database does by itself after 30 days. */
const remove = (account: string, numbers: readonly number[]): Promise<unknown> =>
  world()
    .store.connection.collection('events')
    .deleteMany({ accountId: account, number: { $in: [...numbers] } });

/** An account with so many events, A1 the oldest. */
async function accountWithEvents(count: number) {
  const account = await world().account();
  const events = Array.from({ length: count }, (_, index) => aDueEvent(account.id, `A${index + 1}`));
  await storeEvents(world().store, events);
  while (await numberEvents(world().store, accountId(account.id)));
  return account;
}

// specification: get-integration-events-oldest
test('200: the oldest first, and the cursor goes on behind the last', async (t) => {
  const account = await accountWithEvents(5);
  const first = await read(account, { limit: '2' });
  t.is(first.status, 200);
  t.deepEqual(externalIds(first), ['A1', 'A2']);
  const second = await read(account, { limit: '2', after: first.body.nextCursor });
  t.deepEqual(externalIds(second), ['A3', 'A4']);
  const third = await read(account, { after: second.body.nextCursor });
  t.deepEqual(externalIds(third), ['A5']);
});

// specification: get-integration-events-oldest
test('200: nothing new gives no events and a cursor that stays good', async (t) => {
  const account = await world().account();
  const empty = await read(account);
  t.deepEqual(empty.body, { events: [], nextCursor: cursorAt(account.id, 0) });
  await storeEvents(world().store, [aDueEvent(account.id, 'A1')]);
  const one = await read(account, { after: empty.body.nextCursor });
  t.deepEqual(externalIds(one), ['A1']);
  const again = await read(account, { after: one.body.nextCursor });
  t.deepEqual(again.body, { events: [], nextCursor: one.body.nextCursor });
});

// specification: get-integration-events-oldest
test('200: a hundred events when no limit is given, and at most 500', async (t) => {
  const account = await world().account();
  const events = Array.from({ length: 501 }, (_, index) => aDueEvent(account.id, `A${index + 1}`));
  await storeEvents(world().store, events);
  t.is((await read(account)).body.events.length, 100);
  const all = await read(account, { limit: '500' });
  t.is(all.body.events.length, 500);
  t.deepEqual(externalIds(await read(account, { limit: '500', after: all.body.nextCursor })), ['A501']);
});

// specification: jwt-or-api-key
test('200: a session reads the same as an API key', async (t) => {
  const { apiKey, token } = await accountWithEvents(2);
  t.is((await read({ token })).text, (await read({ apiKey })).text);
});

// specification: jwt-or-api-key
test('200: an account reads its own events only; the cursor of another is 400', async (t) => {
  const [account, other] = [await accountWithEvents(1), await accountWithEvents(3)];
  const { nextCursor } = (await read(account)).body;
  isError(t, await read(other, { after: nextCursor }), { status: 400, code: 'BAD_REQUEST' });
  const ids = (await read(account)).body.events.map((event: { eventId: string }) => event.eventId);
  const others = (await read(other)).body.events.map((event: { eventId: string }) => event.eventId);
  t.deepEqual(
    others.filter((id: string) => ids.includes(id)),
    [],
  );
});

// specification: the-envelope-is-the
test('200: reading the feed gives byte for byte what a self-scope endpoint is sent', async (t) => {
  const account = await world().account();
  const body = { url: 'https://93.184.216.34/hook', eventTypes: [], scope: 'self', description: '' };
  await world().call('POST', '/integration/webhooks', { token: account.token, body });
  const events = Array.from({ length: 20 }, (_, index) => aDueEvent(account.id, `Å${index} "<&>\u2028 ö/😀`));
  await storeEvents(world().store, events);
  const sent = await bodiesFor(account.id);
  t.is(sent.length, 20);
  t.is((await read(account)).text, `{"events":[${sent.join(',')}],"nextCursor":"${cursorAt(account.id, 20)}"}`);
});

// specification: jwt-or-api-key
test('200: a reseller reads the events of its member as its members-scope endpoint is sent them', async (t) => {
  const reseller = await world().reseller();
  const body = { url: 'https://93.184.216.34/hook', eventTypes: [], scope: 'members', description: '' };
  await world().call('POST', '/integration/webhooks', { token: reseller.token, body });
  const member = await world().memberOf(reseller);
  await storeEvents(world().store, [aDueEvent(member.id, 'A1'), aDueEvent(member.id, 'A2')]);
  const headers = { 'x-partner-account': member.reference };
  const reply = await read({ apiKey: reseller.apiKey, headers });
  t.is(reply.status, 200);
  t.deepEqual(reply.body.events[0].data.account, { serviceUserId: member.id, memberExternalId: member.reference });
  const sent = await bodiesFor(reseller.id);
  t.is(reply.text, `{"events":[${sent.join(',')}],"nextCursor":"${cursorAt(member.id, 2)}"}`);
  const own = await read(member);
  t.deepEqual(own.body.events[0].data.account, { serviceUserId: member.id });
  t.deepEqual((await read(reseller)).body.events, []);
});

// specification: jwt-or-api-key
test('403: X-Partner-Account of somebody who is no member, or no longer', async (t) => {
  const [reseller, stranger] = [await world().reseller(), await world().reseller()];
  const member = await world().memberOf(reseller);
  const headers = { 'x-partner-account': member.reference };
  const forbidden = { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' };
  isError(t, await read({ apiKey: stranger.apiKey, headers }), forbidden);
  await world().call('DELETE', '/business/my-deal', { token: member.token });
  isError(t, await read({ apiKey: reseller.apiKey, headers }), forbidden);
});

let shared: ReturnType<typeof accountWithEvents> | undefined;
const withThreeEvents = () => (shared ??= accountWithEvents(3));

const badQueries: Readonly<Record<string, (account: string) => Record<string, string>>> = {
  'limit 0': () => ({ limit: '0' }),
  'limit 501': () => ({ limit: '501' }),
  'a limit that is no number': () => ({ limit: '1e2' }),
  'an empty limit': () => ({ limit: '' }),
  'a parameter of another name': (account) => ({ cursor: cursorAt(account, 0) }),
  'an empty cursor': () => ({ after: '' }),
  'a cursor of something else': () => ({ after: 'abc' }),
  'the bare number': () => ({ after: '1' }),
  'a cursor of no account': () => ({ after: encoded('1:1') }),
  'a cursor of another account': () => ({ after: cursorAt('00000000-0000-4000-8000-000000000000', 1) }),
  'a cursor with padding': (account) => ({ after: `${cursorAt(account, 1)}=` }),
  'a cursor with a leading zero': (account) => ({ after: encoded(`1:01:${account}`) }),
  'a cursor below zero': (account) => ({ after: encoded(`1:-1:${account}`) }),
  'a cursor of another version': (account) => ({ after: encoded(`2:1:${account}`) }),
  'a cursor with more behind it': (account) => ({ after: encoded(`1:1:${account}\n`) }),
  'a cursor beyond all numbers': (account) => ({ after: encoded(`1:${'9'.repeat(16)}:${account}`) }),
  'a cursor from the future': (account) => ({ after: cursorAt(account, 4) }),
};

for (const [name, queryFor] of Object.entries(badQueries)) {
  // specification: a-cursor-of-nobody
  test(`400: ${name}`, async (t) => {
    const account = await withThreeEvents();
    const query = queryFor(account.id);
    const reply = await read(account, query);
    isError(t, reply, { status: 400, code: 'BAD_REQUEST' });
    t.is(reply.body.details[0].field, Object.keys(query)[0]);
  });
}

// specification: 30-days-a-cursor
test('410: events behind the cursor were removed; the message says how to go on, and so it goes on', async (t) => {
  const account = await accountWithEvents(5);
  await remove(account.id, [1, 2]);
  for (const number of [0, 1]) {
    const reply = await read(account, { after: cursorAt(account.id, number) });
    isError(t, reply, { status: 410, code: 'GONE' });
    t.regex(reply.body.error, /without `after`/);
  }
  t.deepEqual(externalIds(await read(account)), ['A3', 'A4', 'A5']);
});

// specification: 30-days-a-cursor
test('200: a reader that has all that was removed misses nothing', async (t) => {
  const account = await accountWithEvents(4);
  await remove(account.id, [1, 2]);
  t.deepEqual(externalIds(await read(account, { after: cursorAt(account.id, 2) })), ['A3', 'A4']);
  await remove(account.id, [3, 4]);
  t.deepEqual((await read(account, { after: cursorAt(account.id, 4) })).body, {
    events: [],
    nextCursor: cursorAt(account.id, 4),
  });
  t.deepEqual((await read(account)).body, { events: [], nextCursor: cursorAt(account.id, 4) });
  isError(t, await read(account, { after: cursorAt(account.id, 3) }), { status: 410, code: 'GONE' });
});

// specification: 30-days-a-cursor
test('a page ends before a hole, and whoever begins anew begins behind it', async (t) => {
  const account = await accountWithEvents(6);
  await remove(account.id, [1, 4]);
  const page = await read(account, { after: cursorAt(account.id, 1) });
  t.deepEqual(externalIds(page), ['A2', 'A3']);
  isError(t, await read(account, { after: page.body.nextCursor }), { status: 410, code: 'GONE' });
  t.deepEqual(externalIds(await read(account)), ['A5', 'A6']);
});

const [writerCount, eventsEach] = [6, 8];

// specification: a-reader-never-skips
test('while six writers store side by side, a reader sees every event once, in the order of the feed', async (t) => {
  const account = await world().account();
  let writing = true;
  const writers = Promise.all(Array.from({ length: writerCount }, (_, writer) => writeMany(account.id, writer))).then(
    () => {
      writing = false;
    },
  );
  const seen: string[] = [];
  let cursor: Record<string, string> = {};
  for (let isLast = false; !isLast;) {
    isLast = !writing;
    const reply = await read(account, { limit: '7', ...cursor });
    t.is(reply.status, 200);
    seen.push(...externalIds(reply));
    if (reply.body.events.length > 0) isLast = false;
    cursor = { after: reply.body.nextCursor };
  }
  await writers;
  t.is(new Set(seen).size, writerCount * eventsEach);
  t.is(seen.length, writerCount * eventsEach);
  for (let writer = 0; writer < writerCount; writer += 1) {
    const own = seen.filter((externalId) => externalId.startsWith(`${writer}-`));
    t.deepEqual(
      own,
      Array.from({ length: eventsEach }, (_, index) => `${writer}-${index}`),
    );
  }
  const rows = await world()
    .store.connection.collection<{ externalId: string }>('events')
    .find({ accountId: account.id })
    .sort({ number: 1 })
    .toArray();
  t.deepEqual(
    seen,
    rows.map(({ externalId }) => externalId),
  );
});

/** So many events, one to three at a time. */
async function writeMany(account: string, writer: number): Promise<void> {
  for (let index = 0; index < eventsEach;) {
    const size = Math.min(1 + ((writer + index) % 3), eventsEach - index);
    const batch = Array.from({ length: size }, (_, offset) => aDueEvent(account, `${writer}-${index + offset}`));
    await storeEvents(world().store, batch);
    index += size;
  }
}

/** What is to be sent to the targets of this account, in the order of the events. */
async function bodiesFor(account: string): Promise<string[]> {
  const rows = await world()
    .store.connection.collection<{ body: { value(): Uint8Array } }>('deliveries')
    .find({ accountId: account })
    .sort({ eventAt: 1, sequence: 1, _id: 1 })
    .toArray();
  return rows.map(({ body }) => Buffer.from(body.value()).toString('utf8'));
}

const typesOf = (reply: Reply): string[] => reply.body.events.map(({ eventType }: { eventType: string }) => eventType);

test('200: without `types` the specified events alone, and a page is full though others stand between', async (t) => {
  const account = await world().account();
  const mixed = (['item.created', 'order.paid', 'item.changed', 'item.sold', 'order.shipped'] as const).map(
    (type, index) => aDueEvent(account.id, `A${index}`, type),
  );
  await storeEvents(world().store, mixed);
  const page = await read(account, { limit: '2' });
  t.deepEqual(typesOf(page), ['item.created', 'item.sold']);
  const rest = await read(account, { limit: '2', after: page.body.nextCursor });
  t.deepEqual(typesOf(rest), []);
  t.is((await read(account, { after: rest.body.nextCursor })).body.nextCursor, rest.body.nextCursor);
});

test('200: `types` gives those alone, in their order, each once over all pages', async (t) => {
  const account = await world().account();
  const events = Array.from({ length: 600 }, (_, n) =>
    aDueEvent(account.id, `A${n}`, n % 200 === 0 ? 'order.paid' : n % 2 === 0 ? 'item.changed' : 'item.created'),
  );
  await storeEvents(world().store, events);
  const types = 'order.paid,order.shipped';
  const first = await read(account, { types, limit: '2' });
  t.deepEqual(externalIds(first), ['A0', 'A200']);
  const second = await read(account, { types, limit: '2', after: first.body.nextCursor });
  t.deepEqual(externalIds(second), ['A400']);
  t.is(second.body.nextCursor, cursorAt(account.id, 600));
});

test('200: `after=now` gives no events, and a cursor behind the newest', async (t) => {
  const account = await accountWithEvents(3);
  const now = await read(account, { after: 'now' });
  t.deepEqual(now.body, { events: [], nextCursor: cursorAt(account.id, 3) });
  await storeEvents(world().store, [aDueEvent(account.id, 'B1')]);
  t.deepEqual(externalIds(await read(account, { after: now.body.nextCursor })), ['B1']);
});

test('400: a type that there is not', async (t) => {
  const account = await world().account();
  for (const types of ['item.gone', 'item.sold,', 'webhook.test'])
    isError(t, await read(account, { types }), { status: 400, code: 'BAD_REQUEST' });
});

test('403: the orders of a member that does not share them; its other events are given', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  await storeEvents(world().store, [aDueEvent(member.id, 'A1'), aDueEvent(member.id, 'A2', 'order.paid')]);
  const as = { apiKey: reseller.apiKey, headers: { 'X-Partner-Account': member.reference } };
  isError(t, await read(as, { types: 'item.created,order.paid' }), { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  t.deepEqual(externalIds(await read(as, { types: 'item.created' })), ['A1']);
  await world().call('PATCH', '/business/my-deal', { token: member.token, body: { sharesOrders: true } });
  t.deepEqual(externalIds(await read(as, { types: 'item.created,order.paid' })), ['A1', 'A2']);
});

test('events that no reader asks for are numbered after an hour, so that they expire', async (t) => {
  const [old, fresh] = [await world().account(), await world().account()];
  const { store } = world();
  await storeEvents(store, [aDueEvent(old.id, 'A1')], present(-3_700_000));
  await storeEvents(store, [aDueEvent(fresh.id, 'A1')]);
  while (await numberUnread(store));
  const numberOf = async ({ id }: { readonly id: string }): Promise<unknown> =>
    (await store.connection.collection('events').findOne({ accountId: id }))?.['number'];
  t.is(await numberOf(old), 1);
  t.is(await numberOf(fresh), undefined);
});
