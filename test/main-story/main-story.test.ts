import { readdirSync } from 'node:fs';
import test from 'ava';
import { aLine, bulkPath, linesOf, ndjson } from '../bulk-syncs/support/bulk-calls.ts';
import { callApi, createPeople, isError, type ApiWorld, type TestAccount } from '../support/api-world.ts';
import { requireSoundWebhooks } from '../support/sound-webhooks.ts';
import { until } from '../support/until.ts';
import { startServedWorld, type ServedWorld } from '../support/served-world.ts';
import { callAdmin, type MarketplaceListing, type ReceivedWebhook } from '../support/world.ts';

// What the product is for, over HTTP, with workers, the engine and the simulators: the few tests of a whole world that every change
// runs. The many that vary it are in test/slow.

let world: ServedWorld;
test.before(async () => {
  world = await startServedWorld();
});
test.after.always(async () => {
  await world.stop();
});

const call: ApiWorld['call'] = (method, path, options = {}) => callApi(world.api.url, { method, path, ...options });

interface Seller extends TestAccount {
  readonly receiverPath: string;
}

/** Registered over HTTP, connected to the marketplace, with an endpoint for everything. */
async function aSeller(): Promise<Seller> {
  const { account } = createPeople({
    call,
    grant: () => Promise.reject(new Error('there are no resellers here')),
  });
  const seller = await account();
  const { token } = seller;
  const user = await callAdmin<{ userId: string; token: string }>(`${world.marketplace.adminUrl}/users`, 'POST', {
    userId: seller.id,
  });
  const credentials = { marketplaceUserId: user.userId, token: user.token };
  const connected = await call('PUT', '/partner/marketplace-connection', { token, body: credentials });
  if (connected.status !== 200) throw new Error(connected.text);
  const receiverPath = `/hooks/${seller.id}`;
  const body = { url: `${world.receiver.url}${receiverPath}`, eventTypes: [] };
  const hooked = await call('POST', '/integration/webhooks', { token, body });
  if (hooked.status !== 201) throw new Error(hooked.text);
  return { ...seller, receiverPath };
}

const adminOf = (path: string, body?: object): Promise<unknown> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);

const itemPath = (externalId: string): string => `/integration/v1/items/${externalId}`;

async function statusOf({ apiKey }: Seller, externalId: string): Promise<Record<string, unknown>> {
  return (await call('GET', itemPath(externalId), { apiKey })).body as Record<string, unknown>;
}

const untilStatus = (seller: Seller, externalId: string, wanted: string): Promise<unknown> =>
  until(`${externalId} is ${wanted}`, async () => (await statusOf(seller, externalId))['marketplaceStatus'] === wanted);

/** Every ad with this external id that the marketplace shows or has shown for the seller. */
async function adsOf(seller: Seller, externalId: string): Promise<(MarketplaceListing & { userId: string })[]> {
  const url = `${world.marketplace.adminUrl}/listings?ownReference=${externalId}`;
  const { listings } = await callAdmin<{ listings: (MarketplaceListing & { userId: string })[] }>(url);
  return listings.filter(({ userId, state }) => userId === seller.id && state !== 'uncommitted');
}

async function receivedBy({ receiverPath }: Seller): Promise<ReceivedWebhook[]> {
  const url = `${world.receiver.adminUrl}/received?path=${receiverPath}`;
  const { received } = await callAdmin<{ received: ReceivedWebhook[] }>(url);
  requireSoundWebhooks(received);
  return received;
}

const untilTold = (seller: Seller, eventType: string): Promise<ReceivedWebhook> =>
  until(eventType, async () => (await receivedBy(seller)).find(({ body }) => body.eventType === eventType));

test('an item is pushed, hosted, published, gets a new price, is sold, and the ERP is told of each step once', async (t) => {
  const seller = await aSeller();
  const { apiKey } = seller;
  const [picture = ''] = readdirSync('examples/catalogue/images');
  const body = { title: 'Dörr vänster fram', price: 100, imageUrls: [`${world.images.url}/${picture}`] };
  const pushed = await call('PUT', itemPath('A1'), { apiKey, body: { ...body, autoPublishTradera: true } });
  t.is(pushed.status, 202, pushed.text);
  await untilStatus(seller, 'A1', 'active');
  const [ad, ...others] = await adsOf(seller, 'A1');
  t.deepEqual(others, []);
  t.like(ad, { startPrice: 100, imageCount: 1, title: body.title });
  t.is((await call('PATCH', `${itemPath('A1')}/price`, { apiKey, body: { price: 250 } })).status, 202);
  await until('the auction has the new price', async () => (await adsOf(seller, 'A1'))[0]?.startPrice === 250);
  await adminOf(`/listings/${ad?.itemId}/bids`, { amount: 900 });
  await adminOf(`/listings/${ad?.itemId}/end`);
  const sold = await untilTold(seller, 'item.sold');
  t.like(sold.body.data, { externalId: 'A1', salePrice: 900 });
  t.like(await statusOf(seller, 'A1'), { serviceStatus: 'sold', marketplaceStatus: 'sold' });
  const told = (await receivedBy(seller)).map(({ body: { eventType } }) => eventType);
  t.deepEqual(told.sort(), ['item.created', 'item.images_ready', 'item.sold', 'listing.created']);
  t.is((await adsOf(seller, 'A1')).length, 1);
});

test('a receiver that fails gets its event again, and every attempt is in the log', async (t) => {
  const seller = await aSeller();
  const { apiKey, token } = seller;
  const fault = { path: `^${seller.receiverPath}$`, mode: 'status', status: 503, times: 1 };
  await callAdmin(`${world.receiver.adminUrl}/faults`, 'POST', fault);
  const pushed = await call('PUT', itemPath('A1'), { apiKey, body: aLine('A1') });
  t.is(pushed.status, 202, pushed.text);
  const received = await untilTold(seller, 'item.created');
  const { body: told } = received;
  t.is(told.data.externalId, 'A1');
  const attempts = await until('both attempts are in the log', async () => {
    const { body } = await call('GET', '/integration/webhook-deliveries?eventType=item.created', { token });
    const { deliveries } = body as { deliveries: Record<string, unknown>[] };
    return deliveries.length === 2 && deliveries;
  });
  t.deepEqual(attempts.map(({ status }) => status).sort(), ['failed', 'success']);
  for (const { id, status } of attempts) {
    const { request } = (await call('GET', `/integration/webhook-deliveries/${String(id)}`, { token })).body;
    const sent = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
    t.true(sent.length >= 6 && !JSON.stringify(sent).includes('whsec_'), JSON.stringify(sent));
    if (status === 'success') t.like(received.headers, Object.fromEntries(sent));
  }
});

test('a bulk sync writes its lines, reports the wrong one, and publishes', async (t) => {
  const seller = await aSeller();
  const { apiKey } = seller;
  const lines = Array.from({ length: 30 }, (_, n) => aLine(`B${n}`, { autoPublishTradera: n === 0 }));
  const headers = { 'content-type': ndjson };
  const { status, body } = await call('POST', bulkPath, { apiKey, headers, raw: linesOf([...lines, 'oops']) });
  t.is(status, 202);
  const ended = await until('the bulk sync has ended', async () => {
    const { body: bulk } = await call('GET', `${bulkPath}/${body.id}`, { apiKey });
    return bulk.completedAt !== null && (bulk as Record<string, unknown>);
  });
  t.like(ended, { state: 'completed', total: 31, created: 30, failed: 1 });
  await untilStatus(seller, 'B0', 'active');
  t.is((await adsOf(seller, 'B0')).length, 1);
});

test('an account sees, changes and is told of nothing of another one', async (t) => {
  const [owner, other] = await Promise.all([aSeller(), aSeller()]);
  t.is((await call('PUT', itemPath('A1'), { apiKey: owner.apiKey, body: aLine('A1') })).status, 202);
  await untilTold(owner, 'item.created');
  const { apiKey } = other;
  const notFound = { status: 404, code: 'NOT_FOUND' };
  isError(t, await call('GET', itemPath('A1'), { apiKey }), notFound);
  isError(t, await call('PATCH', `${itemPath('A1')}/price`, { apiKey, body: { price: 1 } }), notFound);
  isError(t, await call('DELETE', itemPath('A1'), { apiKey }), notFound);
  t.deepEqual((await call('GET', '/integration/v1/items', { apiKey })).body.items, []);
  t.deepEqual((await call('GET', '/integration/events', { apiKey })).body.events, []);
  t.is((await call('PUT', itemPath('A1'), { apiKey, body: aLine('A1', { price: 7 }) })).status, 202);
  await untilTold(other, 'item.created');
  t.is((await statusOf(owner, 'A1'))['price'], 100);
  t.is((await receivedBy(owner)).length, 1);
});
