import test from 'ava';
import type { PartnerItem } from '../../client/generated/types.gen.ts';
import { possibleActions } from '../../web/dashboard/src/pages/item/possible-actions.ts';

type Status = Pick<PartnerItem, 'serviceStatus' | 'marketplaceStatus'>;

const anItem = (status: Status, canRetry = false): PartnerItem => ({
  externalId: 'a',
  serviceItemId: '1',
  ...status,
  marketplaceAdId: null,
  marketplaceAdUrl: null,
  price: 1,
  title: '',
  description: '',
  shippingCost: null,
  weightKg: null,
  currency: 'SEK',
  imageUrls: [],
  useAiEnhancement: false,
  autoPublishTradera: false,
  images: [],
  extendedAttributes: {},
  listing: null,
  auction: null,
  processing: {
    stage: 'settled',
    waitingFor: null,
    attempts: 0,
    lastError: null,
    updatedAt: '2026-11-22T08:00:00Z',
    since: null,
    nextTryAt: null,
  },
  problem: null,
  canRetry,
  workflow: null,
  createdAt: '2026-11-22T08:00:00Z',
  updatedAt: '2026-11-22T08:00:00Z',
});

const can = (item: PartnerItem): string[] =>
  Object.entries(possibleActions(item)).flatMap(([name, isPossible]) => (isPossible ? [name] : []));
const offered = (status: Status, canRetry = false): string[] => can(anItem(status, canRetry));

test('what was sold by mistake can be put back', (t) => {
  t.deepEqual(offered({ serviceStatus: 'sold', marketplaceStatus: 'ended' }), ['canPutBack', 'canDelete']);
});

test('what is on sale can be taken down or marked as sold, what was taken down published', (t) => {
  t.deepEqual(offered({ serviceStatus: 'active', marketplaceStatus: 'active' }), [
    'canTakeDown',
    'canMarkSold',
    'canCount',
    'canDelete',
  ]);
  t.deepEqual(offered({ serviceStatus: 'not_listed', marketplaceStatus: 'ended' }), [
    'canPublish',
    'canMarkSold',
    'canDelete',
  ]);
});

test('nothing is left to do with what was archived', (t) => {
  t.deepEqual(offered({ serviceStatus: 'archived', marketplaceStatus: 'sold' }), []);
});

test('another try is offered where the service says that it would do something', (t) => {
  const givenUp = { serviceStatus: 'active', marketplaceStatus: 'sync_error' } as const;
  t.deepEqual(offered(givenUp, true), ['canRetry', 'canTakeDown', 'canMarkSold', 'canCount', 'canDelete']);
  t.false(offered(givenUp).includes('canRetry'));
});

test('what has no images yet is tried again, and neither put up nor taken down', (t) => {
  const draft = anItem({ serviceStatus: 'draft', marketplaceStatus: 'pending_sync' }, true);
  const offeredHere = can({ ...draft, processing: { ...draft.processing, waitingFor: 'images' } });
  t.deepEqual(offeredHere, ['canRetry', 'canMarkSold', 'canCount', 'canDelete']);
});

test('how many are left is said of what is on sale, and of what is sold out of several', (t) => {
  const sold = anItem({ serviceStatus: 'sold', marketplaceStatus: 'sold' });
  t.false(can(sold).includes('canCount'));
  t.true(can({ ...sold, quantity: 0 }).includes('canCount'));
  t.false(can({ ...sold, serviceStatus: 'archived', quantity: 0 }).includes('canCount'));
});
