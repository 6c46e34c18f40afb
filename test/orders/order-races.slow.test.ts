import test from 'ava';
import { recordHammerSale, recordPaid } from '../../features/listings/rules/auction-end.ts';
import { insertDeal, endCurrentDeal } from '../../features/resellers/store/deals.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { rewriteItem } from '../../features/items/write-item.ts';
import { aLiveItem, anAd } from '../support/an-item.ts';
import { itemId, orderId } from '../../features/rules/ids.ts';
import { randomUUID } from 'node:crypto';
import { withDatabase } from '../support/with-database.ts';
import { OrderLife, outcomeOf } from '../support/order-life.ts';

const store = withDatabase(test);
const aLife = (): OrderLife => new OrderLife(store());

async function anOrder(life: OrderLife, externalId = 'A1', isPaid = false): Promise<string> {
  await life.put(externalId);
  return (await life.sell(externalId, { isPaid })).id;
}

/** An order of a won auction, whose item looks out for its payment. */
async function aWonOrder(life: OrderLife): Promise<string> {
  const [id, wonId] = [itemId(randomUUID()), orderId(`ord_${randomUUID()}`)];
  await life.items.insert(aLiveItem({ id, accountId: life.account }));
  const sale = { ...anAd, orderId: wonId, amountOre: 72_500, feeBps: 500, soldAt: life.now(), isPaid: false };
  await rewriteItem(life.items, { accountId: life.account, id }, (item) => recordHammerSale(item, sale, life.now()));
  await life.work(id);
  return wonId;
}

// specification: a-marketplace-order-moves
test('a won auction is an order with fee and category, moved by the feed or by hand', async (t) => {
  const life = aLife();
  const id = await aWonOrder(life);
  t.like((await life.rows())[0], { state: 'pending', platform: 'marketplace', adId: '9001', feeOre: 3_625 });
  t.true(await life.items.hasWatchedListings(life.account));
  t.like(await life.change(id, 'paid'), { status: 'paid' });
  t.false(await life.items.hasWatchedListings(life.account), 'nobody looks out for the payment any more');
  await life.pay(id);
  t.like(await life.change(id, 'completed'), { status: 'completed' });
  t.like((await life.rows())[0], { state: 'completed', completedAt: life.now() });
  t.like(await life.item('A1'), { serviceStatus: 'sold', openOrderIds: [] });
});

test('an order that was never paid and is cancelled by hand is watched no more', async (t) => {
  const life = aLife();
  await life.change(await aWonOrder(life), 'cancelled');
  t.false(await life.items.hasWatchedListings(life.account));
});

// specification: a-marketplace-order-moves
test('the feed and a cancellation at the same time: neither is lost', async (t) => {
  const life = aLife();
  for (let n = 0; n < 12; n += 1) {
    const id = await anOrder(life, `A${n}`);
    const { id: item } = await life.item(`A${n}`);
    const pay = async (): Promise<void> => {
      await rewriteItem(life.items, { accountId: life.account, id: item }, (of) =>
        recordPaid(of, { orderId: orderId(id), adId: '1' }, life.now()),
      );
      await life.pay(id);
    };
    await Promise.all(n % 2 === 0 ? [pay(), life.change(id, 'cancelled')] : [life.change(id, 'cancelled'), pay()]);
  }
  t.deepEqual([...new Set((await life.rows()).map(({ state }) => state))], ['cancelled']);
});

test('the feed and a payment by hand at the same time: paid, once', async (t) => {
  const life = aLife();
  for (let n = 0; n < 8; n += 1) {
    const id = await anOrder(life, `A${n}`);
    await Promise.all([life.pay(id), life.change(id, 'paid'), life.pay(id)]);
  }
  t.deepEqual([...new Set((await life.rows()).map(({ state }) => state))], ['paid']);
});

test('completed and cancelled at the same time: one of them is refused', async (t) => {
  const life = aLife();
  for (let n = 0; n < 8; n += 1) {
    const id = await anOrder(life, `A${n}`, true);
    const ends = await Promise.all([outcomeOf(life.change(id, 'completed')), outcomeOf(life.change(id, 'cancelled'))]);
    t.deepEqual(ends.toSorted(), ['CONFLICT', 'done']);
    t.deepEqual((await life.item(`A${n}`)).openOrderIds, []);
  }
});

test('eight direct sales of one item at once: one order, seven refusals', async (t) => {
  const life = aLife();
  await life.put('A1');
  const ends = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(life.sell('A1'))));
  t.deepEqual(ends.toSorted(), [...Array.from({ length: 7 }, () => 'CONFLICT'), 'done']);
  t.is((await life.rows()).length, 1);
  await life.work((await life.item('A1')).id);
  t.is((await life.soldEvents()).length, 1);
});

test('a direct sale and a DELETE at the same time: archived with its order, or gone without one', async (t) => {
  const life = aLife();
  for (let n = 0; n < 10; n += 1) {
    const name = `A${n}`;
    await life.put(name);
    const removed = n % 2 === 0 ? outcomeOf(life.remove(name)) : null;
    const sold = outcomeOf(life.sell(name));
    const [sale] = await Promise.all([sold, removed ?? outcomeOf(life.remove(name))]);
    const item = await life.items.findVisible(life.account, name);
    if (sale === 'done') t.like(item, { current: false, serviceStatus: 'archived' });
    else {
      t.is(sale, 'NOT_FOUND');
      t.is(item, null);
    }
  }
});

test('a direct sale and a PUT at the same time: both take effect', async (t) => {
  const life = aLife();
  for (let n = 0; n < 5; n += 1) {
    const name = `A${n}`;
    await life.put(name);
    const seen = await life.item(name);
    await Promise.all([
      life.sell(name),
      rewriteItem(life.items, seen, (item) => ({ ...item, content: { ...item.content, title: 'Ny' } })),
    ]);
    t.like(await life.item(name), { serviceStatus: 'sold', content: { title: 'Ny' } });
  }
});

// specification: in-progress-for-delete
test('an item is kept while one of its orders is in progress and goes when the last one is over', async (t) => {
  const life = aLife();
  const id = await anOrder(life);
  t.is((await life.remove('A1')).outcome, 'archived');
  t.is((await life.remove('A1')).outcome, 'unchanged');
  await life.change(id, 'paid');
  t.is((await life.remove('A1')).outcome, 'unchanged');
  await life.change(id, 'completed');
  t.is((await life.remove('A1')).outcome, 'deleted');
  t.is(await life.items.findVisible(life.account, 'A1'), null);
});

// Serial: changing the collection's rule locks it, which fails the transactions of tests beside it.
// specification: order-log-and-item
test.serial('a PATCH whose write of the item fails changes nothing: order, log and item stay', async (t) => {
  const life = aLife();
  const id = await anOrder(life);
  const item = await life.item('A1');
  const database = store().connection.db;
  // The database refuses any write of this item that adds to its history.
  const validator = { $or: [{ _id: { $ne: item.id } }, { journalNumber: { $lte: item.journalNumber } }] };
  await database?.command({ collMod: 'items', validator });
  try {
    await t.throwsAsync(life.change(id, 'cancelled'), { message: /validation/ });
  } finally {
    await database?.command({ collMod: 'items', validator: {} });
  }
  t.is((await life.rows())[0]?.state, 'pending');
  t.deepEqual((await life.item('A1')).openOrderIds, item.openOrderIds);
  t.like(await life.change(id, 'cancelled'), { status: 'cancelled' });
});

// specification: bids-that-were-not
test('sold twice: both orders name each other until one is cancelled', async (t) => {
  const life = aLife();
  const id = itemId(randomUUID());
  await life.items.insert(aLiveItem({ id, accountId: life.account }));
  const direct = await life.sell('A1');
  const wonId = orderId(`ord_${randomUUID()}`);
  const sale = { ...anAd, orderId: wonId, amountOre: 72_500, feeBps: 500, soldAt: life.now(), isPaid: false };
  await rewriteItem(life.items, { accountId: life.account, id }, (item) => recordHammerSale(item, sale, life.now()));
  await life.work(id);
  const won: string = wonId;
  t.deepEqual((await life.change(won, 'paid')).conflictingOrderIds, [direct.id]);
  t.deepEqual((await life.change(direct.id, 'cancelled')).conflictingOrderIds, []);
  t.deepEqual((await life.change(won, 'completed')).conflictingOrderIds, []);
  t.is((await life.soldEvents()).length, 2);
});

test('a winning bid after the last of several was sold directly: all orders in progress name it, and it names them', async (t) => {
  const life = aLife();
  const id = itemId(randomUUID());
  await life.items.insert({ ...aLiveItem({ id, accountId: life.account }), quantityLeft: 2 });
  const first = await life.sell('A1');
  const last = await life.sell('A1');
  t.deepEqual(last.conflictingOrderIds, []);
  const wonId = orderId(`ord_${randomUUID()}`);
  const sale = { ...anAd, orderId: wonId, amountOre: 72_500, feeBps: 500, soldAt: life.now(), isPaid: false };
  await rewriteItem(life.items, { accountId: life.account, id }, (item) => recordHammerSale(item, sale, life.now()));
  await life.work(id);
  const won: string = wonId;
  t.deepEqual((await life.change(won, 'paid')).conflictingOrderIds, [first.id, last.id].toSorted());
  t.deepEqual((await life.change(first.id, 'paid')).conflictingOrderIds, [won]);
  t.deepEqual((await life.change(last.id, 'cancelled')).conflictingOrderIds, []);
  t.deepEqual((await life.change(won, 'completed')).conflictingOrderIds, []);
});

// specification: category-name-domain-fee, the-versions-in-force
test('an order keeps the version of the deal that was in force at its sale, whenever it is stored', async (t) => {
  const life = aLife();
  const noon = life.now();
  const deal = { accountId: life.account, kind: 'sub_account', commissionBps: null, resellerAccountId: null } as const;
  const first = { ...deal, _id: randomUUID(), current: true, validFrom: noon, validTo: null };
  await life.put('A0');
  life.nowMs -= 1;
  const before = await life.sell('A0');
  life.nowMs += 2;
  await inTransaction(life.store, (session) => insertDeal(life.store, first, session));
  await life.put('A1');
  await life.sell('A1', { dies: true }).catch(() => undefined);
  life.nowMs += 1_000;
  await inTransaction(life.store, async (session) => {
    await endCurrentDeal(life.store, life.account, { at: life.now(), session });
  });
  await life.work((await life.item('A1')).id);
  const dealOf = new Map((await life.rows()).map(({ _id, dealId }) => [_id as string, dealId]));
  t.is(dealOf.get(before.id), null);
  dealOf.delete(before.id);
  t.deepEqual([...dealOf.values()], [first._id]);
});

test('another account’s order is not there', async (t) => {
  const life = aLife();
  const id = await anOrder(life);
  const stranger = aLife();
  t.is(await outcomeOf(stranger.change(id, 'cancelled')), 'NOT_FOUND');
  t.is((await life.rows())[0]?.state, 'pending');
});
