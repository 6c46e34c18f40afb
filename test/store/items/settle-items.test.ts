import { randomUUID } from 'node:crypto';
import test from 'ava';
import { mongo } from 'mongoose';
import { accountId, itemId, type AccountId } from '../../../core/ids.ts';
import type { Item } from '../../../core/items/item.ts';
import { rested, takeShortSteps } from '../../../core/items/short-steps.ts';
import { createItem } from '../../../core/items/upsert-item.ts';
import type { StoreConnection } from '../../../store/database/connection.ts';
import { inTransaction } from '../../../store/database/transaction.ts';
import type { Delivery } from '../../../store/deliveries/deliveries.ts';
import { insertEvents } from '../../../store/events/events.ts';
import { countUncounted, readItemCounts } from '../../../store/items/inventory-counts.ts';
import { createItemStore, itemCollection } from '../../../store/items/items.ts';
import { settleItems, type Settled, type Settlement, type SettleOptions } from '../../../store/items/settle-items.ts';
import { webhookSettings } from '../../../store/webhooks/webhook-settings.ts';
import { aroundStore } from '../../support/around-store.ts';
import { aCaller, later, noon } from '../../support/an-item.ts';
import { anItemRequest } from '../../support/an-item-request.ts';
import { closeTestStore, openTestStore } from '../../support/open-test-store.ts';
import { planUnreserved } from '../../support/stored-events.ts';
import { until } from '../../support/until.ts';

let store: StoreConnection;
test.before(async () => {
  store = await openTestStore();
});
test.after.always(() => closeTestStore(store));

/** An account whose URL gets each of its events. */
async function anAccount(): Promise<AccountId> {
  const account = accountId(randomUUID());
  const secret = { secretEncrypted: 'x', secretHint: 'x', secretShown: true };
  const settings = { _id: account, url: 'https://erp.example/hooks', urlSince: noon, failCount: 0, updatedAt: noon };
  await webhookSettings(store).collection.insertOne({ ...settings, ...secret } as never);
  return account;
}

/** New items, read as the dispatcher reads them. */
async function newItems(account: AccountId, count: number): Promise<Item[]> {
  const items = createItemStore(store);
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const ids = { id: itemId(randomUUID()), accountId: account, externalId: `A${n}`, sequenceBefore: 0 };
      await items.insert(createItem({ ...ids, request: anItemRequest(), actor: aCaller, now: noon }));
      const item = await items.findById(ids.id);
      if (item === null) throw new Error('there is an item');
      return item;
    }),
  );
}

/** What its short steps come to: one event, one entry of history, and the item at rest. */
function settlementOf(previous: Item): Settlement {
  const { item, events, journal } = takeShortSteps(previous, later(1_000));
  return { previous, next: rested(item, later(1_000)), events, journal };
}

function aStage(change: Partial<SettleOptions> = {}) {
  const told: Delivery[][] = [];
  const onStored = (deliveries: readonly Delivery[]): void => void told.push([...deliveries]);
  const options: SettleOptions = { planDeliveries: planUnreserved, onStored, now: () => later(1_000), ...change };
  const settle = (settlements: readonly Settlement[], on = store): Promise<Settled[]> =>
    settleItems(on, settlements, options);
  return { told, settle };
}

const rowsOf = (collection: string, account: AccountId) =>
  store.connection.collection(collection).find({ accountId: account }).toArray();

/** How many of each are stored. */
async function storedOf(account: AccountId) {
  const [events, deliveries, journal] = await Promise.all(
    ['events', 'deliveries', 'journal'].map((collection) => rowsOf(collection, account)),
  );
  const numbers = (events ?? []).map((row) => row['number'] as number);
  return {
    numbers: numbers.toSorted((a, b) => a - b),
    deliveries: deliveries?.length,
    journal: journal?.length,
    due: await itemCollection(store).countDocuments({ accountId: account, due: { $ne: null } }),
  };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
const isStored = (one: Settled | undefined): boolean => one !== null && one !== undefined && !(one instanceof Error);

test('items of several accounts are stored with their events, deliveries and history in one transaction', async (t) => {
  const [one, other] = [await anAccount(), await anAccount()];
  const items = [...(await newItems(one, 30)), ...(await newItems(other, 12))];
  const { told, settle } = aStage();
  const steps: string[] = [];
  const watched = aroundStore(store, (step, take) => {
    steps.push(step);
    return take();
  });
  const settled = await settle(items.map(settlementOf), watched);
  t.true(settled.every(isStored));
  t.is(steps.filter((step) => step === 'commit').length, 1);
  t.deepEqual(await storedOf(one), { numbers: upTo(30), deliveries: 30, journal: 30, due: 0 });
  t.deepEqual(await storedOf(other), { numbers: upTo(12), deliveries: 12, journal: 12, due: 0 });
  t.deepEqual(
    told.map((deliveries) => deliveries.length),
    [42],
  );
});

test.serial('the tallies of all accounts count each item once, in the class that it has come to', async (t) => {
  const [one, other] = [await anAccount(), await anAccount()];
  const items = [...(await newItems(one, 5)), ...(await newItems(other, 2))];
  const { settle } = aStage();
  await settle(items.map(settlementOf));
  const expectCounts = async (): Promise<void> => {
    t.like(await readItemCounts(store, one), { active: 5, archived: 0 });
    t.like(await readItemCounts(store, other), { active: 2, archived: 0 });
  };
  await expectCounts();
  t.is(await itemCollection(store).countDocuments({ accountId: one, isUncounted: true }), 0);
  await countUncounted(store);
  await expectCounts();
  const [first] = await Promise.all(items.slice(0, 1).map(({ id }) => createItemStore(store).findById(id)));
  if (first === null || first === undefined) return t.fail();
  const archived = { previous: first, next: { ...first, serviceStatus: 'archived' as const }, events: [], journal: [] };
  // Of two that store the same change one does, so it counts once.
  const twice = await Promise.all([settle([archived]), settle([archived])]);
  t.is(twice.flat().filter(isStored).length, 1);
  t.like(await readItemCounts(store, one), { active: 4, archived: 1 });
});

test.serial('an item that the tally has counted since it was read has changed: nothing of it is stored', async (t) => {
  const account = await anAccount();
  const items = await newItems(account, 2);
  await countUncounted(store);
  const { settle, told } = aStage();
  t.deepEqual(await settle(items.map(settlementOf)), [null, null]);
  t.deepEqual(await storedOf(account), { numbers: [], deliveries: 0, journal: 0, due: 2 });
  t.deepEqual(told, []);
  t.like(await readItemCounts(store, account), { active: 2 });
});

test('an item that has changed since it was read holds up none of the others, and nothing of it is stored', async (t) => {
  const account = await anAccount();
  const items = await newItems(account, 10);
  const [, changed] = items;
  if (changed === undefined) return t.fail();
  await createItemStore(store).replace(changed, { ...changed, revision: changed.revision + 1 });
  const { settle } = aStage();
  const settled = await settle(items.map(settlementOf));
  t.is(settled[1], null);
  t.is(settled.filter(isStored).length, 9);
  t.deepEqual(await storedOf(account), { numbers: upTo(9), deliveries: 9, journal: 9, due: 1 });
});

test('an account whose rows another transaction has waits for that; the other accounts are stored meanwhile', async (t) => {
  const [locked, other] = [await anAccount(), await anAccount()];
  const items = [...(await newItems(locked, 3)), ...(await newItems(other, 3))];
  const { settle } = aStage();
  const session = await store.connection.startSession();
  session.startTransaction();
  await itemCollection(store).updateOne({ _id: items[0]?.id ?? '' }, { $set: { requestId: 'other' } }, { session });
  const settling = settle(items.map(settlementOf));
  await until('the other account is stored', async () => (await storedOf(other)).due === 0);
  t.deepEqual(await storedOf(locked), { numbers: [], deliveries: 0, journal: 0, due: 3 });
  await session.abortTransaction();
  await session.endSession();
  t.true((await settling).every(isStored));
  t.deepEqual(await storedOf(locked), { numbers: upTo(3), deliveries: 3, journal: 3, due: 0 });
  t.deepEqual(await storedOf(other), { numbers: upTo(3), deliveries: 3, journal: 3, due: 0 });
});

test('an item that can’t be stored for a reason of its own fails alone', async (t) => {
  const [one, other] = [await anAccount(), await anAccount()];
  const items = [...(await newItems(one, 4)), ...(await newItems(other, 2))];
  const { settle } = aStage({
    planDeliveries: (event, ...given) => {
      if (event.itemId === items[2]?.id) throw new Error('no plan for it');
      return planUnreserved(event, ...given);
    },
  });
  const settled = await settle(items.map(settlementOf));
  t.like(settled[2], { message: 'no plan for it' });
  t.is(settled.filter(isStored).length, 5);
  t.deepEqual(await storedOf(one), { numbers: upTo(3), deliveries: 3, journal: 3, due: 1 });
  t.deepEqual(await storedOf(other), { numbers: upTo(2), deliveries: 2, journal: 2, due: 0 });
});

test('an illegal change of status fails its own item, and those beside it are stored', async (t) => {
  const account = await anAccount();
  const [gone, sound] = (await newItems(account, 2)) as [Item, Item];
  const archived = await createItemStore(store).replace(gone, { ...gone, serviceStatus: 'archived' });
  if (archived === null) return t.fail();
  const { settle } = aStage();
  const back = { ...settlementOf(archived), next: { ...archived, serviceStatus: 'active' as const } };
  const [failed, stored] = await settle([back, settlementOf(sound)]);
  t.like(failed, { name: 'IllegalTransition' });
  t.true(isStored(stored));
  t.deepEqual(await storedOf(account), { numbers: [1], deliveries: 1, journal: 1, due: 1 });
});

test('what is settled twice is stored once', async (t) => {
  const account = await anAccount();
  const items = await newItems(account, 5);
  const { settle } = aStage();
  const twice = await Promise.all([settle(items.map(settlementOf)), settle(items.map(settlementOf))]);
  t.is(twice.flat().filter(isStored).length, 5);
  t.is(twice.flat().filter((one) => one === null).length, 5);
  t.deepEqual(await storedOf(account), { numbers: upTo(5), deliveries: 5, journal: 5, due: 0 });
});

test('an event that is stored already is left out, and takes no number', async (t) => {
  const account = await anAccount();
  const [known, fresh] = (await newItems(account, 2)) as [Item, Item];
  const names = { accountId: account, itemId: known.id, externalId: known.externalId };
  const events = settlementOf(known).events.map((entry) => ({ entry, ...names }));
  await inTransaction(store, (session) => insertEvents(store, events, { now: noon, session }));
  const { settle } = aStage();
  t.true((await settle([known, fresh].map(settlementOf))).every(isStored));
  t.deepEqual(await storedOf(account), { numbers: [1, 2], deliveries: 1, journal: 2, due: 0 });
});

test('a transaction has a bounded number of rows: what is more goes into further ones', async (t) => {
  const account = await anAccount();
  const items = await newItems(account, 5);
  const long = items.map((item) => {
    const settlement = settlementOf(item);
    const [entry] = settlement.journal;
    if (entry === undefined) throw new Error('there is an entry');
    return { ...settlement, journal: Array.from({ length: 400 }, (_, n) => ({ ...entry, number: n + 1 })) };
  });
  const steps: string[] = [];
  const watched = aroundStore(store, (step, take) => {
    steps.push(step);
    return take();
  });
  const { settle } = aStage();
  t.true((await settle(long, watched)).every(isStored));
  t.is(steps.filter((step) => step === 'commit').length, 3);
  t.deepEqual(await storedOf(account), { numbers: upTo(5), deliveries: 5, journal: 2_000, due: 0 });
});

test('while the database is away all fail at once, and nothing is stored', async (t) => {
  const account = await anAccount();
  const items = await newItems(account, 3);
  const { settle, told } = aStage();
  let writes = 0;
  const away = aroundStore(store, () => {
    writes += 1;
    return Promise.reject(new mongo.MongoNetworkError('away'));
  });
  await t.throwsAsync(settle(items.map(settlementOf), away), { message: 'away' });
  t.is(writes, 1, 'not once for each item');
  t.deepEqual(told, []);
  t.deepEqual(await storedOf(account), { numbers: [], deliveries: 0, journal: 0, due: 3 });
});
