import { randomUUID } from 'node:crypto';
import test from 'ava';
import { withDatabase } from '../support/with-database.ts';
import { Crash, OrderLife, outcomeOf } from '../support/order-life.ts';

// The process dies after the write of a direct sale, before its answer. The next attempt finds the order.

const store = withDatabase(test);

async function aLife(): Promise<OrderLife> {
  const life = new OrderLife(store());
  await life.put('A1');
  await life.work((await life.item('A1')).id);
  return life;
}

const again = (id: string) => ({ reserved: { id, attempt: 2 } });

/** A sale whose process dies after the write of the item. */
async function aBrokenSale(life: OrderLife, feeBps = 500): Promise<string> {
  const id = randomUUID();
  const reserved = { id, attempt: 1 };
  await life.sell('A1', { reserved, dies: true, feeBps }).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
  return id;
}

test('a direct sale is an order at once, and its event follows', async (t) => {
  const life = await aLife();
  const order = await life.sell('A1', { platform: 'service_card' });
  t.like(order, { externalId: 'A1', platform: 'service_card', amount: 349.5, fee: 17.48, net: 332.02 });
  t.like(order, { status: 'pending', category: 'Övrigt', domain: 'other', marketplaceAdId: null, completedAt: null });
  t.deepEqual(order.conflictingOrderIds, []);
  const item = await life.item('A1');
  t.is((await life.rows())[0]?._id, item.openOrderIds[0]);
  await life.work(item.id);
  t.is((await life.soldEvents()).length, 1);
  t.true((await life.item('A1')).revision === (await life.item('A1')).settledRevision);
});

// specification: listed-direct-sale-sale
test('one write sells the item and stores its order, with log and event', async (t) => {
  const life = await aLife();
  const id = await aBrokenSale(life);
  t.like(await life.item('A1'), { serviceStatus: 'sold', openOrderIds: [`ord_${id}`] });
  t.deepEqual(
    (await life.rows()).map(({ _id }) => _id as string),
    [`ord_${id}`],
  );
  t.is((await life.soldEvents()).length, 1);
});

// specification: a-direct-sale-is
test('the next attempt finds the same order, told once', async (t) => {
  for (const worksBetween of [false, true]) {
    const life = await aLife();
    const id = await aBrokenSale(life);
    if (worksBetween) await life.work((await life.item('A1')).id);
    const order = await life.sell('A1', again(id));
    t.is<string, string>(order.id, `ord_${id}`);
    await life.work(order.itemId);
    t.is((await life.rows()).length, 1);
    t.is((await life.soldEvents()).length, 1);
  }
});

test('died before its answer, and the order is over by now: the next attempt finds it as it stands', async (t) => {
  const life = await aLife();
  const id = randomUUID();
  await life.sell('A1', { reserved: { id, attempt: 1 } });
  await life.change(`ord_${id}`, 'cancelled');
  t.like(await life.sell('A1', again(id)), { id: `ord_${id}`, status: 'cancelled' });
  t.is((await life.rows()).length, 1);
});

test('died after the write of the item, which is deleted and pushed anew: the next attempt sells the new one not', async (t) => {
  const life = await aLife();
  const id = await aBrokenSale(life);
  const sold = await life.item('A1');
  await life.remove('A1');
  await life.put('A1');
  const order = await life.sell('A1', again(id));
  t.like(order, { id: `ord_${id}`, itemId: sold.id });
  t.like(await life.item('A1'), { serviceStatus: 'active', openOrderIds: [] });
});

test('a first attempt that comes after the one that took over sells nothing more, whatever has become of item and order', async (t) => {
  for (const end of ['deleted', 'put on sale again'] as const) {
    const life = await aLife();
    const id = randomUUID();
    const order = await life.sell('A1', again(id));
    await life.change(order.id, 'cancelled');
    if (end === 'deleted') {
      await life.remove('A1');
      await life.put('A1');
    } else {
      const sold = await life.item('A1');
      await life.items.replace(sold, { ...sold, serviceStatus: 'not_listed' });
    }
    const before = await life.item('A1');
    t.like(await life.sell('A1', { reserved: { id, attempt: 1 } }), { id: order.id, status: 'cancelled' }, end);
    t.deepEqual(await life.item('A1'), before, end);
  }
});

test('without a key the sale is not done twice: the second call is refused, and the list shows the order', async (t) => {
  const life = await aLife();
  await aBrokenSale(life);
  t.is(await outcomeOf(life.sell('A1')), 'CONFLICT');
  await life.work((await life.item('A1')).id);
  t.is((await life.rows()).length, 1);
});

// specification: category-name-domain-fee
test('the fee is the one of the sale, whoever stores the order', async (t) => {
  const life = await aLife();
  await aBrokenSale(life, 400);
  await life.work((await life.item('A1')).id);
  t.like((await life.rows())[0], { feeBps: 400, feeOre: 1_398 });
});

// specification: category-name-domain-fee
test('what the item is pushed as after its sale changes nothing of the order', async (t) => {
  const life = await aLife();
  await aBrokenSale(life);
  const item = await life.item('A1');
  const toys = { ...item, content: { ...item.content, domain: { slug: 'toys', attributes: {} } as const } };
  await life.items.replace(item, toys);
  await life.work(item.id);
  t.like((await life.rows())[0], { domain: 'other', category: 'Övrigt' });
});
