import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { theService } from '../../features/items/rules/journal.ts';
import { note } from '../../features/items/rules/note.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { isError, withApiWorld, type Reply, type TestAccount } from '../support/api-world.ts';
import { present } from '../support/clock.ts';

const world = withApiWorld(test);
const base = '/integration/v1/items';
const body = { title: 'Bromsskiva', price: 100, imageUrls: [] };

const call = (account: TestAccount, ...[method, path, options = {}]: [string, string, object?]): Promise<Reply> =>
  world().call(method, `${base}/${path}`, { apiKey: account.apiKey, ...options });
const timeline = (account: TestAccount, externalId: string, query = ''): Promise<Reply> =>
  call(account, 'GET', `${externalId}/timeline${query}`);

/** Writes an item as the service's own workers do. */
async function change(account: TestAccount, externalId: string, to: (item: Item) => Item): Promise<Item> {
  const items = createItemStore(world().store);
  const item = await items.findVisible(accountId(account.id), externalId);
  const stored = item === null ? null : await items.replace(item, to(item));
  if (stored === null) throw new Error(`${externalId} could not be changed`);
  return stored;
}

const noted = (item: Item, count: number): Item =>
  Array.from({ length: count }).reduce<Item>(
    (one, _, n) => note(one, { at: world().now(), kind: 'ended', details: { adId: `ad-${n}` }, actor: theService }),
    item,
  );

// specification: the-timeline-at-kind
test('GET 200: a write shows in the timeline as soon as it was accepted, newest first', async (t) => {
  const account = await world().account();
  await call(account, 'PUT', 'A', { body });
  await call(account, 'PATCH', 'A/price', { body: { price: 120 } });
  const reply = await timeline(account, 'A');
  t.is(reply.headers.get('cache-control'), 'no-store');
  t.deepEqual(
    reply.body.entries.map(({ kind, actor }: Record<string, string>) => [kind, actor]),
    [
      ['price_changed', 'api_key'],
      ['created', 'api_key'],
    ],
  );
  t.is(reply.body.nextBefore, null);
  const [priced] = reply.body.entries;
  t.deepEqual(Object.keys(priced).sort(), ['actor', 'at', 'details', 'kind', 'message']);
  t.deepEqual(priced.details, { from: body.price, to: 120 });
  t.is(priced.message, `The price was changed from ${body.price} to 120 SEK.`);
});

test('GET 200: of a reseller the member sees that it acted, and nothing of its key', async (t) => {
  const reseller = await world().reseller();
  const member = await world().memberOf(reseller);
  await call(reseller, 'PUT', 'A', { body, headers: { 'x-partner-account': member.reference } });
  const reply = await timeline(member, 'A');
  t.is(reply.body.entries[0].actor, 'reseller');
  t.false(reply.text.includes(reseller.id));
  t.notRegex(reply.text, /key|request/i);
});

// specification: the-timeline-at-kind
test('GET 200: the first entry says in plain words why the item waits', async (t) => {
  const account = await world().account();
  await call(account, 'PUT', 'A', { body });
  const since = new Date('2026-11-21T12:00:00Z');
  await change(account, 'A', (item) => ({
    ...item,
    processing: {
      stage: 'publishing',
      waitingFor: 'marketplace_reconnection',
      attempts: 3,
      lastError: 'MARKETPLACE_TOKEN_EXPIRED: the token has expired',
      since,
      notBefore: new Date('2026-11-21T14:00:00Z'),
      updatedAt: new Date('2026-11-21T13:00:00Z'),
    },
  }));
  const [waiting, created] = (await timeline(account, 'A')).body.entries;
  t.is(
    waiting.message,
    'Waiting since 2026-11-21T12:00:00Z for the marketplace account to be reconnected; work goes on as soon as it is; next try at 2026-11-21T14:00:00Z; last problem: MARKETPLACE_TOKEN_EXPIRED: the token has expired.',
  );
  t.like(waiting, { kind: 'waiting', actor: 'service' });
  t.true(waiting.at >= created.at);
  const first = (await timeline(account, 'A', '?limit=1')).body;
  t.deepEqual(
    first.entries.map(({ kind }: { kind: string }) => kind),
    ['waiting'],
  );
  const second = (await timeline(account, 'A', `?limit=1&before=${first.nextBefore}`)).body;
  t.deepEqual(second.entries, [created]);
  t.is(second.nextBefore, null);
});

test('GET 200: a wait is told once, by the first entry alone when it has just begun', async (t) => {
  const account = await world().account();
  await call(account, 'PUT', 'A', { body });
  const at = new Date(world().now().getTime() + 1_000);
  await change(account, 'A', (item) => {
    const processing = { ...item.processing, waitingFor: 'marketplace_connection', since: at, updatedAt: at } as const;
    const details = { waitingFor: 'marketplace_connection', since: null, nextTryAt: null, lastError: null };
    return note({ ...item, processing }, { at, kind: 'waiting', details, actor: theService });
  });
  const { entries } = (await timeline(account, 'A')).body;
  t.deepEqual(
    entries.map(({ kind }: { kind: string }) => kind),
    ['waiting', 'created'],
  );
  t.regex(entries[0].message, /^Waiting since \S+ for a marketplace account to be connected; work goes on as soon as/);
  const first = (await timeline(account, 'A', '?limit=1')).body;
  const second = (await timeline(account, 'A', `?limit=1&before=${first.nextBefore}`)).body;
  t.deepEqual([...first.entries, ...second.entries], entries);
  t.is(second.nextBefore, null);
});

test('GET 200: pages go on without a gap or a repeat, from the item into what is stored', async (t) => {
  const account = await world().account();
  await call(account, 'PUT', 'A', { body });
  await change(account, 'A', (item) => noted(item, 20));
  await change(account, 'A', (item) => noted(item, 9));
  const all = (await timeline(account, 'A')).body.entries;
  t.is(all.length, 30);
  const read = [];
  for (let before: number | null | undefined; before !== null;) {
    const page: Reply = await timeline(account, 'A', `?limit=7${before === undefined ? '' : `&before=${before}`}`);
    t.true(page.body.entries.length <= 7);
    read.push(...page.body.entries);
    before = page.body.nextBefore;
  }
  t.deepEqual(read, all);
});

test('GET 200: an archived item is readable, a deleted one is 404', async (t) => {
  const account = await world().account();
  await call(account, 'PUT', 'A', { body });
  await change(account, 'A', (item) => ({ ...item, current: false, serviceStatus: 'archived' }));
  t.is((await timeline(account, 'A')).body.entries.length, 1);
  t.deepEqual(
    (await world().call('GET', base, { apiKey: account.apiKey })).body.items.map(
      ({ serviceStatus }: { serviceStatus: string }) => serviceStatus,
    ),
    ['archived'],
  );
  await call(account, 'PUT', 'B', { body });
  await call(account, 'DELETE', 'B');
  isError(t, await timeline(account, 'B'), { status: 404, code: 'NOT_FOUND' });
});

test('GET 404: an unknown item, and one of somebody else', async (t) => {
  const [account, stranger] = [await world().account(), await world().account()];
  await call(account, 'PUT', 'A', { body });
  isError(t, await timeline(stranger, 'A'), { status: 404, code: 'NOT_FOUND' });
  isError(t, await timeline(account, 'nope'), { status: 404, code: 'NOT_FOUND' });
  isError(t, await world().call('GET', `${base}/A/timeline`), { status: 401, code: 'UNAUTHORIZED' });
});

test('GET 400: a limit or a page that makes no sense', async (t) => {
  const account = await world().account();
  await call(account, 'PUT', 'A', { body });
  for (const query of ['?limit=0', '?limit=501', '?limit=x', '?before=0', '?before=-1', '?before=x', '?after=1'])
    isError(t, await timeline(account, 'A', query), { status: 400, code: 'BAD_REQUEST' });
});

test('what was done to a deleted item goes 400 days later; that of an item that is there stays', async (t) => {
  const account = await world().account();
  for (const id of ['stays', 'goes']) await call(account, 'PUT', id, { body });
  await call(account, 'DELETE', 'goes');
  const rows = await world()
    .store.connection.collection('journal')
    .find({ accountId: account.id }, { sort: { externalId: 1, number: 1 } })
    .toArray();
  const days = (row: (typeof rows)[number]): number | null =>
    row['purgeAt'] === null ? null : Math.round((row['purgeAt'].getTime() - present().getTime()) / 86_400_000);
  t.deepEqual(
    rows.map((row) => [row['externalId'], row['kind'], days(row)]),
    [
      ['goes', 'created', 400],
      ['goes', 'deleted', 400],
      ['stays', 'created', null],
    ],
  );
});
