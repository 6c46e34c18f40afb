import test from 'ava';
import type { CatalogueItem } from '../../examples/catalogue/load-catalogue.ts';
import { expectedOutcome, type EndpointOf } from '../../examples/expected-outcome.ts';

const anItem = (change: Partial<CatalogueItem>): CatalogueItem => ({
  externalId: 'A1',
  account: 'butik',
  title: 'Sak',
  price: 1,
  images: ['a.jpg'],
  autoPublishTradera: true,
  ...change,
});
const endpoints: EndpointOf[] = [
  { account: null, scope: 'self', path: '/own' },
  { account: null, scope: 'members', path: '/members' },
  { account: 'butik', scope: 'self', path: '/butik' },
  { account: 'annan', scope: 'self', path: '/annan' },
];
const outcome = (items: CatalogueItem[], { sold = [] as string[], ended = [] as string[] } = {}) =>
  expectedOutcome({ items, endpoints, sold, ended });

test("a member's item is heard by the member and by the reseller as members, by nobody else", (t) => {
  const { deliveries } = outcome([anItem({ images: [], autoPublishTradera: false })]);
  t.deepEqual(
    deliveries.map(({ path, scope, eventType }) => [path, scope, eventType]),
    [
      ['/members', 'members', 'item.created'],
      ['/butik', 'self', 'item.created'],
    ],
  );
});

test("the reseller's own item is heard by its own endpoint only", (t) => {
  const { deliveries } = outcome([anItem({ account: null, images: [], autoPublishTradera: false })]);
  t.deepEqual(
    deliveries.map(({ path }) => path),
    ['/own'],
  );
});

test('an item without images has no images_ready, one that is not published no listing.created', (t) => {
  t.deepEqual(outcome([anItem({ images: [], autoPublishTradera: false })]).events, {
    'item.created': 1,
    'item.images_ready': 0,
    'listing.created': 0,
    'listing.ended': 0,
    'item.sold': 0,
  });
});

test('sold and ended auctions add one event each', (t) => {
  const items = [anItem({}), anItem({ externalId: 'A2' }), anItem({ externalId: 'A3' })];
  t.deepEqual(outcome(items, { sold: ['A1'], ended: ['A2'] }).events, {
    'item.created': 3,
    'item.images_ready': 3,
    'listing.created': 3,
    'listing.ended': 1,
    'item.sold': 1,
  });
});

test('images and auctions are counted over all items', (t) => {
  const { items, images, auctions } = outcome([
    anItem({ images: ['a.jpg', 'b.jpg'] }),
    anItem({ externalId: 'A2', autoPublishTradera: false }),
  ]);
  t.deepEqual({ items, images, auctions }, { items: 2, images: 3, auctions: 1 });
});
