import test from 'ava';
import { orderId } from '../../features/rules/ids.ts';
import { settle } from '../../features/items/rules/owed-work.ts';
import { itemWithStatus } from '../../features/items/rules/change-status.ts';
import { deletedItem } from '../../features/items/rules/delete-item.ts';
import { itemWithPrice } from '../../features/items/rules/change-price.ts';
import { recordFinding } from '../../features/items/rules/enrich-item.ts';
import {
  announceImages,
  firstImageSet,
  recordImageOutcomes,
  type ImageOutcome,
} from '../../features/images/rules/image-set.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { nextStep } from '../../features/items/rules/next-step.ts';
import { isDueAlready, retryItem } from '../../features/items/rules/retry-item.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { changeNewestListing } from '../../features/listings/rules/publication.ts';
import { pendingChanges } from '../../features/listings/rules/pending-changes.ts';
import { askedPrices, recordPriceRefused } from '../../features/listings/rules/price.ts';
import { withFailure, type FailureCause } from '../../features/listings/rules/listing-failure.ts';
import { aCall, aCaller, aLiveItem, anItem, anItemBeingPublished, emptied, later, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const [good, bad] = ['https://erp.example/good.jpg', 'https://erp.example/bad.jpg'];
const settled = (item: Item): Item => settle(emptied(item), noon);
const retry = (item: Item): Item => retryItem(item, aCall(60_000));
const next = (item: Item) => nextStep(emptied(item), later(60_000)).kind;
const retriedParts = (item: Item): unknown => {
  const entry = item.journal.at(-1);
  return entry?.kind === 'retry_requested' ? entry.details.parts : undefined;
};

/** Its images are those that work and those that don't; whether it is to be published is in `change`. */
function withImages(urls: readonly string[], change: Partial<Item> = {}): Item {
  const { content } = anItemRequest({ imageUrls: urls });
  const item = anItem({ content, imageSet: firstImageSet(urls), serviceStatus: 'draft', ...change });
  const outcomes = new Map([
    [good, { state: 'hosted', contentHash: 'hash' } as const],
    [bad, { state: 'failed', failure: { kind: 'not_found' } } as const],
  ]);
  return settled(announceImages(recordImageOutcomes(item, 1, outcomes), noon));
}

const failedListing = (item: Item, cause: FailureCause, work: 'publish' | 'price' | 'take-down' = 'publish'): Item =>
  emptied(withFailure(item, { cause, message: 'why' }, { now: noon, work }));

// specification: retry-images-publication-change
test('a draft whose images all failed has them fetched again, and goes on to its publication', (t) => {
  const item = withImages([bad]);
  t.is(item.processing.waitingFor, 'images');
  const retried = retry(item);
  t.like(retried, { serviceStatus: 'draft', wantedPublication: 1, revision: item.revision + 1 });
  t.like(retried.imageSet, { number: 2, announced: false, images: [{ state: 'pending', failure: null }] });
  t.is(retried.processing.waitingFor, null);
  t.is(next(retried), 'process-images');
  t.deepEqual(retriedParts(retried), ['images']);
});

test('a draft that nobody asked to publish has its images fetched again, and nothing else', (t) => {
  const retried = retry(withImages([bad], { wantedPublication: 0 }));
  t.is(next(retried), 'process-images');
  t.is(retried.wantedPublication, 0);
});

test('of some images only those that failed are fetched again; the others stay hosted', (t) => {
  const item = withImages([good, bad]);
  t.is(item.serviceStatus, 'active');
  t.deepEqual(
    retry(item).imageSet.images.map(({ state }) => state),
    ['hosted', 'pending'],
  );
});

test('images of an item that is off the service are fetched again, and it stays there', (t) => {
  const retried = retry(withImages([bad], { serviceStatus: 'not_listed', wantedPublication: 0 }));
  t.like(retried, { serviceStatus: 'not_listed', wantedPublication: 0 });
  t.is(next(retried), 'process-images');
});

// specification: retry-images-publication-change
test('a publication that was given up is asked for again under the next number', (t) => {
  const item = settled(failedListing(anItemBeingPublished('drafting'), 'LISTING_REFUSED'));
  t.like(item, { marketplaceStatus: 'sync_error' });
  const retried = retry(item);
  t.is(retried.wantedPublication, 2);
  t.like(retried.processing, { stage: 'publishing', waitingFor: null, lastError: null, attempts: 0 });
  t.is(next(retried), 'open-listing');
  t.deepEqual(retriedParts(retried), ['publication']);
});

// specification: retry-begins-nothing-that
test('a publication that was given up stays so for what is not for sale any more', (t) => {
  const item = settled(failedListing(anItemBeingPublished('drafting'), 'LISTING_REFUSED'));
  for (const over of [
    settled(itemWithStatus(item, 'not_listed', aCall())),
    settled(itemWithStatus(item, 'sold', aCall())),
    { ...item, openOrderIds: [orderId('ord_1')] },
    settled(deletedItem(item, aCall())),
  ])
    t.is(retry(over), over);
});

// specification: retry-images-publication-change
test('a price that was given up is sent again', (t) => {
  const changed = itemWithPrice(aLiveItem(), 50_000, aCall());
  const item = settled(failedListing(changed, 'PRICE_REFUSED', 'price'));
  t.like(item, { marketplaceStatus: 'sync_error' });
  t.is(next(item), 'settle');
  const retried = retry(item);
  t.is(next(retried), 'send-price');
  t.deepEqual(retriedParts(retried), ['price']);
});

/** A live auction with bids, on which prices were refused. */
function refusedForBids(changed: Item): Item {
  const [listing] = changed.listings;
  if (listing === undefined) throw new Error('no listing');
  const seen = { startPriceKronor: 450, reservePriceKronor: null, buyNowPriceKronor: null };
  return settled(recordPriceRefused(changed, askedPrices(changed, listing), { seen, now: noon }));
}

test('a buy-now price that bids kept out of the auction is tried again; a price that went back is not', (t) => {
  const termed = refusedForBids(updateItem(aLiveItem(), anItemRequest({ listing: { buyNowPrice: 900 } }), aCall()));
  t.is(next(retry(termed)), 'send-price');
  const dearer = refusedForBids(itemWithPrice(aLiveItem(), 50_000, aCall()));
  t.is(retry(dearer), dearer);
});

const waits: readonly [FailureCause, string][] = [
  ['MARKETPLACE_NOT_CONNECTED', 'marketplace_connection'],
  ['MARKETPLACE_TOKEN_EXPIRED', 'marketplace_reconnection'],
  ['MARKETPLACE_BUDGET_EXHAUSTED', 'marketplace_budget'],
  ['MARKETPLACE_TIMEOUT', 'marketplace'],
  ['MARKETPLACE_ACTIVE_LIMIT', 'marketplace_active_limit'],
  ['MARKETPLACE_APPLICATION_REFUSED', 'operator'],
  ['IMAGE_STORE_FAILED', 'image_store'],
];
for (const [cause, waitingFor] of waits)
  // specification: retry-images-publication-change
  test(`a wait for ${waitingFor} is cut short: the next step is due, and since when it waits is not forgotten`, (t) => {
    const item = emptied(
      withFailure(
        anItemBeingPublished('drafting'),
        { cause, message: 'why', retryAfterMs: 3_600_000 },
        { now: noon, work: 'publish' },
      ),
    );
    t.is(next(item), 'wait');
    const retried = retry(item);
    t.is(next(retried), 'prepare-listing');
    const { since, attempts, lastError } = item.processing;
    t.like(retried.processing, { waitingFor, since, attempts, lastError });
    t.deepEqual(retriedParts(retried), ['wait']);
    t.false(isDueAlready(item, later(60_000)));
    t.true(isDueAlready(retried, later(60_000)));
    t.is(retry(retried), retried);
  });

test('a wait that is due is not cut again, and not forgotten when something else is tried again', (t) => {
  const waiting = failedListing(anItemBeingPublished('drafting'), 'MARKETPLACE_TIMEOUT');
  const due = waiting.processing.notBefore ?? noon;
  t.is(retryItem(waiting, { now: due, actor: aCaller }), waiting);
  t.not(retryItem(waiting, { now: new Date(due.getTime() - 1), actor: aCaller }), waiting);
  const withFailed = failedListing(withImages([good, bad]), 'MARKETPLACE_TIMEOUT');
  const retried = retryItem(withFailed, { now: due, actor: aCaller });
  t.deepEqual(retriedParts(retried), ['images']);
  t.deepEqual(retried.processing, withFailed.processing);
});

test('an image that fails again changes nothing in a live auction; one that works now waits for the next', (t) => {
  const announced = withImages([good, bad], { serviceStatus: 'active' });
  const live = aLiveItem({ content: announced.content, imageSet: announced.imageSet });
  const shown = changeNewestListing(live, { contentNumber: live.contentNumber, imageHashes: ['hash'] });
  const retried = retry(shown);
  const outcome = (of: ImageOutcome): Item =>
    announceImages(recordImageOutcomes(retried, retried.imageSet.number, new Map([[bad, of]])), noon);
  const failed = outcome({ state: 'failed', failure: { kind: 'not_found' } });
  t.deepEqual([next(failed), pendingChanges(failed)], ['settle', []]);
  const works = outcome({ state: 'hosted', contentHash: 'other' });
  t.deepEqual([next(works), pendingChanges(works)], ['settle', ['imageUrls']]);
});

for (const cause of ['TAKEDOWN_REFUSED_BIDS', 'TAKEDOWN_REFUSED'] as const)
  test(`a take-down that waits (${cause}) is tried now, also of an archived item`, (t) => {
    const leaving = itemWithStatus(aLiveItem(), 'sold', aCall());
    const item = failedListing(leaving, cause, 'take-down');
    t.is(next(retry(item)), 'take-down');
    const archived = deletedItem({ ...leaving, openOrderIds: [orderId('ord_1')] }, aCall());
    t.is(next(retry(failedListing(archived, cause, 'take-down'))), 'take-down');
  });

// specification: retry-images-publication-change
test('a language model that did not answer is asked again', (t) => {
  const { content } = anItemRequest({ useAiEnhancement: true });
  const asked = anItem({ content, wantedPublication: 0 });
  const { title, description } = content;
  const unanswered = recordFinding(asked, { part: 'text', of: { title, description }, answer: 'unanswered' }, noon);
  const item = settled(unanswered);
  t.is(next(item), 'settle');
  t.is(next(retry(item)), 'enrich');
  t.deepEqual(retriedParts(retry(item)), ['enrichment']);
  const answered = settled(recordFinding(asked, { part: 'text', of: { title, description }, answer: null }, noon));
  t.is(retry(answered), answered);
});

test('several things that failed are tried again by one write', (t) => {
  const item = withImages([good, bad], { serviceStatus: 'active' });
  const waiting = failedListing(item, 'MARKETPLACE_TIMEOUT');
  const retried = retryItem(waiting, aCall(1));
  t.is(retried.revision, waiting.revision + 1);
  t.deepEqual(retriedParts(retried), ['images', 'wait']);
  t.deepEqual(retried.journal.at(-1)?.actor, aCaller);
  t.is(retried.journal.at(-1)?.kind, 'retry_requested');
});

test('where nothing failed and nothing waits, nothing is tried again', (t) => {
  for (const item of [
    anItem(),
    settled(anItem({ wantedPublication: 0 })),
    settled(aLiveItem()),
    settled(withImages([good])),
    anItemBeingPublished('committing'),
    settled(anItemBeingPublished('ended', { marketplaceStatus: 'ended' })),
    settled(changeNewestListing(anItemBeingPublished('removed'), {})),
    retry(withImages([bad])),
    retry(failedListing(anItemBeingPublished('drafting'), 'MARKETPLACE_NOT_CONNECTED')),
    retry(failedListing(itemWithStatus(aLiveItem(), 'sold', aCall()), 'TAKEDOWN_REFUSED_BIDS', 'take-down')),
  ])
    t.is(retry(item), item);
});
