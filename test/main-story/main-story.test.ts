import { readdirSync } from 'node:fs';
import test from 'ava';
import { aLine, bulkPath, linesOf, ndjson } from '../bulk-syncs/support/bulk-calls.ts';
import { isError } from '../support/api-world.ts';
import { tellMarketplaceStory } from '../support/marketplace-story.ts';
import { itemPath, sellersOf } from '../support/served-seller.ts';
import { startServedWorld, type ServedWorld } from '../support/served-world.ts';
import { until } from '../support/until.ts';
import { callAdmin } from '../support/world.ts';

// What the product is for, over HTTP, with workers, the engine and the simulators: the few tests of a whole world that every change
// runs. The many that vary it end with .slow.test.ts.

let world: ServedWorld;
let sellers: ReturnType<typeof sellersOf>;
test.before(async () => {
  world = await startServedWorld();
  sellers = sellersOf(world);
});
test.after.always(async () => {
  await world.stop();
});

// specification: every-event-that-a, autopublishtradera-published-when-the, none-autopublishtradera-the-auction, listed-hammer-sale-sale
test('an item is pushed, hosted, published, gets a new price, is sold, and the ERP is told of each step once', async (t) => {
  const seller = await sellers.aSeller();
  const { apiKey } = seller;
  const [picture = ''] = readdirSync('examples/catalogue/images');
  const body = { title: 'Dörr vänster fram', price: 100, imageUrls: [`${world.images.url}/${picture}`] };
  const pushed = await sellers.call('PUT', itemPath('A1'), { apiKey, body: { ...body, autoPublishTradera: true } });
  t.is(pushed.status, 202, pushed.text);
  await sellers.untilStatus(seller, 'A1', 'active');
  const [ad, ...others] = await sellers.adsOf(seller, 'A1');
  t.deepEqual(others, []);
  t.like(ad, { startPrice: 100, imageCount: 1, title: body.title });
  t.is((await sellers.call('PATCH', `${itemPath('A1')}/price`, { apiKey, body: { price: 250 } })).status, 202);
  await until('the auction has the new price', async () => (await sellers.adsOf(seller, 'A1'))[0]?.startPrice === 250);
  await sellers.atMarketplace(`/listings/${ad?.itemId}/bids`, { amount: 900 });
  await sellers.atMarketplace(`/listings/${ad?.itemId}/end`);
  const sold = await sellers.untilTold(seller, 'item.sold');
  t.like(sold.body.data, { externalId: 'A1', salePrice: 900 });
  t.like(await sellers.statusOf(seller, 'A1'), { serviceStatus: 'sold', marketplaceStatus: 'sold' });
  const told = (await sellers.receivedBy(seller)).map(({ body: { eventType } }) => eventType);
  t.deepEqual(told.sort(), ['item.created', 'item.images_ready', 'item.sold', 'listing.created']);
  t.is((await sellers.adsOf(seller, 'A1')).length, 1);
});

test('what the marketplace refuses is told, and the sale is paid by its seller’s mark', (t) =>
  tellMarketplaceStory(t, world));

test('a receiver that fails gets its event again, and every attempt is in the log', async (t) => {
  const seller = await sellers.aSeller();
  const { apiKey, token } = seller;
  const fault = { path: `^${seller.receiverPath}$`, mode: 'status', status: 503, times: 1 };
  await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', fault);
  const pushed = await sellers.call('PUT', itemPath('A1'), { apiKey, body: aLine('A1') });
  t.is(pushed.status, 202, pushed.text);
  const received = await sellers.untilTold(seller, 'item.created');
  const { body: told } = received;
  t.is(told.data.externalId, 'A1');
  const attempts = await until('both attempts are in the log', async () => {
    const { body } = await sellers.call('GET', '/integration/webhook-deliveries?eventType=item.created', { token });
    const { deliveries } = body as { deliveries: Record<string, unknown>[] };
    return deliveries.length === 2 && deliveries;
  });
  t.deepEqual(attempts.map(({ status }) => status).sort(), ['failed', 'success']);
  for (const { id, status } of attempts) {
    const { request } = (await sellers.call('GET', `/integration/webhook-deliveries/${String(id)}`, { token })).body;
    const sent = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    t.true(sent.length >= 6 && !JSON.stringify(sent).includes('whsec_'), JSON.stringify(sent));
    if (status === 'success') t.like(received.headers, Object.fromEntries(sent));
  }
});

test('a bulk sync writes its lines, reports the wrong one, and publishes', async (t) => {
  const seller = await sellers.aSeller();
  const { apiKey } = seller;
  const lines = Array.from({ length: 30 }, (_, n) => aLine(`B${n}`, { autoPublishTradera: n === 0 }));
  const headers = { 'content-type': ndjson };
  const { status, body } = await sellers.call('POST', bulkPath, { apiKey, headers, raw: linesOf([...lines, 'oops']) });
  t.is(status, 202);
  const ended = await until('the bulk sync has ended', async () => {
    const { body: bulk } = await sellers.call('GET', `${bulkPath}/${body.id}`, { apiKey });
    return bulk.completedAt !== null && (bulk as Record<string, unknown>);
  });
  t.like(ended, { state: 'completed', total: 31, created: 30, failed: 1 });
  await sellers.untilStatus(seller, 'B0', 'active');
  t.is((await sellers.adsOf(seller, 'B0')).length, 1);
});

test('an account sees, changes and is told of nothing of another one', async (t) => {
  const [owner, other] = await Promise.all([sellers.aSeller(), sellers.aSeller()]);
  t.is((await sellers.call('PUT', itemPath('A1'), { apiKey: owner.apiKey, body: aLine('A1') })).status, 202);
  await sellers.untilTold(owner, 'item.created');
  const { apiKey } = other;
  const notFound = { status: 404, code: 'NOT_FOUND' };
  isError(t, await sellers.call('GET', itemPath('A1'), { apiKey }), notFound);
  isError(t, await sellers.call('PATCH', `${itemPath('A1')}/price`, { apiKey, body: { price: 1 } }), notFound);
  isError(t, await sellers.call('DELETE', itemPath('A1'), { apiKey }), notFound);
  t.deepEqual((await sellers.call('GET', '/integration/v1/items', { apiKey })).body.items, []);
  t.deepEqual((await sellers.call('GET', '/integration/events', { apiKey })).body.events, []);
  t.is((await sellers.call('PUT', itemPath('A1'), { apiKey, body: aLine('A1', { price: 7 }) })).status, 202);
  await sellers.untilTold(other, 'item.created');
  t.is((await sellers.statusOf(owner, 'A1'))['price'], 100);
  t.is((await sellers.receivedBy(owner)).length, 1);
});
