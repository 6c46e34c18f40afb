import test from 'ava';
import { settle } from '../../../core/items/accept-write.ts';
import { changePrice } from '../../../core/items/change-price.ts';
import { deleteItem } from '../../../core/items/delete-item.ts';
import type { Item, ItemImage } from '../../../core/items/item.ts';
import { isOnShortWay, isShortWay, takingShortWay } from '../../../core/items/short-way.ts';
import { createItem, updateItem } from '../../../core/items/upsert-item.ts';
import { withFailure } from '../../../core/listings/listing-failure.ts';
import {
  aCall,
  aCaller,
  aLiveItem,
  anAccountId,
  anItem,
  anItemBeingPublished,
  later,
  noon,
} from '../../support/an-item.ts';
import { anItemRequest } from '../../support/an-item-request.ts';

const aNewItem = (...request: Parameters<typeof anItemRequest>): Item =>
  createItem({
    ...{ id: anItem().id, accountId: anAccountId, externalId: 'A1', sequenceBefore: 0, actor: aCaller, now: noon },
    request: anItemRequest(...request),
  });
/** At rest, live, with all that was ever asked done. */
const live = settle(aLiveItem(), noon);
const priced = (item: Item, priceOre: number): Item => changePrice(item, priceOre, aCall(1_000));
const hosted: ItemImage = {
  sourceUrl: 'https://images.example/1.jpg',
  state: 'hosted',
  contentHash: 'h',
  failure: null,
};
const failure = { cause: 'MARKETPLACE_TIMEOUT', message: 'no answer' } as const;
const waiting = {
  ...withFailure(anItemBeingPublished('drafting'), failure, { now: noon, work: 'publish' }),
  hasRun: true,
};

test('what owes nothing but writes of ours is short', (t) => {
  const imagesTold = { ...anItem().imageSet, images: [hosted], announced: false };
  const cases: Record<string, Item> = {
    'a new item without images that nobody wants published': aNewItem(),
    'its price, before and after it was settled': priced(aNewItem(), 50_000),
    'its price later': priced(settle(aNewItem(), noon), 50_000),
    'its removal': deleteItem(settle(aNewItem(), noon), aCall(1_000)),
    'images that are all hosted and not announced yet': { ...aNewItem(), imageSet: imagesTold, serviceStatus: 'draft' },
    'a price that the auction, in whole kronor, shows already': priced(live, 45_040),
  };
  for (const [what, item] of Object.entries(cases)) t.true(isShortWay(item, later(1_000)), what);
});

// specification: what-owes-nothing-but
test('what takes long, waits, or is worth an operator’s look is not', (t) => {
  const working = { ...aNewItem(), processing: { ...aNewItem().processing, stage: 'publishing' as const } };
  const cases: Record<string, Item> = {
    'a new item with images': aNewItem({ imageUrls: ['https://images.example/1.jpg'] }),
    'a new item to be published': aNewItem({}, { autoPublish: true }),
    'another price of an auction': priced(live, 50_000),
    'another title of an auction': updateItem(live, anItemRequest({ title: 'Ny titel' }), aCall(1_000)),
    'the removal of an auction': deleteItem(live, aCall(1_000)),
    'a price while its workflow waits for the marketplace': priced(waiting, 50_000),
    'a change while a workflow may be at work on it': working,
    'a removal while its workflow waits for the marketplace': deleteItem(waiting, aCall(1_000)),
    'what came to rest with a failure': {
      ...aNewItem(),
      processing: { ...aNewItem().processing, lastError: 'failed' },
    },
  };
  for (const [what, item] of Object.entries(cases)) t.false(isShortWay(item, later(1_000)), what);
});

test('a write with a short way is due at once; any other keeps the time at which its lost nudge would be noticed', (t) => {
  const short = takingShortWay(aNewItem(), noon);
  t.deepEqual(short, { ...aNewItem(), nextNudgeAt: later(-5_000) }, 'whatever a worker’s clock says');
  t.true(isOnShortWay(short));
  const long = aNewItem({}, { autoPublish: true });
  t.is(takingShortWay(long, noon), long);
  t.false(isOnShortWay(long));
});

test('what stands in the backlog stays there', (t) => {
  const inLine = { ...aNewItem(), nextNudgeAt: null, backlogAt: noon };
  t.is(takingShortWay(inLine, noon), inLine);
  t.false(isOnShortWay(inLine));
});
