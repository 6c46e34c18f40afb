import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { itemId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { createItemWrites } from '../support/item-writes.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { Barrier } from '../support/barrier.ts';
import { isError, withApiWorld, type CallOptions, type Reply, type TestAccount } from '../support/api-world.ts';

// Two members of one reseller, with items of the same external ids, pushed by one API key: each place in which they could be
// taken for each other. Each test has a reseller of its own.

const world = withApiWorld(test);

interface Member extends TestAccount {
  readonly reference: string;
  /** As the reseller's system calls for it. */
  readonly byKey: CallOptions;
}

interface Pair {
  readonly reseller: TestAccount & { readonly slug: string };
  readonly first: Member;
  readonly second: Member;
}

async function aPair(): Promise<Pair> {
  const reseller = await world().reseller();
  const member = async (): Promise<Member> => {
    const account = await world().memberOf(reseller);
    const byKey = { apiKey: reseller.apiKey, headers: { 'x-partner-account': account.reference } };
    return { ...account, byKey };
  };
  return { reseller, first: await member(), second: await member() };
}

const pathOf = (externalId: string, rest = ''): string => `/integration/v1/items/${externalId}${rest}`;

async function must(status: number, call: Promise<Reply>): Promise<Reply> {
  const reply = await call;
  if (reply.status !== status) throw new Error(`expected ${status}, got ${reply.status}: ${reply.text}`);
  return reply;
}

const body = (more: object = {}) => ({ title: 'Strålkastare Volvo V70', price: 450, imageUrls: [], ...more });
const put = (member: Member, externalId: string, more: object = {}): Promise<Reply> =>
  must(202, world().call('PUT', pathOf(externalId), { ...member.byKey, body: body(more) }));
const get = (member: Member, externalId: string, rest = ''): Promise<Reply> =>
  world().call('GET', pathOf(externalId, rest), member.byKey);
const list = (member: Member, query: Record<string, string> = {}): Promise<Reply> =>
  world().call('GET', `/integration/v1/items?${new URLSearchParams(query).toString()}`, member.byKey);
const idsOf = ({ body: answer }: Reply): string[] =>
  (answer.items as { serviceItemId: string }[]).map(({ serviceItemId }) => serviceItemId);

test('the same external id is one item for each member: content, price and status are each its own', async (t) => {
  const { first, second } = await aPair();
  const [one, other] = [
    await put(first, 'ART-1', { title: 'Ett' }),
    await put(second, 'ART-1', { title: 'Två', price: 99 }),
  ];
  t.is(one.body.message, 'Item created');
  t.is(other.body.message, 'Item created');
  t.not(one.body.itemId, other.body.itemId);
  await must(202, world().call('PATCH', pathOf('ART-1', '/price'), { ...first.byKey, body: { price: 700 } }));
  const sold = { status: 'sold' };
  await must(202, world().call('PATCH', pathOf('ART-1', '/status'), { ...second.byKey, body: sold }));
  t.like((await get(first, 'ART-1', '?view=full')).body, { title: 'Ett', price: 700 });
  t.not((await get(first, 'ART-1')).body.serviceStatus, 'sold');
  t.like((await get(second, 'ART-1', '?view=full')).body, { title: 'Två', price: 99, serviceStatus: 'sold' });
});

test('the same external id sent for both members at once, again and again, makes one item each', async (t) => {
  const { first, second } = await aPair();
  const pushes = Array.from({ length: 20 }, (_, n) => put(n % 2 === 0 ? first : second, 'RACE-1', { price: 100 + n }));
  const replies = await Promise.all(pushes);
  const made = replies.map(({ body: answer }) => answer.itemId as string);
  t.is(new Set(made.filter((_, n) => n % 2 === 0)).size, 1);
  t.is(new Set(made).size, 2);
  const rows = await world().store.connection.collection('items').countDocuments({ externalId: 'RACE-1' });
  t.is(rows, 2);
});

test('a write of one member that hangs holds up no write of the other under the same external id', async (t) => {
  const { reseller, first, second } = await aPair();
  const barrier = new Barrier();
  const writes = createItemWrites({
    items: createItemStore(world().store),
    confirmCredential: async ({ accountId }) => {
      if (accountId === first.id) await barrier.pass();
    },
    newItemId: () => itemId(randomUUID()),
    now: world().now,
  });
  const push = (member: Member) => {
    const scope = { accountId: member.id, actingAccountId: reseller.id, credential: { kind: 'system' } } as Scope;
    return writes.upsert(scope, { externalId: 'TURN-1', request: anItemRequest() });
  };
  const slow = push(first);
  await barrier.reached;
  t.is((await push(second)).outcome, 'created');
  barrier.open();
  t.is((await slow).outcome, 'created');
});

test('the ETag of one member’s item fits no item of the other', async (t) => {
  const { first, second } = await aPair();
  await put(first, 'TAG-1');
  await put(second, 'TAG-1');
  const tag = (await get(first, 'TAG-1')).headers.get('etag') ?? '';
  const withTag = { ...second.byKey, headers: { ...second.byKey.headers, 'if-match': tag } };
  isError(t, await world().call('PUT', pathOf('TAG-1'), { ...withTag, body: body({ price: 1 }) }), {
    status: 412,
    code: 'PRECONDITION_FAILED',
  });
  isError(t, await world().call('DELETE', pathOf('TAG-1'), withTag), { status: 412, code: 'PRECONDITION_FAILED' });
  t.is((await get(second, 'TAG-1')).body.price, 450);
});

test('lists, full-text search and search keys find the member’s own item of the two', async (t) => {
  const { first, second } = await aPair();
  const finds = [
    { domain: { domain: 'auto_parts', part: { oemNumber: '1K0 615 301 AA' } }, key: { oem_number: '1K0-615-301-AA' } },
    { domain: { domain: 'vehicles', registrationPlate: 'MLB 84A' }, key: { plate: 'mlb84a' } },
    { domain: { domain: 'books', isbn: '978-0-306-40615-7' }, key: { isbn: '0306406152' } },
  ] as const;
  for (const [n, { domain, key }] of finds.entries()) {
    const externalId = `FIND-${n}`;
    const title = `Strålkastare nummer${n}`;
    const one = await put(first, externalId, { title, domain });
    const other = await put(second, externalId, { title, domain });
    for (const query of [key, { q: `strålkastare nummer${n}` }, { domain: domain.domain }] as Record<
      string,
      string
    >[]) {
      t.deepEqual(idsOf(await list(first, query)), [one.body.itemId], JSON.stringify(query));
      t.deepEqual(idsOf(await list(second, query)), [other.body.itemId], JSON.stringify(query));
    }
  }
  for (const member of [first, second]) t.is(idsOf(await list(member)).length, finds.length);
});

test('a cursor of one member’s list or feed is refused for the other, where it would skip what is there', async (t) => {
  const { first, second } = await aPair();
  for (const externalId of ['C-1', 'C-2']) for (const member of [first, second]) await put(member, externalId);
  const { nextCursor: cursor } = (await list(first, { limit: '1' })).body;
  t.is((await list(first, { limit: '1', cursor })).status, 200);
  isError(t, await list(second, { limit: '1', cursor }), { status: 400, code: 'BAD_REQUEST' });
  const feed = (member: Member, query: string) => world().call('GET', `/integration/events${query}`, member.byKey);
  const { nextCursor: after } = (await feed(first, '')).body;
  t.is((await feed(first, `?after=${encodeURIComponent(after)}`)).status, 200);
  isError(t, await feed(second, `?after=${encodeURIComponent(after)}`), { status: 400, code: 'BAD_REQUEST' });
});

test('timeline, log and the reseller’s own view say of which member an item was', async (t) => {
  const { reseller, first, second } = await aPair();
  await put(first, 'LOG-1');
  await put(second, 'LOG-1');
  await put(second, 'LOG-1', { price: 500 });
  t.is((await get(first, 'LOG-1', '/timeline')).body.entries.length, 1);
  t.is((await get(second, 'LOG-1', '/timeline')).body.entries.length, 2);
  const entries = async (token: string, query: string) =>
    ((await world().call('GET', `/partner/audit-log?externalId=LOG-1${query}`, { token })).body.entries as object[])
      .length;
  t.is(await entries(first.token, ''), 1);
  t.is(await entries(second.token, ''), 2);
  t.is(await entries(reseller.token, ''), 0);
  t.is(await entries(reseller.token, '&view=acting'), 3);
});

test('a deleted and recreated item of one member continues its own sequence, and the other’s stays as it was', async (t) => {
  const { first, second } = await aPair();
  await put(first, 'SEQ-1');
  const stays = (await put(second, 'SEQ-1')).body.itemId as string;
  for (let round = 0; round < 3; round += 1) {
    await must(202, world().call('DELETE', pathOf('SEQ-1'), first.byKey));
    await put(first, 'SEQ-1');
  }
  t.is((await get(second, 'SEQ-1')).body.serviceItemId, stays);
  const items = world().store.connection.collection('items');
  const sequenceOf = async (accountId: string) =>
    (await items.findOne({ accountId, externalId: 'SEQ-1', current: true }))?.['sequence'] as number;
  t.true((await sequenceOf(first.id)) > 3);
  t.is(await sequenceOf(second.id), 1);
});

test('orders, their sums and the analytics of one member know nothing of the other’s sale under the same external id', async (t) => {
  const { first, second } = await aPair();
  for (const member of [first, second]) await put(member, 'SALE-1');
  const sale = { externalId: 'SALE-1', platform: 'service_card', amount: 349.5, status: 'paid' };
  const { body: order } = await must(201, world().call('POST', '/partner/orders', { token: first.token, body: sale }));
  const completed = { token: first.token, body: { status: 'completed' } };
  await must(200, world().call('PATCH', `/partner/orders/${String(order.id)}`, completed));
  const ordersOf = async ({ token }: Member) =>
    ((await world().call('GET', '/partner/orders?externalId=SALE-1', { token })).body.orders as object[]).length;
  t.deepEqual([await ordersOf(first), await ordersOf(second)], [1, 0]);
  isError(t, await world().call('GET', `/partner/orders/${String(order.id)}`, { token: second.token }), {
    status: 404,
    code: 'NOT_FOUND',
  });
  const analyticsOf = async ({ token }: Member) => (await world().call('GET', '/partner/analytics', { token })).text;
  t.true((await analyticsOf(first)).includes('349.5'));
  t.false((await analyticsOf(second)).includes('349.5'));
  t.not((await get(second, 'SALE-1')).body.serviceStatus, 'sold');
  const theirs = { ...sale, amount: 12 };
  await must(201, world().call('POST', '/partner/orders', { token: second.token, body: theirs }));
  t.deepEqual([await ordersOf(first), await ordersOf(second)], [1, 1]);
});

test('the same Idempotency-Key with the same request, sent for both members, is done for both', async (t) => {
  const { first, second } = await aPair();
  for (const member of [first, second]) await put(member, 'ONCE-1');
  const sale = { externalId: 'ONCE-1', platform: 'service', amount: 99 };
  const sell = ({ token }: Member): Promise<Reply> =>
    world().call('POST', '/partner/orders', { token, body: sale, headers: { 'idempotency-key': 'sale-1' } });
  const [one, other, again] = [await sell(first), await sell(second), await sell(second)];
  t.deepEqual([one.status, other.status, again.status], [201, 201, 201]);
  t.not(one.body.id, other.body.id);
  t.is(again.body.id, other.body.id);
  t.is(again.headers.get('idempotency-replayed'), 'true');
  await publishesOfBoth(t, first, second);
});

/** With one key of the reseller for both, so that only the member tells the two requests apart. */
async function publishesOfBoth(t: ExecutionContext, first: Member, second: Member): Promise<void> {
  for (const member of [first, second]) await put(member, 'ONCE-2');
  const publish = ({ byKey }: Member): Promise<Reply> => {
    const headers = { ...byKey.headers, 'idempotency-key': 'publish-1' };
    return world().call('POST', pathOf('ONCE-2', '/publish'), { ...byKey, headers });
  };
  const [one, other, again] = [await publish(first), await publish(second), await publish(first)];
  t.deepEqual([one.status, other.status, again.status], [202, 202, 202]);
  t.is(other.headers.get('idempotency-replayed'), null);
  t.is(again.headers.get('idempotency-replayed'), 'true');
  t.deepEqual([again.body.itemId, one.body.itemId === other.body.itemId], [one.body.itemId, false]);
}

test('a reference that was another member’s before leads to the items of whoever has it now', async (t) => {
  const { reseller, first, second } = await aPair();
  await put(first, 'REF-1', { title: 'Ett' });
  await put(second, 'REF-1', { title: 'Två' });
  const rename = (member: Member, externalId: string): Promise<Reply> =>
    must(
      200,
      world().call('PUT', `/business/my-profile/connections/${member.id}`, {
        token: reseller.token,
        body: { externalId },
      }),
    );
  await rename(first, 'in-between');
  await rename(second, first.reference);
  t.is((await get(first, 'REF-1', '?view=full')).body.title, 'Två', 'asked by the reference that was the first one’s');
  isError(t, await get(second, 'REF-1'), { status: 403, code: 'PARTNER_ACCOUNT_FORBIDDEN' });
  const byNew = { apiKey: reseller.apiKey, headers: { 'x-partner-account': 'in-between' } };
  t.is((await world().call('GET', pathOf('REF-1', '?view=full'), byNew)).body.title, 'Ett');
});
