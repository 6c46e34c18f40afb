import { randomBytes } from 'node:crypto';
import test from 'ava';
import { accountId, itemId, type ItemId } from '../../core/ids.ts';
import { openStore, type StoreConnection } from '../../store/connection.ts';
import { createDeliveryStore } from '../../store/deliveries.ts';
import { createImageRecordStore } from '../../store/image-records.ts';
import { createItemStore } from '../../store/items.ts';
import { createJournalStore } from '../../store/journal.ts';
import { createMarketplaceWatch } from '../../store/marketplace-watch.ts';
import { anAccountId, anItem, noon } from '../support/an-item.ts';

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
  const images = createImageRecordStore(store);
  for (let n = 0; n < 300; n += 1) {
    const item = anItem({ id: idOf(n), externalId: `A${n}` });
    await items.insert(n < 295 ? { ...item, nextNudgeAt: null, settledRevision: 1 } : item);
  }
  // A picture that 300 tombstones had in common, and that many images that nobody has to look at.
  const removed = { removedAt: noon, purgeAt: new Date(Date.now() + 3_600_000) };
  const tombstones = Array.from({ length: 300 }, async (_, index) => {
    const n = 300 + index;
    const item = anItem({ id: idOf(n), externalId: `A${n}` });
    const held = { sourceUrl: 'x', state: 'hosted' as const, contentHash: 'popular', reason: null };
    const imageSet = { ...item.imageSet, images: [held] };
    await items.insert({ ...item, imageSet, nextNudgeAt: null, settledRevision: 1, current: false, ...removed });
    await images.claim({ accountId: anAccountId, contentHash: `hash-${n}` }, noon);
  });
  await Promise.all(tombstones);
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
  await items.findVisible(anAccountId, 'gone');
  await items.findPredecessor(anAccountId, 'A7');
  await items.hasPredecessorUp(anAccountId, 'A7');
  await createJournalStore(store).listNewest(anAccountId, idOf(7), { before: 5, limit: 100 });
  await items.findById(idOf(7));
  await items.findByAdIds(anAccountId, ['9001', '9002']);
  await items.hasWatchedListings(anAccountId);
  await items.makeWaitingDue(anAccountId, ['marketplace_connection'], noon);
  await items.findReferencedImages(anAccountId, ['popular', 'unknown']);
  await images.listCollectable({ unclaimedSince: new Date(0), markedBefore: noon, limit: 100 });
  const [image] = await images.listCollectable({ unclaimedSince: noon, markedBefore: noon, limit: 1 });
  if (image === undefined) throw new Error('no image record');
  const marked = await images.mark(image, noon);
  await images.claim(image, noon);
  await images.isStored(image);
  if (marked !== null) await images.remove(marked);
  await createDeliveryStore(store).claimDue(noon, 100);
  await watch.claimLook(noon, noon);
  await watch.listResumeOwed(100);
  await watch.watch(accountId('nobody'), noon);
  await database.command({ profile: 0 });
  const profiled = await database
    .collection<ProfiledQuery>('system.profile')
    .find({ planSummary: { $exists: true } })
    .toArray();
  t.true(profiled.length >= 25, `${profiled.length} queries were seen`);
  const scans = profiled.filter(({ planSummary }) => planSummary?.includes('COLLSCAN') === true);
  t.deepEqual(
    scans.map(({ ns, command }) => [ns, command]),
    [],
  );
  t.true(profiled.every(({ docsExamined }) => (docsExamined ?? 0) <= 10));
});
