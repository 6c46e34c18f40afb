import { randomBytes } from 'node:crypto';
import test from 'ava';
import { namedEventTypes, specifiedEventTypes } from '../../features/webhooks/rules/event-types.ts';
import { orderId, sessionId } from '../../features/rules/ids.ts';
import { eraseBuyer, exportBuyer } from '../../features/operations/export-and-erase-buyer.ts';
import { changeOrder } from '../../features/orders/change-order.ts';
import { readOrder } from '../../features/orders/read-orders.ts';
import { createLeakFinder } from '../security/support/canaries.ts';
import { databasePlaces, workflowPlaces, type Place } from '../security/support/leak-places.ts';
import { until } from '../support/until.ts';
import {
  callAdmin,
  untilMarketplaceStatus,
  untilReceived,
  withWorld,
  type TestAccount,
  type World,
} from '../support/world.ts';
import { present } from '../support/clock.ts';

// The buyer of a won auction: found at the marketplace, read, and gone from every place. That no log or trace has one is in
// test/security/canary-scan.slow.test.ts.

let world: World;
withWorld(test, (started) => (world = started), { environment: { MARKETPLACE_LOOK_INTERVAL_MS: '200' } });

const admin = (path: string, body?: object) => callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);
const read = async ({ scope }: TestAccount, id: string) => (await readOrder(world.context, scope, orderId(id))).order;

/** An auction won by a buyer whose every detail holds the alias. */
async function aSale(externalId = 'A1', account?: TestAccount) {
  const seller = account ?? (await world.account({ eventTypes: [...specifiedEventTypes, ...namedEventTypes] }));
  const alias = `kund${randomBytes(12).toString('hex')}`;
  await seller.push(externalId, { shippingCostOre: 7_900 }, { autoPublish: true });
  await untilMarketplaceStatus(seller, externalId, 'active');
  const ad = (await seller.status(externalId)).status.marketplaceAdId ?? '';
  await admin(`/listings/${ad}/bids`, { amount: 725, bidder: alias });
  await admin(`/listings/${ad}/end`);
  const sold = await until('item.sold came', async () =>
    (await seller.received('item.sold')).find(({ body }) => body.data.externalId === externalId),
  );
  const id = String(sold.body.data['orderId']);
  await until('the buyer is known', async () => (await read(seller, id)).buyer !== null);
  return { seller, alias, id, email: `${alias}@buyers.example` };
}

const pay = (id: string): Promise<unknown> => admin(`/transactions/${id.slice('ord_'.length)}/pay`);

const handedOut = ({ id }: TestAccount): Promise<number> =>
  world.foundation.store.connection.collection('audit').countDocuments({ accountId: id, kind: 'buyer_exported' });

/** Everywhere but where the product means to keep it, and the marketplace itself. */
async function placesOf(seller: TestAccount): Promise<Place[]> {
  const [database, workflows, received] = await Promise.all([
    databasePlaces(world.foundation.store.connection),
    workflowPlaces(world.foundation.client),
    seller.received(),
  ]);
  return [
    // The log of the replica set forgets by itself, see docs/personal-data.md.
    ...database.filter(({ name }) => name !== "the replica set's log"),
    ...workflows,
    { name: 'what the receiver got', text: JSON.stringify(received) },
  ];
}

const placesWith = async (seller: TestAccount, value: string): Promise<string[]> => {
  const find = createLeakFinder([{ name: 'buyer', value }]);
  return [...new Set((await placesOf(seller)).flatMap(({ name, text }) => find(name, text)).map(({ place }) => place))];
};

test('the order of a won auction has its buyer, address and shipping as the marketplace gives them, and is told when it is paid', async (t) => {
  const { seller, alias, id, email } = await aSale();
  const order = await read(seller, id);
  // The marketplace's orders of auctions say nothing of shipping.
  t.like(order, { status: 'pending', amount: 725, shipping: { cost: 0, method: null, shippedAt: null } });
  t.like(order.buyer, { alias, name: `Kim ${alias}sson`, email, address: { postalCode: '903 26', city: 'Umeå' } });
  await pay(id);
  const [paid] = await until('order.paid came', async () => {
    const told = await seller.received('order.paid');
    return told.length > 0 && told;
  });
  t.is(paid?.body.data['orderId'], id);
  t.is((await read(seller, id)).status, 'paid');
});

test('the marketplace is told once that an order was sent, also when nothing else of the account is looked at', async (t) => {
  const { seller, id } = await aSale();
  await pay(id);
  await until('it is paid', async () => (await read(seller, id)).status === 'paid');
  const sent = { carrier: 'PostNord', trackingNumber: 'UN1' };
  await changeOrder(world.context, seller.scope, { orderId: orderId(id), shipping: sent });
  const calls = async () => {
    const { calls: made } = await callAdmin<{ calls: { method: string; path: string }[] }>(
      `${world.marketplace.adminUrl}/calls`,
    );
    const number = Number(id.slice('ord_'.length)) + 5_000_000;
    return made.filter(({ method, path }) => method === 'POST' && path === `/v4/orders/${number}/ship`).length;
  };
  await until('it was told', async () => (await calls()) > 0);
  const isOwed = async () =>
    (
      await world.foundation.store.connection
        .collection<{ _id: string; isShippingOwed: boolean }>('orders')
        .findOne({ _id: id })
    )?.isShippingOwed;
  await until('that is stored', async () => (await isOwed()) === false);
  t.is(await calls(), 1);
  t.is((await untilReceived(seller, 'order.shipped')).length, 1);
});

test('a buyer stands in its own row alone, and after an erasure nowhere; the order stays, and no look brings the buyer back', async (t) => {
  const { seller, alias, id, email } = await aSale();
  const { alias: other } = await aSale('B1', seller);
  const session = { kind: 'session', sessionId: sessionId('dashboard') } as const;
  await readOrder(world.context, { ...seller.scope, credential: session }, orderId(id));
  const sent = { shipping: { trackingNumber: `spår${alias}` } };
  await changeOrder(world.context, seller.scope, { orderId: orderId(id), ...sent });
  t.deepEqual((await placesWith(seller, alias)).toSorted(), ['collection order_buyers', 'collection orders']);

  const operations = { store: world.foundation.store, now: present, operator: 'Kim' };
  const [exported, ...more] = await exportBuyer(operations, { email: email.toUpperCase() });
  t.like(exported, { orderId: id, sellerUserId: seller.id, buyer: { alias, email }, trackingNumber: `spår${alias}` });
  t.is(exported?.readBy.length, 2);
  t.deepEqual(more, []);
  t.is(await handedOut(seller), 1);

  t.deepEqual(await eraseBuyer(operations, { email }), { orders: 1, sellers: 1 });
  t.deepEqual(await placesWith(seller, alias), []);
  await pay(id);
  await until('the payment is known', async () => (await read(seller, id)).status === 'paid');
  // Another buyer of the same seller is known later than that payment was read.
  await aSale('C1', seller);
  t.deepEqual(await placesWith(seller, alias), []);
  t.like(await read(seller, id), { amount: 725, buyer: null, shipping: { trackingNumber: null } });
  t.deepEqual(await placesWith(seller, other), ['collection order_buyers']);
  t.deepEqual(await exportBuyer(operations, { email }), []);
});
