import { webhookSignatureHeaders } from '../../../features/webhooks/signature.ts';
import type { Ad, Arrival, EventRow, ItemRow, Observed, Write } from '../observed.ts';

export const shop = '0b0b3f1e-0000-4000-8000-000000000001';
export const hashOfPicture = 'abc';
const keyOfPicture = `${shop}/${hashOfPicture}`;
const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

export const aWrite = (externalId: string, wish: Write['wish'], change: Partial<Write> = {}): Write => ({
  account: shop,
  externalId,
  wish,
  outcome: 'accepted',
  status: 202,
  tries: 1,
  beganAt: 1_000,
  endedAt: 1_001,
  ...change,
});

/** UUIDs, as in what is sent. */
const itemIds = {
  plain: '10000000-0000-4000-8000-000000000001',
  up: '10000000-0000-4000-8000-000000000002',
  won: '10000000-0000-4000-8000-000000000003',
  gone: '10000000-0000-4000-8000-000000000004',
} as const;
type Name = keyof typeof itemIds;

const aRow = (name: Name, change: Partial<ItemRow> = {}): ItemRow => ({
  id: itemIds[name],
  account: shop,
  externalId: name,
  current: true,
  title: 'Som den blev',
  serviceStatus: 'active',
  marketplaceStatus: 'pending_sync',
  isSettled: true,
  owes: '',
  takenDown: [],
  isBlocked: false,
  waitingFor: null,
  price: 20,
  shownTitle: 'Som den blev',
  sequence: 1,
  createdAt: 1_000,
  images: [],
  ...change,
});

const anAd = (name: Name, change: Partial<Ad> = {}): Ad => ({
  adId: `ad-${name}`,
  account: shop,
  externalId: name,
  itemId: itemIds[name],
  state: 'active',
  title: 'Som den blev',
  startPrice: 20,
  hasBids: false,
  wasUp: true,
  updatedAt: 2_000,
  ...change,
});

interface Told {
  readonly type: 'item.created' | 'listing.created' | 'item.sold';
  readonly name: Name;
  readonly sequence: number;
}

const told: readonly Told[] = [
  { type: 'item.created', name: 'plain', sequence: 1 },
  { type: 'item.created', name: 'up', sequence: 1 },
  { type: 'listing.created', name: 'up', sequence: 2 },
  { type: 'item.created', name: 'won', sequence: 1 },
  { type: 'listing.created', name: 'won', sequence: 2 },
  { type: 'item.sold', name: 'won', sequence: 3 },
  { type: 'item.created', name: 'gone', sequence: 1 },
];

const eventIdOf = (index: number): string => `evt_e${index + 1}`;

/** A request as a receiver gets it. `salt` makes other bytes of the same event. */
export function anArrival(receiver: string, salt: number, index = 0): Arrival {
  const { type, name, sequence } = told[index] ?? { type: 'item.created', name: 'plain', sequence: 1 };
  const ofType = {
    'item.created': { type: 'item' },
    'listing.created': { marketplaceAdId: `ad-${name}`, marketplaceAdUrl: 'https://example.com/1' },
    'item.sold': { marketplaceAdId: `ad-${name}` },
  }[type];
  const body = Buffer.from(
    JSON.stringify({
      eventId: eventIdOf(index),
      eventType: type,
      timestamp: new Date(1_700_000_000_000 + salt).toISOString(),
      data: {
        externalId: name,
        serviceItemId: itemIds[name],
        platform: type === 'item.created' ? 'service' : 'marketplace',
        salePrice: type === 'item.sold' ? 20 : 0,
        currency: 'SEK',
        sequence,
        ...ofType,
        account: { serviceUserId: shop },
      },
    }),
  );
  const sentAt = new Date(1_700_000_000_000);
  const signed = webhookSignatureHeaders({ secret, id: eventIdOf(index), sentAt, body });
  const headers = Object.fromEntries(Object.entries(signed).map(([header, value]) => [header.toLowerCase(), value]));
  return {
    at: 3_000,
    receiver,
    eventId: eventIdOf(index),
    rawBase64: body.toString('base64'),
    answered: 200,
    headers: { 'content-type': 'application/json', ...headers },
  };
}

/** Four items (one that was never published, one that is up, one that was won, one that is gone) and two endpoints. */
export function aCleanEnd(): Observed {
  const put = (title: string, price: number) => ({ kind: 'put', title, price }) as const;
  const events = told.map(({ type, name, sequence }, index): EventRow => ({
    id: eventIdOf(index),
    account: shop,
    number: index + 1,
    type,
    itemId: itemIds[name],
    sequence,
    adId: type === 'item.created' ? null : `ad-${name}`,
    acceptedAt: 100_000,
  }));
  const deliveries = events.flatMap(({ id }) => [
    { ...aDelivery(id, 'e1'), state: 'succeeded' },
    { ...aDelivery(id, 'e2'), state: 'given_up', missed: true },
  ]);
  return {
    writes: [
      aWrite('plain', put('Som den var', 10)),
      aWrite('plain', put('Som den blev', 20)),
      aWrite('up', put('Som den blev', 10)),
      aWrite('up', { kind: 'price', price: 20 }),
      aWrite('won', put('Som den blev', 20)),
      aWrite('gone', put('Som den var', 10)),
      aWrite('gone', { kind: 'delete' }),
    ],
    bulks: [
      {
        id: 'b1',
        account: shop,
        mode: 'merge',
        lines: 2,
        writesBefore: 1,
        state: 'completed',
        counted: 2,
        failed: 1,
        errors: [{ code: 'CONFLICT', externalId: 'plain' }],
      },
    ],
    rows: [
      aRow('plain'),
      aRow('up', { marketplaceStatus: 'active', sequence: 2, images: [hashOfPicture] }),
      aRow('won', { serviceStatus: 'sold', marketplaceStatus: 'sold', sequence: 3 }),
      aRow('gone', { current: false, title: 'Som den var', price: 10 }),
    ],
    ads: [anAd('up'), anAd('won', { state: 'sold', hasBids: true })],
    doubles: [],
    orders: [{ id: 'o1', adId: 'ad-won' }],
    events,
    endpoints: [
      { id: 'e1', account: shop, receiver: 'e1', secret, active: true, failCount: 0, createdAt: 0, isReachable: true },
      {
        id: 'e2',
        account: shop,
        receiver: 'e2',
        secret,
        active: true,
        failCount: told.length,
        createdAt: 0,
        isReachable: false,
      },
    ],
    deliveries,
    attempts: deliveries.map(({ id, state }) => ({
      deliveryId: id,
      attempt: 1,
      status: state === 'succeeded' ? 'success' : 'failed',
      interrupted: false,
      at: 100_000,
    })),
    arrivals: [
      ...told.map((_event, index) => anArrival('e1', 0, index)),
      ...told.map((_event, index) => ({ ...anArrival('e2', 0, index), answered: 410 })),
    ],
    answers: {
      [`${shop}/plain`]: { serviceStatus: 'active', marketplaceStatus: 'pending_sync', price: 20 },
      [`${shop}/up`]: { serviceStatus: 'active', marketplaceStatus: 'active', price: 20 },
      [`${shop}/won`]: { serviceStatus: 'sold', marketplaceStatus: 'sold', price: 20 },
      [`${shop}/gone`]: null,
    },
    images: { files: [keyOfPicture], whole: [keyOfPicture], records: [keyOfPicture] },
    workflows: { running: ['receiver:e2'], broken: [] },
    badAnswers: [],
  };
}

const aDelivery = (eventId: string, endpointId: string) => ({
  id: `dlv_${eventId}_${endpointId}`,
  eventId,
  endpointId,
  purpose: 'event',
  ordinal: 1,
  attempts: 1,
  missed: false,
});
