import test from 'ava';
import type { ImageFailure } from '../../features/images/rules/image-failure.ts';
import {
  announceImages,
  firstImageSet,
  recordImageOutcomes,
  type ImageOutcome,
} from '../../features/images/rules/image-set.ts';
import type { Item } from '../../features/items/rules/item.ts';
import { nextStep } from '../../features/items/rules/next-step.ts';
import { publishItem } from '../../features/items/rules/publish-item.ts';
import { settle } from '../../features/items/rules/owed-work.ts';
import { updateItem } from '../../features/items/rules/upsert-item.ts';
import { changeNewestListing, openListing } from '../../features/listings/rules/publication.ts';
import { withFailure } from '../../features/listings/rules/listing-failure.ts';
import { aCall, anItem, emptied, later, noon } from '../support/an-item.ts';
import { anItemRequest } from '../support/an-item-request.ts';

const url = 'https://erp.example/1.jpg';
const hosted: ImageOutcome = { state: 'hosted', contentHash: 'hash' };
const failed: ImageOutcome = { state: 'failed', failure: { kind: 'not_found' } };

/** An item with one image that is to be published. */
function withImage(change: Partial<Item> = {}): Item {
  const { content } = anItemRequest({ imageUrls: [url] });
  return anItem({ content, imageSet: firstImageSet([url]), serviceStatus: 'draft', ...change });
}

/** Its pending images have this outcome, and it is announced. */
const announced = (item: Item, outcome: ImageOutcome): Item =>
  announceImages(recordImageOutcomes(item, item.imageSet.number, new Map([[url, outcome]])), later(1));

const told = (item: Item): unknown[] => item.outbox.map(({ type, data }) => data['error'] ?? type);
const sequences = (item: Item): number[] => item.outbox.map(({ sequence }) => sequence);
const ready = 'item.images_ready';
const noImage = 'IMAGES_FAILED: no image of the item could be used: there is no image at this address';

test('a publication without a working image is told of once, whatever is tried for it, and no number is left out', (t) => {
  const first = announced(withImage(), failed);
  t.deepEqual(told(first), [ready, noImage]);
  const again = announced(updateItem(first, anItemRequest({ imageUrls: [url] }), aCall()), failed);
  const asked = announced(publishItem(again, aCall()), failed);
  t.deepEqual(told(asked), [ready, noImage, ready, ready]);
  t.deepEqual(
    sequences(asked),
    sequences(asked).map((_, n) => (sequences(asked)[0] ?? 0) + n),
  );
});

test('the failure gives the reason of the first image, whatever went wrong with it', (t) => {
  const reasons: readonly (readonly [ImageFailure, string])[] = [
    [{ kind: 'damaged' }, 'the file is damaged'],
    [{ kind: 'too_many_pixels', number: 51 }, 'the image has too many pixels (at most 51 million)'],
    [{ kind: 'quota_exceeded' }, 'the account has no room for more images'],
    [{ kind: 'no_access', number: 403 }, 'the image server gives no access: the image must be public (HTTP 403)'],
    [{ kind: 'not_https' }, 'the address does not begin with https'],
  ];
  for (const [failure, words] of reasons) {
    const sentence = `IMAGES_FAILED: no image of the item could be used: ${words}`;
    const item = announced(withImage(), { state: 'failed', failure });
    t.deepEqual(told(item), [ready, sentence]);
    t.is(item.processing.lastError, sentence);
  }
  const two = anItem({ imageSet: firstImageSet([url, `${url}2`]), serviceStatus: 'draft' });
  const outcomes = new Map<string, ImageOutcome>([
    [url, { state: 'failed', failure: { kind: 'heic' } }],
    [`${url}2`, failed],
  ]);
  t.is(
    announceImages(recordImageOutcomes(two, two.imageSet.number, outcomes), later(1)).processing.lastError,
    'IMAGES_FAILED: no image of the item could be used; the first: HEIC images cannot be read: send JPEG, PNG, WebP or AVIF',
  );
});

test('the next publication without a working image is told of again', (t) => {
  const first = emptied(announced(withImage(), failed));
  const over = changeNewestListing(openListing(first, noon), { state: 'ended' });
  const next = announced(publishItem(over, aCall()), failed);
  t.deepEqual(told(next), [ready, noImage]);
});

test('an item that nobody wants published is not told of as a failed publication', (t) => {
  t.deepEqual(told(announced(withImage({ wantedPublication: 0 }), failed)), [ready]);
});

test('a draft whose images all failed says so while it rests, also when nobody wants it published', (t) => {
  const draft = settle(emptied(announced(withImage({ wantedPublication: 0 }), failed)), later(2));
  t.like(draft.processing, { stage: 'images', waitingFor: 'images', lastError: noImage, since: later(1) });
  t.is(nextStep(draft, later(3)).kind, 'settle');
  const mended = announced(updateItem(draft, anItemRequest({ imageUrls: [url] }), aCall()), hosted);
  t.like(mended, { serviceStatus: 'active', processing: { waitingFor: null, lastError: null } });
});

test('missing images are waited for, visibly, until they work', (t) => {
  const waiting = settle(emptied(announced(withImage(), failed)), later(2));
  t.like(waiting.processing, { stage: 'publishing', waitingFor: 'images', lastError: noImage });
  const mended = announced(publishItem(waiting, aCall()), hosted);
  t.like(mended.processing, { waitingFor: null, lastError: null });
  t.is(mended.serviceStatus, 'active');
});

test('trouble with the image store is over once the images are announced; any other wait goes on', (t) => {
  const draft = openListing(withImage({ serviceStatus: 'active' }), noon);
  const met = (cause: 'IMAGE_STORE_FAILED' | 'MARKETPLACE_BUDGET_EXHAUSTED'): Item =>
    withFailure(draft, { cause, message: 'no' }, { now: noon, work: 'publish' });
  t.like(announced(met('IMAGE_STORE_FAILED'), hosted).processing, { waitingFor: null, lastError: null });
  const budget = emptied(announced(met('MARKETPLACE_BUDGET_EXHAUSTED'), hosted));
  t.is(budget.processing.waitingFor, 'marketplace_budget');
  t.is(nextStep(budget, later(2)).kind, 'wait');
});

const urls = [url, 'https://erp.example/2.jpg'];
const refreshing = (imageUrls: readonly string[]) => ({
  ...anItemRequest({ imageUrls: [...imageUrls] }),
  refreshImages: true as const,
});

/** A live item of which every image has this outcome. */
const shown = (outcome: ImageOutcome): Item => {
  const { content } = anItemRequest({ imageUrls: urls });
  const item = anItem({ content, imageSet: firstImageSet(urls), serviceStatus: 'draft', wantedPublication: 0 });
  return emptied(announceImages(recordImageOutcomes(item, 1, new Map(urls.map((one) => [one, outcome]))), noon));
};

test('a push that asks for it has hosted images fetched again, which are shown until then', (t) => {
  const asked = updateItem(shown(hosted), refreshing(urls), aCall());
  t.deepEqual(
    asked.imageSet.images.map(({ state, contentHash }) => [state, contentHash]),
    urls.map(() => ['pending', 'hash']),
  );
  t.is(asked.imageSet.number, 2);
  t.deepEqual(asked.journal.at(-1)?.details, { fields: ['refreshImages'] });
  t.is(nextStep(emptied(asked), later(1)).kind, 'process-images');
  const renewed = recordImageOutcomes(asked, 2, new Map([[url, { state: 'hosted', contentHash: 'new' }]]));
  t.deepEqual(
    renewed.imageSet.images.map(({ state, contentHash }) => [state, contentHash]),
    [
      ['hosted', 'new'],
      ['pending', 'hash'],
    ],
  );
});

test('an image that can not be fetched again stays as it is, and the caller is told why', (t) => {
  const asked = updateItem(shown(hosted), refreshing(urls), aCall());
  const outcomes = new Map<string, ImageOutcome>([
    [url, failed],
    [urls[1] ?? '', hosted],
  ]);
  const kept = announceImages(recordImageOutcomes(asked, 2, outcomes), later(1));
  t.like(kept.imageSet.images[0], { state: 'hosted', contentHash: 'hash', failure: { kind: 'not_found' } });
  t.like(kept.outbox.at(-1), {
    type: ready,
    data: { imagesProcessed: 2, imagesFailed: [{ url, kind: 'not_found' }] },
  });
  const settled = emptied(kept);
  t.is(updateItem(settled, anItemRequest({ imageUrls: urls }), aCall()), settled, 'the same push changes nothing');
});

test('a list that changes while images are fetched again keeps what is shown', (t) => {
  const asked = updateItem(shown(hosted), refreshing(urls), aCall());
  const shorter = updateItem(asked, anItemRequest({ imageUrls: [url] }), aCall());
  t.like(shorter.imageSet, { number: 3, images: [{ state: 'pending', contentHash: 'hash' }] });
});

test('a push that asks for nothing to be fetched again changes nothing', (t) => {
  const bare = settle(emptied(anItem({ content: anItemRequest().content })), noon);
  t.is(updateItem(bare, refreshing([]), aCall()), bare);
  const hostedItem = shown(hosted);
  t.is(updateItem(hostedItem, anItemRequest({ imageUrls: urls }), aCall()), hostedItem);
});
