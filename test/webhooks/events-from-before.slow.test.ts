import test from 'ava';
import { emit } from '../../features/webhooks/rules/event-data.ts';
import { accountId, eventId, itemId } from '../../features/rules/ids.ts';
import { createItem } from '../../features/items/rules/upsert-item.ts';
import { createItemLineStore } from '../../features/items/store/item-lines.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { readDatabaseTime } from '../../platform/database/connection.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { withApiWorld, type TestAccount } from '../support/api-world.ts';
import { until } from '../support/until.ts';
import { present } from '../support/clock.ts';

// A target is told of an event when it was there as the write of the event was accepted.

const world = withApiWorld(test);

/** The database's clock has moved on by a millisecond at least: what comes now is later than all before. */
async function tick(): Promise<void> {
  const before = await readDatabaseTime(world().store);
  await until('the next millisecond', async () => (await readDatabaseTime(world().store)) > before);
}

async function push({ apiKey }: TestAccount, externalId: string): Promise<void> {
  const body = { title: 'Strålkastare', price: 450, imageUrls: [], domain: { domain: 'bildelar' } };
  await world().call('PUT', `/integration/v1/items/${externalId}`, { apiKey, body });
  await tick();
}

async function register({ token }: TestAccount, scope: 'self' | 'members'): Promise<string> {
  const body = { url: 'https://erp.example.se/hooks', eventTypes: [], scope, description: '' };
  const { id } = (await world().call('POST', '/integration/webhooks', { token, body })).body;
  await tick();
  return String(id);
}

async function setUrl({ token }: TestAccount, webhookUrl: string | null): Promise<void> {
  await world().call('PUT', '/integration/webhook-settings', { token, body: { webhookUrl } });
  await tick();
}

/** `event of item` of each delivery to a target of the account, sorted. */
async function toldOf(account: string): Promise<string[]> {
  const rows = await world().store.connection.collection('deliveries').find({ accountId: account }).toArray();
  return rows.map(({ eventType, externalId }) => `${String(eventType)} of ${String(externalId)}`).toSorted();
}

// specification: 12-told-of-are
test('an endpoint is told of what was accepted since its registration', async (t) => {
  const account = await world().account();
  await push(account, 'A1');
  await register(account, 'self');
  await push(account, 'A2');
  t.deepEqual(await toldOf(account.id), ['item.created of A2']);
});

// specification: 12-told-of-are
test('a recovery knows nothing of events from before the registration, or from before a member joined', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  await push(member, 'A1');
  const own = await register(member, 'self');
  const ofMembers = await register(reseller, 'members');
  for (const [{ token }, id] of [[member, own] as const, [reseller, ofMembers] as const])
    await world().call('PATCH', `/integration/webhooks/${id}`, { token, body: { active: false } });
  await push(member, 'A2');
  await world().call('POST', `/p/${reseller.slug}/connect`, { token: member.token });
  await tick();
  await push(member, 'A3');
  const since = new Date(world().now().getTime() - 3_600_000).toISOString();
  const missedBy = async ({ token }: TestAccount, id: string) =>
    (await world().call('POST', `/integration/webhooks/${id}/recover?dryRun=true`, { token, body: { since } })).body;
  t.like(await missedBy(member, own), { count: 2 });
  t.like(await missedBy(reseller, ofMembers), { count: 1 });
});

test('the account-level URL is told of what was accepted since it was set; another URL in its place misses nothing', async (t) => {
  const account = await world().account();
  await push(account, 'A1');
  await setUrl(account, 'https://erp.example.se/one');
  await push(account, 'A2');
  await setUrl(account, 'https://erp.example.se/two');
  await push(account, 'A3');
  t.deepEqual(await toldOf(account.id), ['item.created of A2', 'item.created of A3']);
  await setUrl(account, null);
  await push(account, 'A4');
  await setUrl(account, 'https://erp.example.se/one');
  t.false((await toldOf(account.id)).includes('item.created of A4'));
});

// specification: 12-told-of-are
test('a reseller is told of what was accepted since the member joined', async (t) => {
  const [reseller, member] = [await world().reseller(), await world().account()];
  await register(reseller, 'members');
  await push(member, 'A1');
  await world().call('POST', `/p/${reseller.slug}/connect`, { token: member.token });
  await tick();
  await push(member, 'A2');
  t.deepEqual(await toldOf(reseller.id), ['item.created of A2']);
});

test('of one item, what an earlier write carries is told to earlier targets only; a sale counts from our own write', async (t) => {
  const account = await world().account();
  await push(account, 'A1');
  await register(account, 'self');
  const items = createItemStore(world().store);
  const item = await items.findCurrent(accountId(account.id), 'A1');
  if (item === null) throw new Error('not stored');
  const sold = emit(item, {
    eventId: eventId(`evt_${item.id.replaceAll('-', '')}_sold`),
    type: 'item.sold',
    occurredAt: present(-3_600_000),
    platform: 'marketplace',
    extra: {},
  });
  await items.replace(item, sold);
  t.deepEqual(await toldOf(account.id), ['item.sold of A1']);
});

test('a line of a bulk sync counts from its own write, so that no item appears unseen after a registration', async (t) => {
  const account = await world().account();
  const acceptedAt = await readDatabaseTime(world().store);
  await tick();
  await register(account, 'self');
  const [owner, now] = [accountId(account.id), present()];
  const id = itemId('20000000-0000-4000-8000-000000000001');
  const line = { id, accountId: owner, externalId: 'L1', request: anItemRequest(), sequenceBefore: 0, now };
  const created = createItem({ ...line, actor: { kind: 'system' } as never });
  await createItemLineStore(world().store).write([{ previous: null, next: { ...created, acceptedAt } }]);
  t.deepEqual(await toldOf(account.id), ['item.created of L1']);
});
