import test, { type ExecutionContext } from 'ava';
import sharp from 'sharp';
import { accountId } from '../../../core/ids.ts';
import {
  MarketplaceError,
  type ChangeOutcome,
  type ChangeReceipt,
  type DraftReceipt,
  type RequestOutcome,
  type Seller,
} from '../../../gateways/marketplace/port.ts';
import { createRestMarketplace, type RestMarketplace } from '../../../gateways/marketplace/rest-marketplace.ts';
import { Secret } from '../../../security/secret.ts';
import { defaultApplication } from '../../../simulators/marketplace/default-application.ts';
import { startMarketplaceSimulator } from '../../../simulators/marketplace/start-marketplace-simulator.ts';
import { until } from '../../support/until.ts';
import { aDraft, someChanges, startingAt } from '../../gateways/support/marketplace-double.ts';
import { present } from '../../support/clock.ts';

// The adapter against the marketplace as the simulator knows it: both were written from the same description, by different hands.

interface World {
  readonly marketplace: RestMarketplace;
  readonly seller: Seller;
  readonly url: string;
  admin(path: string, body?: object): Promise<unknown>;
}

async function setUp(
  t: ExecutionContext,
  { requestTimeoutMs = 5_000, processingDelayMs = 20 }: { requestTimeoutMs?: number; processingDelayMs?: number } = {},
): Promise<World> {
  const simulator = await startMarketplaceSimulator({ processingDelayMs });
  const marketplace = createRestMarketplace({ url: simulator.url, ...defaultApplication, requestTimeoutMs });
  t.teardown(async () => {
    await marketplace.close();
    await simulator.close();
  });
  const admin = async (path: string, body?: object): Promise<unknown> => {
    const init =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(simulator.adminUrl + path, init);
    t.true(answer.ok, `${path}: ${answer.status}`);
    return answer.status === 204 ? undefined : answer.json();
  };
  const { token } = (await admin('/users', { userId: '4711' })) as { token: string };
  const seller = {
    accountId: accountId('account-1'),
    marketplaceUserId: '4711',
    isSandbox: false,
    token: new Secret(token),
  };
  return { marketplace, seller, url: simulator.url, admin };
}

async function settled({ marketplace, seller }: World, receipt: DraftReceipt): Promise<RequestOutcome> {
  return until('the request is processed', async () => {
    const outcome = await marketplace.readOutcome(seller, receipt);
    return outcome.kind !== 'unknown_yet' && outcome;
  });
}

async function published(world: World, ownReference = 'item-1:1'): Promise<DraftReceipt> {
  const { marketplace, seller } = world;
  const receipt = await marketplace.createDraft(seller, aDraft({ ownReferences: ['A1', 'item-1', ownReference] }));
  await marketplace.commit(seller, receipt.requestId);
  return receipt;
}

async function changed({ marketplace, seller }: World, receipt: ChangeReceipt): Promise<ChangeOutcome> {
  if ('outcome' in receipt) return receipt.outcome;
  return until('the change is processed', async () => {
    const outcome = await marketplace.readChange(seller, receipt.requestId);
    return outcome.kind !== 'unknown_yet' && outcome;
  });
}

const aJpeg = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 20, height: 20, channels: 3, background } })
    .jpeg()
    .toBuffer();

test('a draft with an image is committed, goes live and is found again by its own reference', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await marketplace.createDraft(seller, aDraft());
  const jpeg = await aJpeg('#c00');
  await marketplace.addImage(seller, receipt.requestId, jpeg);
  t.deepEqual(await marketplace.findByOwnReference(seller, 'item-1:1'), [], 'a draft is no listing');
  await marketplace.commit(seller, receipt.requestId);
  await marketplace.commit(seller, receipt.requestId);

  const outcome = await settled(world, receipt);
  t.like(outcome, { kind: 'live', adUrl: `${world.url}/item/${receipt.adId}` });
  t.is((await fetch(`${world.url}/item/${receipt.adId}`)).status, 200);
  t.like(await marketplace.findByOwnReference(seller, 'item-1:1'), [
    { adId: receipt.adId, requestId: receipt.requestId, state: 'active', adUrl: `${world.url}/item/${receipt.adId}` },
  ]);
  t.deepEqual(await marketplace.findByOwnReference(seller, 'item-1:2'), []);
  t.like(await world.admin(`/listings/${receipt.adId}`), {
    imageCount: 1,
    state: 'active',
    startPrice: 450,
    ownReferences: ['A1', 'item-1', 'item-1:1'],
  });
});

test('a request that should be tried again is committed again and goes live as the same ad', async (t) => {
  const world = await setUp(t);
  await world.admin('/results', { ownReference: 'item-1:1', codes: ['TryAgain', 'ImageProcessingError'], times: 1 });
  const receipt = await published(world);
  t.like(await settled(world, receipt), { kind: 'try_again' });
  await world.marketplace.commit(world.seller, receipt.requestId);
  t.like(await settled(world, receipt), { kind: 'live' });
});

test('too many active items and a plain error are told apart', async (t) => {
  const world = await setUp(t);
  await world.admin('/results', { ownReference: 'item-1:1', codes: ['ReachedMaximumActiveItemsThreshold'] });
  await world.admin('/results', { ownReference: 'item-1:2', codes: ['Error'] });
  t.like(await settled(world, await published(world, 'item-1:1')), { kind: 'too_many_active' });
  t.like(await settled(world, await published(world, 'item-1:2')), { kind: 'refused' });
});

test('a sale shows in both feeds', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await published(world);
  await settled(world, receipt);
  await world.admin(`/listings/${receipt.adId}/bids`, { amount: 500 });
  const since = present(-60_000);
  t.like(await marketplace.readUpdatedItems(seller, since), [{ adId: receipt.adId, state: 'active', bids: 1 }]);
  await world.admin(`/listings/${receipt.adId}/end`, {});
  t.like(await marketplace.readUpdatedItems(seller, since), [{ adId: receipt.adId, state: 'sold', bids: 1 }]);
  t.like(await marketplace.readTransactions(seller, since), [{ adId: receipt.adId, amountKronor: 500, paid: false }]);
  t.deepEqual(await marketplace.readTransactions(seller, present(60_000)), []);
});

test('an order has buyer, address and shipping; it is paid once the buyer has paid, and can be said to be sent', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await published(world);
  await settled(world, receipt);
  await world.admin(`/listings/${receipt.adId}/bids`, { amount: 500, bidder: 'kim' });
  await world.admin(`/listings/${receipt.adId}/end`, {});
  const since = present(-60_000);
  const [order] = await marketplace.readOrders(seller, since);
  t.like(order, {
    ...{ isPaid: false, lines: [{ adId: receipt.adId, amountKronor: 500 }], shippingMethod: 'PostNord' },
    buyer: { alias: 'kim', name: 'Kim kimsson', address: { line1: 'Storgatan 1', line2: null, city: 'Umeå' } },
  });
  const [sale] = await marketplace.readTransactions(seller, since);
  await world.admin(`/transactions/${sale?.transactionId ?? ''}/pay`, {});
  t.like(await marketplace.readOrders(seller, since), [{ isPaid: true }]);
  for (const _again of [1, 2]) await marketplace.markShipped(seller, order?.marketplaceOrderId ?? '');
  await t.throwsAsync(marketplace.markShipped(seller, '1'), { message: /no order/ });
});

test('a commit whose answer got lost is found to have been done', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await marketplace.createDraft(seller, aDraft());
  await world.admin('/faults', { method: 'POST', path: '/commit$', mode: 'drop-after', times: 1 });
  const error = await t.throwsAsync(marketplace.commit(seller, receipt.requestId), { instanceOf: MarketplaceError });
  t.is(error.kind, 'outcome_unknown');
  t.like(await settled(world, receipt), { kind: 'live' });
  t.is((await marketplace.findByOwnReference(seller, 'item-1:1')).length, 1);
});

test('every fault of the marketplace is told as what it is', async (t) => {
  const world = await setUp(t, { requestTimeoutMs: 1_500 });
  const { marketplace, seller } = world;
  const kindAfter = async (fault: object): Promise<string | undefined> => {
    await world.admin('/faults', { times: 1, ...fault });
    return (await t.throwsAsync(marketplace.createDraft(seller, aDraft()), { instanceOf: MarketplaceError }))?.kind;
  };
  t.is(await kindAfter({ mode: 'status', status: 503 }), 'outcome_unknown');
  t.is(await kindAfter({ mode: 'status', status: 429 }), 'budget_exhausted');
  t.is(await kindAfter({ mode: 'delay', delayMs: 12_000 }), 'outcome_unknown');
  t.is(await kindAfter({ mode: 'drop-before' }), 'outcome_unknown');
  t.is(await kindAfter({ mode: 'drop-after' }), 'outcome_unknown');
  t.is(await kindAfter({ mode: 'garbage' }), 'outcome_unknown');
});

test('an expired token, an exhausted budget and an unknown category are told apart', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const kindOf = async (work: Promise<unknown>): Promise<MarketplaceError> =>
    t.throwsAsync(work, { instanceOf: MarketplaceError });
  t.like(await kindOf(marketplace.createDraft(seller, aDraft({ categoryId: 1 }))), {
    kind: 'refused',
    code: 'InvalidRequest',
  });
  await world.admin('/budget', { callsPerDay: 0 });
  const exhausted = await kindOf(marketplace.createDraft(seller, aDraft()));
  t.is(exhausted.kind, 'budget_exhausted');
  t.true((exhausted.retryAfterMs ?? 0) > 0 && (exhausted.retryAfterMs ?? 0) <= 86_400_000);
  await world.admin('/users/4711/expire-token', {});
  t.is((await kindOf(marketplace.createDraft(seller, aDraft()))).kind, 'token_expired');
});

test('fields, price and pictures of a live auction are changed in place, and again to the same effect', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await published(world);
  await settled(world, receipt);
  const jpegs = [await aJpeg('#0c0'), await aJpeg('#00c')];
  const look = (): Promise<unknown> => world.admin(`/listings/${receipt.adId}`);
  for (let time = 0; time < 2; time += 1) {
    const asked = await marketplace.revise(seller, receipt.adId, someChanges({ jpegs }));
    t.deepEqual(await changed(world, asked), { kind: 'taken', imagesRefused: false });
    t.like(await look(), { title: 'Strålkastare, höger', startPrice: 500, imageCount: 2, state: 'active' });
  }
  const textOnly = someChanges({ title: 'Ny', startPriceKronor: null, weightKg: null, shippingKronor: null });
  t.deepEqual(await changed(world, await marketplace.revise(seller, receipt.adId, textOnly)), {
    kind: 'taken',
    imagesRefused: false,
  });
  t.like(await look(), { title: 'Ny', startPrice: 500, imageCount: 2, weightKg: null, shippingOptions: [] });
  t.deepEqual(await changed(world, await marketplace.setPrices(seller, receipt.adId, startingAt(475))), {
    kind: 'taken',
    imagesRefused: false,
  });
  t.like(await look(), { title: 'Ny', startPrice: 475, imageCount: 2 });
  t.like(await marketplace.findByOwnReference(seller, 'item-1:1'), [{ adId: receipt.adId, bids: 0 }]);
});

test('terms reach the auction, which is sold from its reserve price on, or at its buy-now price', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const endsAt = present(3 * 86_400_000);
  const terms = {
    shippingOptions: [
      { optionId: 1, cost: 79 },
      { optionId: 3, cost: 0 },
    ],
    ...{ vatPercent: 25, reservePriceKronor: 800, buyNowPriceKronor: 1_200 },
  };
  const up = async (reference: string): Promise<string> => {
    const ownReferences = ['A1', 'item-1', reference];
    const receipt = await marketplace.createDraft(seller, aDraft({ terms, endsAt, ownReferences }));
    await marketplace.commit(seller, receipt.requestId);
    t.like(await settled(world, receipt), { kind: 'live' });
    return `/listings/${receipt.adId}`;
  };
  const [low, high, bought] = [await up('item-1:1'), await up('item-1:2'), await up('item-1:3')];
  t.like(await world.admin(low), {
    ...{ vat: 25, reservePrice: 800, buyItNowPrice: 1_200, endsAt: endsAt.toISOString() },
    shippingOptions: [
      { shippingOptionId: 1, cost: 79 },
      { shippingOptionId: 3, cost: 0 },
    ],
  });
  await world.admin(`${low}/bids`, { amount: 799 });
  t.like(await world.admin(`${low}/end`, {}), { state: 'ended' });
  await world.admin(`${high}/bids`, { amount: 800 });
  t.like(await world.admin(`${high}/end`, {}), { state: 'sold' });
  t.like(await world.admin(`${bought}/buy`, {}), { state: 'sold', bids: [{ amount: 1_200 }] });
  const sales = await marketplace.readTransactions(seller, new Date(0));
  t.deepEqual(
    sales.map(({ amountKronor }) => amountKronor),
    [800, 1_200],
  );
});

test('a start price keeps the other prices, and the marketplace’s own bounds are refusals', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await published(world);
  await settled(world, receipt);
  const look = (): Promise<unknown> => world.admin(`/listings/${receipt.adId}`);
  const prices = { startPriceKronor: 475, reservePriceKronor: 800, buyNowPriceKronor: 1_200 };
  await changed(world, await marketplace.setPrices(seller, receipt.adId, prices));
  t.like(await look(), { startPrice: 475, reservePrice: 800, buyItNowPrice: 1_200 });
  await changed(world, await marketplace.revise(seller, receipt.adId, someChanges({ startPriceKronor: null })));
  t.like(await look(), { startPrice: 475, reservePrice: 800, buyItNowPrice: null }, 'a reserve price stays');
  for (const wrong of [{ durationDays: 15 }, { endsAt: present(15 * 86_400_000) }])
    await t.throwsAsync(marketplace.createDraft(seller, aDraft(wrong)), { instanceOf: MarketplaceError });
});

test('with bids neither price nor pictures change, and the auction stays up', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await published(world);
  await settled(world, receipt);
  await world.admin(`/listings/${receipt.adId}/bids`, { amount: 600 });
  t.like(await changed(world, await marketplace.setPrices(seller, receipt.adId, startingAt(475))), {
    kind: 'has_bids',
  });
  const changes = someChanges({ jpegs: [await aJpeg('#0c0')] });
  t.like(await changed(world, await marketplace.revise(seller, receipt.adId, changes)), { kind: 'has_bids' });
  t.is(await marketplace.remove(seller, receipt.adId), 'has_bids');
  t.like(await world.admin(`/listings/${receipt.adId}`), { startPrice: 450, imageCount: 0, state: 'active' });
  t.like(await marketplace.findByOwnReference(seller, 'item-1:1'), [{ state: 'active', bids: 1 }]);
});

test('a change that should be tried again is asked for again', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await published(world);
  await settled(world, receipt);
  await world.admin('/results', { ownReference: 'item-1:1', codes: ['TryAgain', 'Error'] });
  const ask = () => marketplace.setPrices(seller, receipt.adId, startingAt(475));
  t.like(await changed(world, await ask()), { kind: 'try_again' });
  t.deepEqual(await changed(world, await ask()), { kind: 'taken', imagesRefused: false });
});

test('an auction that is over takes no change and no take-down', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await published(world);
  await settled(world, receipt);
  t.is(await marketplace.remove(seller, receipt.adId), 'removed');
  t.is(await marketplace.remove(seller, receipt.adId), 'not_active');
  t.deepEqual(await marketplace.setPrices(seller, receipt.adId, startingAt(475)), {
    outcome: { kind: 'not_active' },
  });
  t.deepEqual(await marketplace.revise(seller, receipt.adId, someChanges()), { outcome: { kind: 'not_active' } });
  const error = await t.throwsAsync(marketplace.remove(seller, '1'), { instanceOf: MarketplaceError });
  t.is(error.kind, 'refused');
});

test('a draft and a waiting listing are taken away, and their commit is refused', async (t) => {
  const world = await setUp(t, { processingDelayMs: 600_000 });
  const { marketplace, seller } = world;
  const draft = await marketplace.createDraft(seller, aDraft());
  t.is(await marketplace.remove(seller, draft.adId), 'removed');
  const refused = await t.throwsAsync(marketplace.commit(seller, draft.requestId), { instanceOf: MarketplaceError });
  t.is(refused.kind, 'refused');
  const waiting = await published(world, 'item-1:2');
  t.is(await marketplace.remove(seller, waiting.adId), 'removed');
  await world.admin('/clock', { advanceSeconds: 600 });
  t.like(await settled(world, waiting), { kind: 'refused' });
});

test('a take-down whose answer got lost is found to have been done', async (t) => {
  const world = await setUp(t);
  const { marketplace, seller } = world;
  const receipt = await published(world);
  await settled(world, receipt);
  await world.admin('/faults', { method: 'DELETE', mode: 'drop-after', times: 1 });
  const error = await t.throwsAsync(marketplace.remove(seller, receipt.adId), { instanceOf: MarketplaceError });
  t.is(error.kind, 'outcome_unknown');
  t.is(await marketplace.remove(seller, receipt.adId), 'not_active');
});
