import { randomBytes } from 'node:crypto';
import test from 'ava';
import { accountId, itemId, type ItemId } from '../../core/ids.ts';
import { createItem } from '../../core/items/upsert-item.ts';
import { openStore, type StoreConnection } from '../../store/connection.ts';
import { createDeliveryStore } from '../../store/deliveries.ts';
import { createItemStore } from '../../store/items.ts';
import { createMarketplaceWatch } from '../../store/marketplace-watch.ts';
import { anAccountId, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

let store: StoreConnection;
test.before(async () => {
  const database = `t${randomBytes(6).toString('hex')}`;
  store = await openStore({ uri: process.env['TEST_MONGODB_URI'] ?? '', database });
  await store.ensureIndexes();
});
test.after.always(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const idOf = (n: number): ItemId => itemId(`10000000-0000-4000-8000-${String(n).padStart(12, '0')}`);

interface ProfiledQuery {
  readonly ns: string;
  readonly planSummary?: string;
  readonly docsExamined?: number;
  readonly command: unknown;
}

test('no query of the loops and of the request path scans a collection', async (t) => {
  const items = createItemStore(store);
  const request = anItemRequest();
  for (let n = 0; n < 300; n += 1) {
    const item = createItem({ id: idOf(n), accountId: anAccountId, externalId: `A${n}`, request, now: noon });
    await items.insert(n < 295 ? { ...item, nextNudgeAt: null, settledRevision: 1 } : item);
  }
  const database = store.connection.db;
  if (database === undefined) throw new Error('not connected');
  await database.command({ profile: 2 });
  const watch = createMarketplaceWatch(store);
  const due = await items.claimDue(new Date(noon.getTime() + 60_000), 100);
  t.is(due.length, 5);
  await items.releaseClaims(
    due.map((item) => item.itemId),
    noon,
  );
  await items.findCurrent(anAccountId, 'A7');
  await items.findById(idOf(7));
  await items.findByAdIds(anAccountId, ['9001', '9002']);
  await items.hasWatchedListings(anAccountId);
  await items.makeWaitingDue(anAccountId, ['marketplace_connection'], noon);
  await createDeliveryStore(store).claimDue(noon, 100);
  await watch.claimLook(noon, noon);
  await watch.listResumeOwed(100);
  await watch.watch(accountId('nobody'), noon);
  await database.command({ profile: 0 });
  const profiled = await database
    .collection<ProfiledQuery>('system.profile')
    .find({ planSummary: { $exists: true } })
    .toArray();
  t.true(profiled.length >= 11, `${profiled.length} queries were seen`);
  const scans = profiled.filter(({ planSummary }) => planSummary?.includes('COLLSCAN') === true);
  t.deepEqual(
    scans.map(({ ns, command }) => [ns, command]),
    [],
  );
  t.true(profiled.every(({ docsExamined }) => (docsExamined ?? 0) <= 10));
});
