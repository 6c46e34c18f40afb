import test from 'ava';
import { MarketplaceError, type RequestResult } from '../../gateways/marketplace/port.ts';
import { aDraft } from '../gateways/support/marketplace-double.ts';
import { adapterAtSimulator, liveThrough, published } from './adapter-at-simulator.ts';

test('adapter and simulator agree on the life of a seller', async (t) => {
  await liveThrough(t, await adapterAtSimulator(t));
});

test('a request that should be tried again is committed again and goes live as the same ad', async (t) => {
  const at = await adapterAtSimulator(t);
  await at.world.admin('POST', '/results', { ownReference: 'item-1:1', codes: ['TryAgain'], times: 1 });
  const { adId, requestId, result } = await published(at);
  t.is(result.kind, 'try_again');
  t.is(await at.marketplace.readAuction(at.seller, adId), null);
  await at.marketplace.commit(at.seller, requestId);
  await at.world.settle();
  t.is((await at.marketplace.readResult(at.seller, requestId)).kind, 'ok');
  t.is((await at.marketplace.readRunning(at.seller, 'publish')).length, 1);
});

test('the results of requests are told apart', async (t) => {
  const at = await adapterAtSimulator(t);
  const results: [string[], RequestResult['kind']][] = [
    [['ReachedMaximumActiveItemsThreshold'], 'too_many_active'],
    [['Error'], 'refused'],
    [['ImageProcessingError'], 'refused'],
    [['Timeout'], 'timed_out'],
  ];
  for (const [index, [codes, kind]] of results.entries()) {
    const ownReference = `item-${index}:1`;
    await at.world.admin('POST', '/results', { ownReference, codes });
    const { result, adId } = await published(at, { ownReferences: [ownReference] });
    t.is(result.kind, kind, codes.join());
    t.is(await at.marketplace.readAuction(at.seller, adId), null);
  }
});

test('the wrong number of a picture format is found by its result', async (t) => {
  const at = await adapterAtSimulator(t, { switches: { imageFormats: 'B' } });
  const { result } = await published(at);
  t.true(result.kind === 'refused' || (result.kind === 'ok' && result.imagesRefused), result.kind);
});

test('a commit whose answer got lost is found to have been done', async (t) => {
  const { marketplace, seller, world } = await adapterAtSimulator(t);
  const { requestId } = await marketplace.createDraft(seller, aDraft());
  await world.admin('POST', '/faults', { method: 'POST', path: '/commit$', mode: 'drop-after', times: 1 });
  const error = await t.throwsAsync(marketplace.commit(seller, requestId), { instanceOf: MarketplaceError });
  t.is(error.kind, 'outcome_unknown');
  await world.settle();
  t.is((await marketplace.readResult(seller, requestId)).kind, 'ok');
  t.is((await marketplace.readRunning(seller, 'publish')).length, 1);
});

test('every fault of the marketplace is told as what it is', async (t) => {
  const { marketplace, seller, world } = await adapterAtSimulator(t, {}, { requestTimeoutMs: 5_000 });
  const kindAfter = async (fault: object): Promise<string> => {
    await world.admin('POST', '/faults', { times: 1, ...fault });
    return (await t.throwsAsync(marketplace.createDraft(seller, aDraft()), { instanceOf: MarketplaceError })).kind;
  };
  t.is(await kindAfter({ mode: 'status', status: 503 }), 'outcome_unknown');
  t.is(await kindAfter({ mode: 'status', status: 429 }), 'budget_exhausted');
  t.is(await kindAfter({ mode: 'delay', delayMs: 12_000 }), 'outcome_unknown');
  t.is(await kindAfter({ mode: 'drop-before' }), 'outcome_unknown');
  t.is(await kindAfter({ mode: 'drop-after' }), 'outcome_unknown');
  t.is(await kindAfter({ mode: 'garbage' }), 'outcome_unknown');
});
