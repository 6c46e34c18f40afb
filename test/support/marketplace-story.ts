import type { ExecutionContext } from 'ava';
import { itemPath, sellersOf, type ServedSeller } from './served-seller.ts';
import type { ServedWorld } from './served-world.ts';
import { until } from './until.ts';
import { callAdmin } from './world.ts';

/**
 * A sale at the marketplace from the push to the payment, with everything that it refuses on the way. What the partner is told is the same,
 * however the marketplace does what no document says (simulators/marketplace/switches.ts).
 */
export async function tellMarketplaceStory(t: ExecutionContext, world: ServedWorld): Promise<void> {
  const sellers = sellersOf(world);
  const { call, adsOf, untilStatus, untilTold } = sellers;
  const seller = await sellers.aSeller();
  const { apiKey } = seller;
  const body = { title: 'Dörr vänster fram', price: 100, imageUrls: [`${world.images.url}/backspegel-1.jpg`] };
  const push = (changes: object = {}) =>
    call('PUT', itemPath('S1'), { apiKey, body: { ...body, autoPublishTradera: true, ...changes } });
  t.is((await push()).status, 202);
  await untilStatus(seller, 'S1', 'active');
  const [ad] = await adsOf(seller, 'S1');
  t.like(ad, { startPrice: 100, state: 'active', imageCount: 1 });

  const renamed = await push({ title: 'Dörr höger fram' });
  t.like(renamed.body, { warnings: [{ field: 'title' }] }, 'the title of a running auction stays');
  await until('the read names it', async () =>
    String((await sellers.statusOf(seller, 'S1'))['pendingChanges']).includes('title'),
  );

  await bidUnseen(world, ad?.itemId ?? 0, async () => {
    t.is((await call('PATCH', `${itemPath('S1')}/price`, { apiKey, body: { price: 80 } })).status, 202);
    const refused = await untilTold(seller, 'listing.failed');
    t.regex(JSON.stringify(refused.body.data), /PRICE_REFUSED_BIDS/);
  });
  t.like(await sellers.statusOf(seller, 'S1'), { price: 100, marketplaceStatus: 'active' });

  t.is((await call('PATCH', `${itemPath('S1')}/status`, { apiKey, body: { status: 'not_listed' } })).status, 202);
  await until('the take-down is refused', async () =>
    JSON.stringify(await sellers.receivedBy(seller)).includes('TAKEDOWN_REFUSED_BIDS'),
  );
  t.deepEqual(
    (await adsOf(seller, 'S1')).map(({ state, title, startPrice }) => ({ state, title, startPrice })),
    [{ state: 'active', title: 'Dörr vänster fram', startPrice: 100 }],
  );

  await sellers.atMarketplace(`/listings/${ad?.itemId}/end`);
  t.like((await untilTold(seller, 'item.sold')).body.data, { externalId: 'S1', salePrice: 500 });
  await isPaidByMark(t, sellers, seller);
  t.is((await adsOf(seller, 'S1')).length, 1);
  const told = (await sellers.receivedBy(seller)).map(({ body: { eventType } }) => eventType);
  t.is(told.filter((type) => type === 'item.sold').length, 1);
  t.is(told.filter((type) => type === 'listing.created').length, 1);
}

/** No look sees the bid before `act` is over: the refusal is the marketplace's own. */
async function bidUnseen(world: ServedWorld, itemId: number, act: () => Promise<void>): Promise<void> {
  const { adminUrl } = world.marketplace;
  const path = '/listings/(seller-items|updated-seller-items)';
  const { id } = await callAdmin<{ id: string }>(`${adminUrl}/faults`, 'POST', { path, mode: 'status', status: 503 });
  try {
    await callAdmin(`${adminUrl}/listings/${itemId}/bids`, 'POST', { amount: 500 });
    await act();
  } finally {
    await callAdmin(`${adminUrl}/faults/${id}`, 'DELETE');
  }
}

/** The order of an auction has no address of delivery, and nothing but the seller's mark says that it is paid. */
async function isPaidByMark(
  t: ExecutionContext,
  { call, atSellersOwn }: ReturnType<typeof sellersOf>,
  seller: ServedSeller,
): Promise<void> {
  const { apiKey } = seller;
  const theOrder = async () => {
    const { orders } = (await call('GET', '/integration/v1/orders', { apiKey })).body;
    return orders[0] as Record<string, unknown> | undefined;
  };
  const order = await until('the order has its buyer', async () => {
    const found = await theOrder();
    if (found === undefined) return false;
    const { body } = await call('GET', `/integration/v1/orders/${String(found['id'])}`, { apiKey });
    return body.buyer !== null && body;
  });
  t.like(order, { status: 'pending', amount: 500 });
  t.truthy(order.buyer.address.line1, 'the address is that of the buyer');
  const [sale] = await atSellersOwn<{ id: number }[]>(seller, 'GET', { path: '/v4/listings/seller-transactions' });
  const mark = { transactionId: sale?.id, markAsPaidConfirmed: true };
  await atSellersOwn(seller, 'PUT', { path: '/v4/listings/transaction-status', body: mark });
  await until('it is paid', async () => (await theOrder())?.['status'] === 'paid');
}
