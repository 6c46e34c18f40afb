import test from 'ava';
import { orderId } from '../../features/rules/ids.ts';
import type { OrderListQuery } from '../../schemas/orders/order-list.ts';
import { until } from '../support/until.ts';
import {
  callAdmin,
  untilMarketplaceStatus,
  untilReceived,
  withWorld,
  type TestAccount,
  type World,
} from '../support/world.ts';
import { listOrders } from '../../features/orders/read-orders.ts';
import { recordDirectSale } from '../../features/orders/record-direct-sale.ts';
import { changeOrder } from '../../features/orders/change-order.ts';

let world: World;
withWorld(test, (started) => (world = started));

const everything: OrderListQuery = {
  limit: 50,
  cursor: null,
  filter: { status: undefined, externalId: undefined, from: undefined, to: undefined, updatedSince: undefined },
};
const ordersOf = async ({ scope }: TestAccount) => (await listOrders(world.context, scope, everything)).orders;
const sell = ({ scope }: TestAccount, externalId: string) =>
  recordDirectSale(world.context, scope, { externalId, platform: 'service_card', amountOre: 34_950, isPaid: false });
const move = ({ scope }: TestAccount, id: string, status: 'paid' | 'completed' | 'cancelled') =>
  changeOrder(world.context, scope, { orderId: orderId(id), status });

/** The ad id of an auction that is up. */
async function live(account: TestAccount, externalId: string): Promise<string> {
  await account.push(externalId, {}, { autoPublish: true });
  await untilMarketplaceStatus(account, externalId, 'active');
  return (await account.status(externalId)).status.marketplaceAdId ?? '';
}

const untilAtRest = (account: TestAccount, externalId: string): Promise<unknown> =>
  until(`${externalId} rests`, () =>
    world.foundation.store.connection.collection('items').findOne({
      accountId: account.id,
      externalId,
      current: true,
      startAt: null,
      $expr: { $eq: ['$revision', '$settledRevision'] },
    }),
  );

// specification: listed-direct-sale-sale
test('a direct sale of a live item takes its auction down and sends exactly one item.sold', async (t) => {
  const account = await world.account();
  const adId = await live(account, 'A1');
  const order = await sell(account, 'A1');
  t.like(order, { status: 'pending', platform: 'service_card', amount: 349.5, fee: 17.48 });
  await untilMarketplaceStatus(account, 'A1', 'ended');
  await untilAtRest(account, 'A1');
  t.deepEqual(
    (await account.listings('A1')).map(({ state }) => state),
    ['removed'],
  );
  const [sold] = await untilReceived(account, 'item.sold');
  t.like(sold?.body.data, { platform: 'service_card', salePrice: 349.5, marketplaceAdId: adId });
  t.regex(sold?.body.eventId ?? '', new RegExp(`_sold_${order.id}$`));
  await move(account, order.id, 'paid');
  await move(account, order.id, 'completed');
  await untilAtRest(account, 'A1');
  const types = (await account.received()).map(({ body }) => body.eventType).toSorted();
  t.deepEqual(types, ['item.created', 'item.sold', 'listing.created']);
  t.deepEqual(
    (await ordersOf(account)).map(({ id, status }) => [id, status]),
    [[order.id, 'completed']],
  );
});

// specification: bids-that-were-not
test('sold directly while nobody knew of the bids: told, and the winner is a second order that names the first', async (t) => {
  const account = await world.account();
  const adId = await live(account, 'B1');
  const admin = `${world.marketplace.adminUrl}/listings/${adId}`;
  await callAdmin(`${admin}/bids`, 'POST', { amount: 725 });
  const direct = await sell(account, 'B1');
  const [refused] = await untilReceived(account, 'listing.failed');
  t.regex(String(refused?.body.data['error']), /^TAKEDOWN_REFUSED_BIDS: .*second order/);
  t.like((await account.status('B1')).status, { serviceStatus: 'sold', marketplaceStatus: 'active' });
  await callAdmin(`${admin}/end`, 'POST');
  const sold = await untilReceived(account, 'item.sold', 2);
  t.deepEqual(sold.map(({ body }) => body.data['platform']).toSorted(), ['marketplace', 'service_card']);
  const orders = await until('two orders', async () => {
    const found = await ordersOf(account);
    return found.length === 2 && found;
  });
  const won = orders.find(({ platform }) => platform === 'marketplace');
  t.deepEqual(won?.conflictingOrderIds, [direct.id]);
  await move(account, direct.id, 'cancelled');
  t.deepEqual(
    (await ordersOf(account)).map(({ conflictingOrderIds }) => conflictingOrderIds),
    [[], []],
  );
  t.is((await account.received('item.sold')).length, 2);
});
