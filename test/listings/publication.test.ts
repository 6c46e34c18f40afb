import test from 'ava';
import type { Item, Listing, ListingState } from '../../features/items/rules/item.ts';
import { describeStatus } from '../../features/items/rules/describe-item.ts';
import {
  callOff,
  changeNewestListing,
  openListing,
  recordLive,
  redraft,
  restingStatus,
  withdraw,
} from '../../features/listings/rules/publication.ts';
import { aLiveItem, anAd, anItem, anItemBeingPublished, later, noon } from '../support/an-item.ts';

const newest = (item: Item): Listing | undefined => item.listings.at(-1);
/** Published before with that outcome, and again now. */
const publishedAgain = (before: ListingState, now: ListingState, change: Partial<Item> = {}): Item =>
  changeNewestListing(openListing({ ...anItemBeingPublished(before), wantedPublication: 2, ...change }, noon), {
    state: now,
    requestId: '502',
    adId: '9002',
  });

test('opening a publication keeps every one before it', (t) => {
  const item = publishedAgain('ended', 'drafting', { marketplaceStatus: 'ended' });
  t.deepEqual(
    item.listings.map(({ publication, state }) => [publication, state]),
    [
      [1, 'ended'],
      [2, 'drafting'],
    ],
  );
  t.is(item.marketplaceStatus, 'pending_sync');
});

test('a draft that was overtaken is left behind with its ids', (t) => {
  t.like(newest(redraft(anItemBeingPublished('prepared'), noon)), {
    state: 'drafting',
    requestId: null,
    adId: null,
    contentNumber: null,
  });
});

test('withdraw: what is live has to come down', (t) => {
  t.is(newest(withdraw(aLiveItem(), noon))?.state, 'leaving');
});

test('withdraw: what is not up is called off, what may be up stays as it is', (t) => {
  for (const state of ['drafting', 'prepared'] as const)
    t.is(newest(withdraw(anItemBeingPublished(state), noon))?.state, 'cancelled');
  t.is(newest(withdraw(anItemBeingPublished('committing'), noon))?.state, 'committing');
  const sent = changeNewestListing(anItemBeingPublished('prepared'), { mayBeCommitted: true });
  t.is(newest(withdraw(sent, noon))?.state, 'prepared');
});

test('withdraw: what was asked for and not begun is forgotten', (t) => {
  t.is(withdraw(anItem(), noon).wantedPublication, 0);
  t.is(withdraw(anItemBeingPublished('ended', { wantedPublication: 1 }), noon).wantedPublication, 1);
  t.is(withdraw({ ...anItemBeingPublished('ended'), wantedPublication: 2 }, noon).wantedPublication, 1);
});

test('withdraw: what is over stays over', (t) => {
  for (const state of ['ended', 'sold', 'removed', 'cancelled', 'failed', 'leaving'] as const)
    t.is(newest(withdraw(anItemBeingPublished(state), noon))?.state, state);
});

test('withdraw: what other work waited for is no reason to wait with it', (t) => {
  const item = aLiveItem();
  const waiting = {
    ...item,
    processing: { ...item.processing, waitingFor: 'marketplace_budget' as const, notBefore: later(9) },
  };
  t.like(withdraw(waiting, noon).processing, { waitingFor: null, notBefore: null });
});

test('calling off gives back what there was before', (t) => {
  t.is(callOff(anItemBeingPublished('drafting')).marketplaceStatus, 'pending_sync');
  t.is(callOff(publishedAgain('ended', 'prepared', { marketplaceStatus: 'ended' })).marketplaceStatus, 'ended');
  t.is(callOff(publishedAgain('removed', 'prepared', { marketplaceStatus: 'ended' })).marketplaceStatus, 'ended');
  t.is(
    callOff(publishedAgain('failed', 'drafting', { marketplaceStatus: 'sync_error' })).marketplaceStatus,
    'sync_error',
  );
  t.is(callOff(publishedAgain('sold', 'drafting', { marketplaceStatus: 'sold' })).marketplaceStatus, 'sold');
});

test('nothing that may be up is called off', (t) => {
  for (const state of ['committing', 'live', 'leaving', 'ended'] as const) {
    const item = anItemBeingPublished(state);
    t.is(callOff(item), item);
  }
});

test('while nothing is up the status is that of the newest publication that was one', (t) => {
  const status = (state: ListingState) => restingStatus(anItemBeingPublished(state));
  t.is(restingStatus(anItem()), 'pending_sync');
  t.is(status('cancelled'), 'pending_sync');
  t.is(status('ended'), 'ended');
  t.is(status('removed'), 'ended');
  t.is(status('sold'), 'sold');
  t.is(status('failed'), 'sync_error');
});

test('a late sale of an older auction counts for more than what becomes of the newest', (t) => {
  for (const state of ['removed', 'cancelled', 'failed'] as const)
    t.is(restingStatus({ ...publishedAgain('sold', state), marketplaceStatus: 'sold' }), 'sold');
});

test('an auction that goes live when nobody wants it any more has to come down', (t) => {
  for (const off of [{ current: false }, { serviceStatus: 'not_listed' }, { serviceStatus: 'sold' }] as const)
    t.is(newest(recordLive(anItemBeingPublished('committing', off), anAd, noon))?.state, 'leaving');
  t.is(newest(recordLive(anItemBeingPublished('committing'), anAd, noon))?.state, 'live');
});

test('an auction that goes live after a late sale of an older one leaves the item sold, until it is put on sale again', (t) => {
  const sold = { serviceStatus: 'sold', marketplaceStatus: 'sold' } as const;
  const committing = { ...publishedAgain('ended', 'committing'), ...sold };
  t.is(recordLive(committing, { ...anAd, adId: '9002' }, noon).marketplaceStatus, 'sold');
  const again = { ...committing, serviceStatus: 'active' } as const;
  t.is(recordLive(again, { ...anAd, adId: '9002' }, noon).marketplaceStatus, 'active');
});

// specification: platform-service-for-item
test('the beginning of an auction is told with its id and address', (t) => {
  const [event] = recordLive(anItemBeingPublished('committing'), anAd, later(3)).outbox;
  t.like(event, { type: 'listing.created', occurredAt: later(3) });
  t.like(event?.data, {
    marketplaceAdId: anAd.adId,
    marketplaceAdUrl: anAd.adUrl,
    platform: 'marketplace',
    salePrice: 0,
  });
});

// specification: marketplaceadid-marketplaceadurl-null-until
test('reads show no ad, a placeholder or the real one', (t) => {
  const shown = (item: Item) => {
    const { marketplaceAdId, marketplaceAdUrl } = describeStatus(item);
    return [marketplaceAdId?.replace(/-.*/, '') ?? null, marketplaceAdUrl];
  };
  t.deepEqual(shown(anItem()), [null, null]);
  for (const state of ['drafting', 'prepared', 'committing'] as const)
    t.deepEqual(shown(anItemBeingPublished(state)), ['pending', null], state);
  for (const state of ['failed', 'cancelled'] as const)
    t.deepEqual(shown(anItemBeingPublished(state)), [null, null], state);
  for (const state of ['live', 'leaving', 'ended', 'sold', 'removed'] as const)
    t.deepEqual(shown(changeNewestListing(aLiveItem(), { state })), [anAd.adId, anAd.adUrl], state);
  const [first] = aLiveItem().listings;
  const again = changeNewestListing(publishedAgain('ended', 'cancelled'), {});
  t.deepEqual(shown({ ...again, listings: [{ ...first, state: 'ended' } as Listing, ...again.listings.slice(1)] }), [
    anAd.adId,
    anAd.adUrl,
  ]);
});

test('a sold item shows the auction that sold it, whatever became of a later one', (t) => {
  const [first] = aLiveItem().listings;
  const again = publishedAgain('ended', 'removed', { serviceStatus: 'sold' });
  const sold = { ...first, state: 'sold' } as Listing;
  const item = { ...again, marketplaceStatus: 'sold', listings: [sold, ...again.listings.slice(1)] } as const;
  t.is(describeStatus(item).marketplaceAdId, anAd.adId);
});
