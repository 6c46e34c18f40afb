import type { ExecutionContext } from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { MarketplaceError, type RequestResult, type Seller } from '../../gateways/marketplace/port.ts';
import {
  createRestMarketplace,
  type RestMarketplace,
  type RestMarketplaceOptions,
} from '../../gateways/marketplace/rest-marketplace.ts';
import { Secret } from '../../platform/security/secret.ts';
import { defaultApplication } from '../../simulators/marketplace/default-application.ts';
import type { MarketplaceSimulatorOptions } from '../../simulators/marketplace/start-marketplace-simulator.ts';
import { switchPositions } from '../../simulators/marketplace/switches.ts';
import { aDraft, startingAt } from '../gateways/support/marketplace-double.ts';
import { jpeg, sellerOf, type TestSeller } from '../simulators/support/seller.ts';
import { present } from '../support/clock.ts';

// The adapter at the simulator: both were built from the table, by different hands.

export interface AdapterAtSimulator {
  readonly marketplace: RestMarketplace;
  readonly seller: Seller;
  /** The simulator's own seller and admin routes. */
  readonly world: TestSeller;
}

export async function adapterAtSimulator(
  t: ExecutionContext,
  options: MarketplaceSimulatorOptions = {},
  adapter: Partial<RestMarketplaceOptions> = {},
): Promise<AdapterAtSimulator> {
  const world = await sellerOf(t, options);
  let ahead = 0;
  const marketplace = createRestMarketplace({
    live: { url: world.simulator.url, ...defaultApplication },
    requestTimeoutMs: 60_000,
    adUrlTemplate: `${world.simulator.url}/item/{adId}`,
    now: () => present(ahead),
    ...adapter,
  });
  t.teardown(() => marketplace.close());
  const advance = async (seconds: number) => {
    ahead += seconds * 1000;
    return world.advance(seconds);
  };
  return {
    marketplace,
    seller: {
      accountId: accountId('account-1'),
      marketplaceUserId: '77',
      isSandbox: false,
      token: new Secret(await tokenOf(world)),
    },
    world: { ...world, advance, settle: () => advance(600) },
  };
}

const tokenOf = async (world: TestSeller): Promise<string> =>
  (await world.admin('POST', '/users', { userId: '77' })).json<{ token: string }>().token;

/** A committed draft, and what its result is once the marketplace has worked on it. */
export async function published(
  { marketplace, seller, world }: AdapterAtSimulator,
  changes: Parameters<typeof aDraft>[0] = {},
): Promise<{ adId: string; requestId: string; result: RequestResult }> {
  const receipt = await marketplace.createDraft(seller, aDraft(changes));
  await marketplace.addImage(seller, receipt.requestId, jpeg);
  await marketplace.commit(seller, receipt.requestId);
  await world.settle();
  return { ...receipt, result: await marketplace.readResult(seller, receipt.requestId) };
}

const dayMs = 86_400_000;

/** A seller's life at the marketplace: what is asked, and what it comes to, is the same however the switches stand. */
export async function liveThrough(t: ExecutionContext, at: AdapterAtSimulator): Promise<void> {
  await publishes(t, at);
  const { adId } = await published(at, { ownReferences: ['item-1:2'] });
  await pricesAndBids(t, at, adId);
  await sells(t, at, adId);
  await takesDown(t, at);
  await isTurnedAway(t, at);
}

async function publishes(t: ExecutionContext, { marketplace, seller, world }: AdapterAtSimulator): Promise<void> {
  const { adId, requestId } = await marketplace.createDraft(seller, aDraft());
  await marketplace.addImage(seller, requestId, jpeg);
  t.deepEqual(await marketplace.readRunning(seller, 'publish'), [], 'a draft is no auction');
  const before = await marketplace.readResult(seller, requestId);
  t.true(['none', 'uncommitted'].includes(before.kind), before.kind);
  await marketplace.commit(seller, requestId);
  const again = await marketplace.commit(seller, requestId).catch((error: unknown) => error);
  t.true(again === undefined || (again instanceof MarketplaceError && again.kind === 'outcome_unknown'));
  await world.settle();
  t.deepEqual(await marketplace.readResult(seller, requestId), { kind: 'ok', imagesRefused: false });
  const [running, ...others] = await marketplace.readRunning(seller, 'publish');
  t.deepEqual(others, []);
  t.like(running, {
    adId,
    ownReferences: ['A1', 'item-1', 'item-1:1'],
    isOver: false,
    bids: 0,
    priceKronor: 450,
    pictures: 1,
    ...startingAt(450),
  });
  t.deepEqual(await marketplace.readAuction(seller, adId), running);
  t.is((await fetch(running?.adUrl ?? '')).status, 200);
  t.deepEqual(await marketplace.remove(seller, adId), { kind: 'removed' });
}

async function pricesAndBids(
  t: ExecutionContext,
  { marketplace, seller, world }: AdapterAtSimulator,
  adId: string,
): Promise<void> {
  const both = { startPriceKronor: 400, reservePriceKronor: 600, buyNowPriceKronor: 900 };
  t.deepEqual(await marketplace.setPrices(seller, adId, { wanted: both, present: startingAt(450) }), { kind: 'taken' });
  t.like(await marketplace.readAuction(seller, adId), both);
  const sooner = { ...both, startPriceKronor: 300, buyNowPriceKronor: null };
  t.deepEqual(await marketplace.setPrices(seller, adId, { wanted: sooner, present: both }), { kind: 'taken' });
  t.like(await marketplace.readAuction(seller, adId), sooner);
  const above = { ...sooner, startPriceKronor: 700 };
  t.like(await marketplace.setPrices(seller, adId, { wanted: above, present: sooner }), { kind: 'refused' });
  const mark = await marketplace.readChangeMark(seller, '0');
  await world.bid(Number(adId), 800, 'kim');
  const higher = await marketplace.readChangeMark(seller, mark);
  t.true(BigInt(higher) >= BigInt(mark));
  const lower = { ...sooner, startPriceKronor: 200 };
  const outcome = await marketplace.setPrices(seller, adId, { wanted: lower, present: sooner });
  t.like(outcome, { kind: 'has_bids', auction: { bids: 1, priceKronor: 800, startPriceKronor: 300 } });
  t.deepEqual(await marketplace.remove(seller, adId), { kind: 'has_bids' });
}

async function sells(
  t: ExecutionContext,
  { marketplace, seller, world }: AdapterAtSimulator,
  adId: string,
): Promise<void> {
  const since = present(-30 * dayMs);
  await world.end(Number(adId));
  t.deepEqual(await marketplace.readRunning(seller, 'feed'), []);
  const ended = (await marketplace.readEnded(seller, since)).find((auction) => auction.adId === adId);
  t.like(ended, { isOver: true, bids: 1, priceKronor: 800 });
  t.like(await marketplace.remove(seller, adId), { kind: 'over', auction: { adId } });
  const [sale] = await marketplace.readTransactions(seller, since);
  t.like(sale, { adId, amountKronor: 800, isPaid: false, ownReferences: ['item-1:2'] });
  const [order] = await marketplace.readOrders(seller, since);
  t.like(order, { isPaid: false, lines: [{ adId, amountKronor: 800 }], buyer: { alias: 'kim' } });
  t.truthy(order?.buyer?.address.line1, 'the address is that of the buyer');
  await world.wire('PUT', '/v4/listings/transaction-status', {
    transactionId: Number(sale?.transactionId),
    markAsPaidConfirmed: true,
  });
  t.like(await marketplace.readTransactions(seller, since), [{ isPaid: true }]);
  await marketplace.markShipped(seller, order?.marketplaceOrderId ?? '');
}

async function takesDown(t: ExecutionContext, at: AdapterAtSimulator): Promise<void> {
  const { marketplace, seller, world } = at;
  const { adId } = await published(at, { ownReferences: ['item-2:1'] });
  await world.admin('POST', '/faults', { method: 'DELETE', mode: 'drop-after', times: 1 });
  t.like(await marketplace.remove(seller, adId), { kind: 'over', auction: { bids: 0 } }, 'the answer was lost');
  t.like(await marketplace.remove(seller, adId), { kind: 'over' });
  t.deepEqual(await marketplace.remove(seller, '600999999'), { kind: 'gone' });
  const change = { wanted: startingAt(500), present: startingAt(450) };
  t.deepEqual(await marketplace.setPrices(seller, adId, change), { kind: 'over' });
}

async function isTurnedAway(t: ExecutionContext, { marketplace, seller, world }: AdapterAtSimulator): Promise<void> {
  const unknown = await t.throwsAsync(marketplace.createDraft(seller, aDraft({ categoryId: 1 })), {
    instanceOf: MarketplaceError,
  });
  t.is(unknown.kind, 'refused');
  await world.admin('POST', '/budget', { callsPerDay: 0 });
  const exhausted = await t.throwsAsync(marketplace.readRunning(seller, 'feed'), { instanceOf: MarketplaceError });
  t.is(exhausted.kind, 'budget_exhausted');
  t.true((exhausted.retryAfterMs ?? 0) > 0);
  await world.admin('POST', '/budget', { callsPerDay: 10_000 });
  await world.admin('POST', '/users/77/expire-token');
  const expired = await t.throwsAsync(marketplace.readRunning(seller, 'feed'), { instanceOf: MarketplaceError });
  t.is(expired.kind, 'token_expired');
}

/** The positions that are not the usual ones: each alone, and the first of each together. */
export const otherPositions = (): readonly Readonly<Record<string, string>>[] => {
  const others = Object.entries(switchPositions).map(([name, [, ...positions]]) => ({ name, positions }));
  const alone = others.flatMap(({ name, positions }) => positions.map((position) => ({ [name]: position })));
  return [...alone, Object.fromEntries(others.map(({ name, positions }) => [name, positions[0]]))];
};

/** What an operator sets where the marketplace numbers its picture formats differently. */
export const settingsFor = ({ imageFormats }: Readonly<Record<string, string>>): Partial<RestMarketplaceOptions> =>
  imageFormats === 'B' ? { settings: { jpegFormat: 1 } } : {};
