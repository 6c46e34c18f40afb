import test from 'ava';
import { startMarketplaceSimulator } from '../../simulators/marketplace/start-marketplace-simulator.ts';
import type { Scope } from '../../features/rules/scope.ts';
import { readAnalytics } from '../../features/partner/analytics.ts';
import { authenticateApiKey } from '../../features/accounts/authenticate-api-key.ts';
import { generateApiKey } from '../../features/accounts/create-api-key.ts';
import { deleteItem } from '../../features/items/delete-item.ts';
import { changeItemPrice } from '../../features/items/change-price.ts';
import { readItemStatus } from '../../features/items/read-item.ts';
import { upsertItem } from '../../features/items/upsert-item.ts';
import { readOrderListQuery } from '../../schemas/orders/order-list.ts';
import { orderId } from '../../features/rules/ids.ts';
import { listOrders, readOrder } from '../../features/orders/read-orders.ts';
import { endSandboxAuction, paySandboxOrder } from '../../features/accounts/play-buyer.ts';
import { anItemRequest } from '../support/an-item-request.ts';
import { sandboxSettings } from '../support/api-world.ts';
import { until } from '../support/until.ts';
import {
  callAdmin,
  startWorld,
  untilMarketplaceStatus,
  type MarketplaceListing,
  type TestAccount,
  type World,
} from '../support/world.ts';

let world: World;
let sandbox: Awaited<ReturnType<typeof startMarketplaceSimulator>>;
test.before('a system with two marketplaces starts', async () => {
  sandbox = await startMarketplaceSimulator({ processingDelayMs: 50 });
  world = await startWorld({
    environment: sandboxSettings(sandbox.url),
  });
});
test.after.always('it stops', async () => {
  await world.stop();
  await sandbox.close();
});

/** The product's calls of a marketplace, this far. */
const callsAt = async ({ adminUrl }: { adminUrl: string }): Promise<readonly { readonly method: string }[]> =>
  (await callAdmin<{ calls: { method: string }[] }>(`${adminUrl}/calls?path=/v4/`)).calls;
const writesAt = async (marketplace: { adminUrl: string }): Promise<number> =>
  (await callsAt(marketplace)).filter(({ method }) => method !== 'GET').length;

async function sandboxScope(account: TestAccount): Promise<Scope> {
  const { apiKey } = await generateApiKey(world.context, account.scope, { mode: 'test' });
  const claim = { apiKey, partnerAccount: undefined, needs: null, address: '127.0.0.1' };
  return authenticateApiKey(world.context, claim);
}

const untilStatus = (scope: Scope, externalId: string, wanted: string): Promise<unknown> =>
  until(
    `${externalId} is ${wanted}`,
    async () => (await readItemStatus(world.context, scope, externalId)).status.marketplaceStatus === wanted,
  );

const listingsAt = async ({ adminUrl }: { adminUrl: string }, ownReference: string): Promise<MarketplaceListing[]> =>
  (await callAdmin<{ listings: MarketplaceListing[] }>(`${adminUrl}/listings?ownReference=${ownReference}`)).listings;

test.serial('an item of a test key is sold on the simulated marketplace, and the real one gets no call', async (t) => {
  // Not connected, so that no look at its own feeds is among the calls.
  const account = await world.account({ connected: false });
  const scope = await sandboxScope(account);
  const push = (externalId: string) =>
    upsertItem(world.context, scope, { externalId, request: anItemRequest({}, { autoPublish: true }) });
  const { itemId } = await push('A1');
  await push('A2');
  await untilStatus(scope, 'A1', 'active');
  await untilStatus(scope, 'A2', 'active');
  await changeItemPrice(world.context, scope, { externalId: 'A1', priceOre: 77_700 });
  const [listing] = await until('the price has changed', async () => {
    const found = await listingsAt(sandbox, itemId);
    return found[0]?.startPrice === 777 && found;
  });
  await callAdmin(`${sandbox.adminUrl}/listings/${listing?.itemId ?? ''}/bids`, 'POST', { amount: 900 });
  await callAdmin(`${sandbox.adminUrl}/listings/${listing?.itemId ?? ''}/end`, 'POST', {});
  await untilStatus(scope, 'A1', 'sold');
  const two = await readItemStatus(world.context, scope, 'A2');
  await deleteItem(world.context, scope, { externalId: 'A2' });
  await until('the other one is taken down', async () =>
    (await listingsAt(sandbox, two.status.serviceItemId)).every(({ state }) => state === 'removed'),
  );
  t.deepEqual(await callsAt(world.marketplace), []);
  t.true((await callsAt(sandbox)).length > 0);
  const sums = async (of: Scope) => (await readAnalytics(world.context, of)).revenueSummary;
  t.like(await sums(account.scope), { totalGross: 0, totalPending: 0 });
  t.like(await sums(scope), { totalPending: 900 });
  t.deepEqual(await account.received(), []);
});

test.serial(
  'an auction of the sandbox is sold and paid by its test key, and another ends without a buyer',
  async (t) => {
    const account = await world.account({ connected: false });
    const scope = await sandboxScope(account);
    const push = (externalId: string) =>
      upsertItem(world.context, scope, { externalId, request: anItemRequest({}, { autoPublish: true }) });
    await Promise.all([push('B1'), push('B2')]);
    await untilStatus(scope, 'B1', 'active');
    await untilStatus(scope, 'B2', 'active');
    const tooLow = endSandboxAuction(world.context, scope, { externalId: 'B1', end: { kind: 'sell', bidKronor: 1 } });
    await t.throwsAsync(tooLow, { message: /simulated marketplace says: .*at least/ });
    await endSandboxAuction(world.context, scope, { externalId: 'B1', end: { kind: 'sell', bidKronor: null } });
    await endSandboxAuction(world.context, scope, { externalId: 'B2', end: { kind: 'end' } });
    await untilStatus(scope, 'B1', 'sold');
    await untilStatus(scope, 'B2', 'ended');
    const { orders } = await listOrders(world.context, scope, readOrderListQuery({}));
    t.deepEqual(
      orders.map(({ externalId }) => externalId),
      ['B1'],
    );
    const id = orderId(orders[0]?.id ?? '');
    await paySandboxOrder(world.context, scope, id);
    await until('it is paid', async () => (await readOrder(world.context, scope, id)).order.status === 'paid');
    await t.throwsAsync(paySandboxOrder(world.context, scope, id), { message: /Only an open order/ });
  },
);

test.serial('a live item beside it, of the same external id, goes to the real marketplace alone', async (t) => {
  const account = await world.account();
  const scope = await sandboxScope(account);
  const before = await writesAt(sandbox);
  await account.push('A1', {}, { autoPublish: true });
  await untilMarketplaceStatus(account, 'A1', 'active');
  const [listing] = await account.listings('A1');
  t.is(listing?.state, 'active');
  t.deepEqual(await listingsAt(sandbox, listing?.ownReferences[1] ?? ''), []);
  t.true((await writesAt(world.marketplace)) > 0);
  t.is(await writesAt(sandbox), before);
  await t.throwsAsync(readItemStatus(world.context, scope, 'A1'), { message: /No item/ });
});

/** The ids of the account's orders, oldest first. */
const ordersOf = async (scope: Scope): Promise<string[]> =>
  (await listOrders(world.context, scope, readOrderListQuery({}))).orders.map(({ id }) => id).toReversed();

interface Shop {
  readonly scope: Scope;
  readonly adminUrl: string;
}

/** Puts an item up, and has it bought. */
async function sellOne({ scope, adminUrl }: Shop, externalId: string): Promise<void> {
  const push = { externalId, request: anItemRequest({}, { autoPublish: true }) };
  const { itemId } = await upsertItem(world.context, scope, push);
  await untilStatus(scope, externalId, 'active');
  const [listing] = await listingsAt({ adminUrl }, itemId);
  const auction = `${adminUrl}/listings/${listing?.itemId ?? ''}`;
  await callAdmin(`${auction}/bids`, 'POST', { amount: 900 });
  await callAdmin(`${auction}/end`, 'POST', {});
  await until(
    'the order is there',
    async () => (await listOrders(world.context, scope, readOrderListQuery({ externalId }))).orders.length === 1,
  );
}

test.serial('both marketplaces give the same transaction number: each account has its own order', async (t) => {
  const stranger = await world.account({ connected: false });
  const trial = { scope: await sandboxScope(stranger), adminUrl: sandbox.adminUrl };
  const live = { scope: (await world.account()).scope, adminUrl: world.marketplace.adminUrl };
  await sellOne(trial, 'C0');
  const [tried = ''] = await ordersOf(trial.scope);
  // The live marketplace has sold less, and counts from the same number.
  const met = tried.replace('ord_t', 'ord_');
  for (let n = 1; (await ordersOf(live.scope)).at(-1) !== met; n += 1) {
    t.true(n < 9, 'the numbers never met');
    await sellOne(live, `C${String(n)}`);
  }
  t.deepEqual(await ordersOf(trial.scope), [tried]);
  const { order } = await readOrder(world.context, live.scope, orderId(met));
  t.like(order, { id: met, amount: 900 });
  await t.throwsAsync(readOrder(world.context, live.scope, orderId(tried)), { message: /no order/ });
});
