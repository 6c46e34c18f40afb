import test from 'ava';
import {
  accountId,
  deliveryId,
  endpointId,
  eventId,
  itemId,
  recoveryId,
  type ItemId,
} from '../../features/rules/ids.ts';
import { newEndpointLife } from '../../features/webhooks/rules/disable-after-failures.ts';
import { newRecovery, type RecoveryPosition } from '../../features/webhooks/rules/recovery.ts';
import type { StoreConnection } from '../../platform/database/connection.ts';
import {
  beginWaiting,
  claimOwedDeliveries,
  closeWaiting,
  countUnderWay,
  findWaiting,
  giveBack,
  listWaitingTargets,
  readOpenDeliveries,
} from '../../features/webhooks/store/waiting-deliveries.ts';
import { deliveryRows, newDelivery, type Delivery } from '../../features/webhooks/store/deliveries.ts';
import { findOwedKinds } from '../../features/relay/store/owed-kinds.ts';
import { createImageClaimStore } from '../../features/images/store/image-claims.ts';
import { createImageRecordStore } from '../../features/images/store/image-records.ts';
import {
  claimBacklog,
  claimOwed,
  countBulkAtWork,
  findBacklog,
  findOldestStart,
  findOwed,
  listBacklogAccounts,
} from '../../features/items/store/owed-items.ts';
import { createItemLineStore } from '../../features/items/store/item-lines.ts';
import { createItemStore } from '../../features/items/store/items.ts';
import { listNewestEntries } from '../../features/items/store/journal.ts';
import { createMarketplaceWatch } from '../../features/listings/store/marketplace-watch.ts';
import {
  countMissed,
  deliverAgain,
  findDeliveryEnd,
  findMadeFor,
  findNextMissed,
  hasPendingDelivery,
  isAnyMissed,
} from '../../features/webhooks/store/missed-deliveries.ts';
import {
  findRecovery,
  findRunning,
  insertRecovery,
  listRecoveries,
  replaceRecovery,
} from '../../features/webhooks/store/recoveries.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  changeEndpointLife,
  findDueForRecovery,
  webhookEndpoints,
} from '../../features/webhooks/store/webhook-endpoints.ts';
import { anAccountId, anItem, noon } from '../support/an-item.ts';
import { closeTestStore, openTestStore } from '../support/open-test-store.ts';
import { withDatabase } from '../support/with-database.ts';
import { present } from '../support/clock.ts';
import { storeAsIs } from '../support/store-as-is.ts';

let store: StoreConnection;
withDatabase(test, (opened) => (store = opened));

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
  const claims = createImageClaimStore(store);
  for (let n = 0; n < 300; n += 1) {
    const item = anItem({ id: idOf(n), externalId: `A${n}` });
    const owed = n < 295 ? { settledRevision: 1 } : ({ startAt: noon, bulk: 'waits' } as const);
    await storeAsIs(store, { ...item, ...owed });
  }
  // A picture that 300 tombstones had in common, and that many images that nobody has to look at.
  const removed = { removedAt: noon, purgeAt: present(3_600_000) };
  const tombstones = Array.from({ length: 300 }, async (_, index) => {
    const n = 300 + index;
    const item = anItem({ id: idOf(n), externalId: `A${n}` });
    const held = { sourceUrl: 'x', state: 'hosted' as const, contentHash: 'popular', failure: null };
    const imageSet = { ...item.imageSet, images: [held] };
    await storeAsIs(store, { ...item, imageSet, settledRevision: 1, current: false, ...removed });
    await images.name(anAccountId, [{ contentHash: `hash-${n}`, bytes: 1 }], noon);
    await claims.open({ itemId: idOf(n), number: 1, accountId: anAccountId }, noon);
  });
  await Promise.all(tombstones);
  const database = store.connection.db;
  if (database === undefined) throw new Error('not connected');
  await database.command({ profile: 2 });
  const watch = createMarketplaceWatch(store);
  const inAMinute = new Date(noon.getTime() + 60_000);
  t.deepEqual([...(await findOwedKinds(store, inAMinute))], ['backlog']);
  t.deepEqual(await listBacklogAccounts(store), [anAccountId]);
  const bulk = await findBacklog(store, anAccountId, { limit: 100 });
  t.is((await claimBacklog(store, bulk, noon)).length, 5);
  t.is(await countBulkAtWork(store, 10), 5);
  const owed = await findOwed(store, { now: inAMinute, limit: 100 });
  t.is((await claimOwed(store, owed, noon)).length, 5);
  t.true((await findOldestStart(store)) instanceof Date);
  t.is(await findOldestStart(store, 'waits'), null);
  await items.findCurrent(anAccountId, 'A7');
  await items.findVisible(anAccountId, 'gone');
  await items.findPredecessor(anAccountId, 'A7');
  await items.hasPredecessorUp(anAccountId, 'A7');
  const lines = createItemLineStore(store);
  await lines.findCurrent(anAccountId, ['A7', 'A8', 'gone']);
  await lines.findFormer(anAccountId, ['A7', 'A307']);
  await lines.findByIds(anAccountId, [idOf(7), idOf(8)]);
  await listNewestEntries(store, { accountId: anAccountId, id: idOf(7) }, { before: 5, limit: 100 });
  await items.findById({ accountId: anAccountId, id: idOf(7) });
  await items.findByAdIds(anAccountId, ['9001', '9002']);
  await items.hasWatchedListings(anAccountId);
  await items.makeWaitingDue(anAccountId, { reasons: ['marketplace_connection'], now: noon, limit: 30 });
  await items.findReferencedImages(anAccountId, ['popular', 'unknown']);
  await images.listCollectable({ unclaimedSince: new Date(0), markedBefore: noon, limit: 100 });
  const [image] = await images.listCollectable({ unclaimedSince: noon, markedBefore: noon, limit: 1 });
  if (image === undefined) throw new Error('no image record');
  const marked = await images.mark(image, noon);
  const { contentHash } = image;
  await images.find(anAccountId, contentHash);
  await images.findUnknown(anAccountId, [contentHash, 'unknown']);
  await images.name(anAccountId, [{ contentHash, bytes: 1 }], noon);
  const [claim] = await claims.listOpen({ openedBefore: noon, limit: 1 });
  if (claim !== undefined) await claims.close(claim);
  if (marked !== null) await images.remove(marked);
  await watch.claimLook(noon, noon);
  await watch.listResumeOwed(100);
  await watch.watch(accountId('nobody'), { marketplaceUserId: '4711', at: noon });
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

const [account, endpoint, later] = [accountId('owner'), endpointId('endpoint'), new Date(noon.getTime() + 3_600_000)];
const target = { target: endpoint, accountId: account };
const range = { ...target, since: noon, until: later };

function aFirstDelivery(n: number): Delivery {
  const id = eventId(`evt_${n}`);
  // Of 600, the first 300 got through, and the others are missed.
  const missed = n >= 300;
  const made = newDelivery({
    _id: deliveryId(`dlv_${n}_endpoint_1`),
    accountId: account,
    aboutAccountId: account,
    eventId: id,
    eventType: 'item.created',
    externalId: `A${n}`,
    endpointId: endpoint,
    target: endpoint,
    scope: 'self',
    purpose: 'event',
    eventAt: new Date(noon.getTime() + n),
    sequence: n,
    waits: null,
    startAt: null,
    state: missed ? 'given_up' : 'succeeded',
    missed,
    body: Buffer.from('{}'),
    createdAt: noon,
  });
  return { ...made, attempts: 1 };
}

const aWaitingDelivery = (n: number, of: string): Delivery => ({
  ...aFirstDelivery(n),
  target: of,
  attempts: 0,
  state: 'pending',
  missed: false,
  waits: true,
  startAt: noon,
});

const positionOf = (delivery: Delivery): RecoveryPosition => ({
  eventAt: delivery.eventAt,
  sequence: delivery.sequence,
  first: delivery._id,
});

async function fillForRecoveries(own: StoreConnection): Promise<Delivery[]> {
  const deliveries = Array.from({ length: 600 }, (_, n) => aFirstDelivery(n));
  await deliveryRows(own).insertMany(deliveries as never[]);
  await own.connection.collection<{ _id: string }>('delivery_attempts').insertMany(
    deliveries.map(({ _id, eventId: event, externalId, eventType, missed }) => ({
      _id: `attempt-${_id}`,
      accountId: account,
      deliveryId: _id,
      endpointId: endpoint,
      eventId: event,
      externalId,
      eventType,
      attempt: 1,
      status: missed ? ('failed' as const) : ('success' as const),
      errorMessage: null,
      httpStatus: missed ? 500 : 200,
      durationMs: 1,
      responseStart: '',
      createdAt: noon,
    })),
  );
  await webhookEndpoints(own).insertMany(
    Array.from({ length: 300 }, (_, n) => ({
      ...newEndpointLife,
      _id: n === 0 ? endpoint : endpointId(`other-${n}`),
      accountId: account,
      url: 'https://erp.example/hooks',
      eventTypes: [],
      scope: 'self' as const,
      description: '',
      secretEncrypted: 'x',
      secretHint: 'x',
      createdAt: noon,
      updatedAt: noon,
      recoverAt: n === 0 ? noon : null,
    })),
  );
  const wish = { accountId: account, kind: 'manual', failedInARowMax: 10, since: noon, total: 1 } as const;
  await inTransaction(own, async (session) => {
    for (let n = 0; n < 300; n += 1) {
      const target = n === 0 ? endpoint : `other-${n}`;
      const id = recoveryId(`run-${n}`);
      await insertRecovery(own, newRecovery({ ...wish, id, target, endpointId: null, createdAt: noon }), session);
    }
  });
  const ended = { $set: { state: 'finished' } };
  await own.connection.collection('webhook_recoveries').updateMany({ target: { $ne: endpoint } }, ended);
  return deliveries;
}

interface ProfiledRecoveryQuery extends ProfiledQuery {
  readonly keysExamined?: number;
}

test('no query of recoveries scans a collection, or goes through what it has passed again', async (t) => {
  const own = await openTestStore();
  t.teardown(async () => {
    await closeTestStore(own);
  });
  const deliveries = await fillForRecoveries(own);
  const { db } = own.connection;
  const [late, last] = [deliveries[590], deliveries.at(-1)];
  if (db === undefined || late === undefined || last === undefined) throw new Error('not connected');
  await db.command({ profile: 2 });
  t.is((await findDueForRecovery(own, later, 100)).length, 1);
  t.is((await findNextMissed(own, range, null))?.externalId, 'A300');
  t.is((await findNextMissed(own, range, positionOf(late)))?.externalId, 'A591');
  t.is(await findNextMissed(own, range, positionOf(last)), null);
  t.is(await countMissed(own, { ...range, since: late.eventAt }), 10);
  t.like(await findDeliveryEnd(own, late), { state: 'given_up', httpStatus: 500 });
  t.false(await hasPendingDelivery(own, late));
  t.is(await findMadeFor(own, late, 'nobody'), null);
  t.is((await findRunning(own, target))?.id, recoveryId('run-0'));
  t.is((await listRecoveries(own, { accountId: account, target: endpoint, rowsMax: 20 })).length, 1);
  const run = await findRecovery(own, recoveryId('run-0'));
  await inTransaction(own, async (session) => {
    t.true(await isAnyMissed(own, range, session));
    const wish = { purpose: 'recovery', onlyIfMissed: true, startAt: noon, now: noon } as const;
    t.truthy(await deliverAgain(own, late, { ...wish, session }));
    if (run !== null) t.true(await replaceRecovery(own, { previous: run, next: { ...run, sent: 1 }, session }));
    await changeEndpointLife(own, endpoint, { next: (life) => ({ ...life, recoverAt: null }), session });
  });
  t.is(await countUnderWay(own, target, 10), 1);
  await db.command({ profile: 0 });
  const profiled = await db
    .collection<ProfiledRecoveryQuery>('system.profile')
    .find({ planSummary: { $exists: true } })
    .toArray();
  t.true(profiled.length >= 17, `${profiled.length} queries were seen`);
  const heavy = profiled.filter(
    ({ planSummary, docsExamined = 0, keysExamined = 0 }) =>
      planSummary?.includes('COLLSCAN') === true || docsExamined > 10 || keysExamined > 30,
  );
  t.deepEqual(
    heavy.map(({ ns, planSummary, docsExamined, keysExamined, command }) =>
      JSON.stringify({ ns, planSummary, docsExamined, keysExamined, command }),
    ),
    [],
  );
});

test('no query of what waits for a target goes through deliveries that are closed, or of other targets', async (t) => {
  const own = await openTestStore();
  t.teardown(() => closeTestStore(own));
  const closed = Array.from({ length: 600 }, (_, n) => aFirstDelivery(n));
  const others = Array.from({ length: 300 }, (_, n) => aWaitingDelivery(1_000 + n, `other-${n % 3}`));
  const line = Array.from({ length: 8 }, (_, n) => aWaitingDelivery(2_000 + n, endpoint));
  await deliveryRows(own).insertMany([...closed, ...others, ...line] as never[]);
  const { db } = own.connection;
  if (db === undefined) throw new Error('not connected');
  await db.command({ profile: 2 });
  t.is((await findWaiting(own, target, 5)).length, 5);
  const [first, second] = line;
  if (first === undefined || second === undefined) return t.fail();
  t.true(await beginWaiting(own, { accountId: account, ids: [first._id, second._id] }, noon));
  await giveBack(own, { accountId: account, ids: [second._id] }, noon);
  t.is(await countUnderWay(own, target, 100), 1);
  t.like(await readOpenDeliveries(own, target), { waiting: 7, retrying: 1 });
  t.is((await listWaitingTargets(own)).length, 4);
  t.is((await claimOwedDeliveries(own, { now: later, limit: 5 })).length, 1);
  t.deepEqual([...(await findOwedKinds(own, later))], ['waiting']);
  t.is(await closeWaiting(own, target, { now: later }), 7);
  await db.command({ profile: 0 });
  const profiled = await db
    .collection<ProfiledRecoveryQuery>('system.profile')
    .find({ planSummary: { $exists: true } })
    .toArray();
  t.true(profiled.length >= 7, `${profiled.length} queries were seen`);
  const heavy = profiled.filter(
    ({ planSummary, docsExamined = 0, keysExamined = 0 }) =>
      planSummary?.includes('COLLSCAN') === true || docsExamined > 10 || keysExamined > 20,
  );
  t.deepEqual(
    heavy.map(({ ns, planSummary, docsExamined, keysExamined, command }) =>
      JSON.stringify({ ns, planSummary, docsExamined, keysExamined, command }),
    ),
    [],
  );
});
