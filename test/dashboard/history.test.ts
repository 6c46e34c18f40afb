import test from 'ava';
import { inEnglish } from '../../features/items/rules/history-in-english.ts';
import type { AllDetails, Fact } from '../../features/items/rules/history-facts.ts';
import { inEnglish as inEnglishOfPage } from '../../web/dashboard/src/history/english.ts';
import { inSwedish } from '../../web/dashboard/src/history/swedish.ts';

const wait = {
  waitingFor: 'marketplace_budget',
  since: '2026-11-21T12:00:00.000Z',
  nextTryAt: '2026-11-21T13:00:00.000Z',
  lastError: 'MARKETPLACE_TIMEOUT: no answer',
};
const key = { keyId: 'k', name: '$1 ${2}', prefix: 'sk_live_a' };
const webhook = { webhookId: 'w', origin: 'https://shop.example' };
const from = { sessionId: 's', address: '192.0.2.7' };
const bulk = { bulkSyncId: 'b', mode: 'upsert', total: 1_200 };
const plan = { before: 'pro', tier: 'pro', expiresAt: '2026-12-24T00:00:00.000Z', renews: true, subscriptionId: 'sub' };

/** At least one of each kind, and each way that a kind can go. */
const samples: { readonly [Kind in keyof AllDetails]: readonly AllDetails[Kind][] } = {
  created: [{ autoPublish: false }, { autoPublish: true }],
  updated: [{ fields: [] }, { fields: ['title', 'imageUrls'] }],
  price_changed: [{ from: 349, to: 299.5 }],
  status_changed: [{ status: 'sold' }, { status: 'not_listed' }],
  quantity_changed: [
    { from: null, to: 3 },
    { from: 3, to: 0 },
  ],
  publish_requested: [{}],
  retry_requested: [{ parts: ['images', 'publication', 'price', 'enrichment', 'wait'] }],
  deleted: [{ isArchived: false }, { isArchived: true }],
  images_ready: [
    { hosted: 3, total: 3, failed: 0, failures: [] },
    { hosted: 2, total: 3, failed: 1, failures: ['not_found', 'too_slow'] },
  ],
  enriched: [
    { part: 'text', outcome: 'improved' },
    { part: 'text', outcome: 'unneeded' },
    { part: 'text', outcome: 'unanswered' },
    { part: 'vehicle', outcome: 'found', make: 'Volvo', model: 'V60', year: 2021 },
    { part: 'vehicle', outcome: 'found', model: 'V60' },
    { part: 'vehicle', outcome: 'unknown' },
    { part: 'vehicle', outcome: 'unanswered' },
    { part: 'vehicle', outcome: 'used_up' },
    { part: 'vehicle', outcome: 'off' },
    { part: 'category', categoryId: 344_481 },
  ],
  published: [
    { adId: '501', imagesRefused: false },
    { adId: '501', imagesRefused: true },
  ],
  repriced: [{ price: 400 }, { price: null }],
  change_refused: [
    { refusedPrice: null, keptPrice: null },
    { refusedPrice: 500, keptPrice: 400 },
  ],
  taken_down: [{ adId: null }, { adId: '501' }],
  take_down_refused: [wait],
  relisted: [{ number: 1, times: 2, price: 450 }],
  ended: [{ adId: '501' }],
  sold: [
    { orderId: 'ord_1', adId: null, price: 725, otherOrderIds: [] },
    { orderId: 'ord_1', adId: '501', price: 725, otherOrderIds: [] },
    { orderId: 'ord_1', adId: '501', price: 725, otherOrderIds: ['ord_2'] },
  ],
  paid: [{ orderId: 'ord_1' }],
  order_shipped: [{ orderId: 'ord_1' }],
  order_completed: [{ orderId: 'ord_1' }],
  order_cancelled: [{ orderId: 'ord_1' }],
  waiting: [wait, { ...wait, waitingFor: 'images', since: null, nextTryAt: null, lastError: null }],
  given_up: [{ cause: 'LISTING_REFUSED', error: 'the title is too long' }],
  account_registered: [{ name: 'A' }],
  signed_in: [from],
  signed_out: [{ sessionId: 's' }],
  session_reuse_detected: [from],
  sessions_ended: [
    { sessionId: 's', sessions: 1 },
    { sessionId: null, sessions: 3 },
  ],
  password_changed: [{ sessionsEnded: 2 }],
  password_reset: [{ sessionsEnded: 2 }],
  email_change_requested: [{ email: 'ny@example.se' }],
  email_confirmed: [{ email: 'lager@example.se' }],
  email_changed: [{ email: 'ny@example.se', former: 'lager@example.se' }],
  notices_changed: [{ webhookDisabled: true, tokenExpired: true, sale: false, weeklySummary: false, language: 'sv' }],
  account_suspended: [{ reason: null, sessionsEnded: 2 }],
  account_resumed: [{}],
  account_exported: [{ buyers: 1 }, { buyers: 2 }],
  account_erased: [{ orders: 1 }, { orders: 2 }],
  operator_granted: [{}],
  operator_revoked: [{}],
  api_key_generated: [
    { ...key, lostPrefix: null, scopes: null, expiresAt: null, addresses: null },
    { ...key, lostPrefix: 'sk_live_b', scopes: ['items:read'], expiresAt: null, addresses: ['203.0.113.7'] },
  ],
  api_key_revoked: [key],
  webhook_created: [{ ...webhook, scope: 'own', eventTypes: ['item.sold'] }],
  webhook_changed: [{ ...webhook, fields: ['url', 'active'] }],
  webhook_enabled: [{ ...webhook, fields: ['active'] }],
  webhook_disabled: [
    { ...webhook, reason: null },
    { ...webhook, reason: 'disabled after 15 deliveries in a row were given up; the last error was: HTTP 500' },
  ],
  webhook_deleted: [webhook],
  webhook_secret_rotated: [{ ...webhook, secretHint: 'ab' }],
  webhook_url_changed: [{ origin: null }, { origin: 'https://shop.example' }],
  webhook_url_secret_generated: [{ secretHint: 'ab' }],
  webhook_url_secret_rotated: [{ secretHint: 'ab' }],
  test_event_sent: [{ deliveryId: 'd', webhookId: 'w', eventType: 'item.sold' }],
  redelivery_requested: [{ deliveryId: 'd', webhookId: 'w', eventId: 'e', eventType: 'item.sold', externalId: 'A' }],
  recovery_requested: [{ recoveryId: 'r', webhookId: 'w', since: '2026-11-21T12:00:00.000Z', total: 7 }],
  bulk_sync_accepted: [{ ...bulk, failed: 0, accountId: 'a' }],
  bulk_sync_cancelled: [bulk],
  marketplace_connected: [{ marketplaceUserId: '4711' }],
  marketplace_reconnected: [{ marketplaceUserId: '4711' }],
  marketplace_removed: [{}],
  listing_defaults_changed: [{ fields: ['durationDays'] }, { fields: [] }],
  marketplace_expired: [{}],
  checkout_started: [{ sessionId: 'cs' }],
  subscription_changed: [
    plan,
    { ...plan, before: 'free' },
    { ...plan, renews: false },
    { ...plan, tier: 'free', expiresAt: null },
  ],
  profile_changed: [
    { slug: 'shop', displayName: 'Shop', slugBefore: null },
    { slug: 'shop', displayName: 'Shop', slugBefore: 'old' },
  ],
  reseller_agreement_granted: [
    { commissionBps: 250, slug: 'shop' },
    { commissionBps: 250, slug: 'shop', directSalesMax: 100_000 },
  ],
  commission_confirmed: [
    { memberUserId: 'm', orders: 1, sales: 149.5, owed: 12.5 },
    { memberUserId: 'm', orders: 12, sales: 500, owed: 25 },
  ],
  order_voided: [
    { orderId: 'ord_1', amount: 149.5 },
    { orderId: 'ord_1', amount: 149.5, memberUserId: 'm' },
  ],
  join_requested: [{ resellerUserId: 'u' }, { memberUserId: 'm' }],
  join_request_ended: [
    { isWithdrawn: true, resellerUserId: 'u' },
    { isWithdrawn: false, resellerUserId: 'u' },
    { isWithdrawn: true, memberUserId: 'm' },
    { isWithdrawn: false, memberUserId: 'm' },
  ],
  member_removed: [{ resellerUserId: 'u' }, { memberUserId: 'm', externalId: 'shop-7' }],
  reseller_agreement_ended: [{ members: 4 }],
  member_joined: [{ resellerUserId: 'u' }, { memberUserId: 'm', externalId: 'shop-7' }],
  buyer_read: [{ orderId: 'ord_1' }],
  buyer_erased: [{ orders: 2 }],
  buyer_exported: [{ orders: 1 }],
  order_sharing_changed: [
    { isShared: true, resellerUserId: 'r' },
    { isShared: false, memberUserId: 'm' },
  ],
  members_invited: [{ members: 1 }, { members: 12 }],
  invitation_withdrawn: [{}],
  member_renamed: [
    { before: 'shop-6', externalId: 'shop-7', memberUserId: 'm' },
    { before: 'shop-6', externalId: 'shop-7', resellerUserId: 'u' },
  ],
  member_left: [
    { memberUserId: 'm', externalId: 'A left left' },
    { resellerUserId: 'u', isAgreementEnded: false },
    { resellerUserId: 'u', externalId: 'shop-7', isAgreementEnded: true },
  ],
};

const facts: readonly Fact[] = Object.entries(samples).flatMap(([kind, all]) =>
  all.map((details) => ({ kind, details }) as Fact),
);

/** Numbers of two digits and more, ids and names of a sentence, in any order. */
const valuesIn = (sentence: string): string[] =>
  [...sentence.replaceAll(',', '.').matchAll(/\d[\d.-]*\d|ord_\d|sk_live_\w|https:\S+|\$1 \$\{2\}|shop-\d/g)]
    .map(([value]) => value)
    .toSorted();

test('every kind has a sentence in both languages, with the same numbers and names', (t) => {
  for (const fact of facts) {
    const [english, swedish] = [inEnglish(fact), inSwedish(fact)];
    for (const told of [inEnglishOfPage(fact), swedish]) {
      t.notRegex(english + told, /undefined|null|\[object|NaN/, english);
      t.not(english, swedish);
      if (!('since' in fact.details)) t.deepEqual(valuesIn(told), valuesIn(english), told);
    }
  }
});

test('no two facts of one kind are told alike', (t) => {
  for (const tell of [inEnglish, inEnglishOfPage, inSwedish]) {
    const told = facts.map((fact) => `${fact.kind} ${tell(fact)}`);
    t.deepEqual([...new Set(told)], told);
  }
});

test('what the service tells in English is shown in Swedish, with its numbers and names', (t) => {
  const repriced = { price: 400 };
  t.is(inEnglish({ kind: 'repriced', details: repriced }), "The auction's price is 400 SEK.");
  t.is(inSwedish({ kind: 'repriced', details: repriced }), 'Auktionen ändrades: priset är 400 kr.');
  t.is(
    inSwedish({ kind: 'updated', details: { fields: ['title', 'imageUrls'] } }),
    'Artikeln ändrades: titel, bilder.',
  );
  t.is(
    inSwedish({ kind: 'price_changed', details: { from: 349, to: 299.5 } }),
    'Priset ändrades från 349 kr till 299,5 kr.',
  );
  t.is(
    inSwedish({ kind: 'waiting', details: wait }),
    'Väntar sedan 21 nov. 2026 13:00 på att dagens kvot hos marknadsplatsen fylls på; nästa försök 21 nov. 2026 14:00; senaste problem: Marknadsplatsen svarade inte, eller svarade med ett fel.',
  );
});

test('changed fields are told in words, not as the interface calls them', (t) => {
  const details = { ...webhook, fields: ['eventTypes', 'autoRecover'] };
  t.is(
    inSwedish({ kind: 'webhook_changed', details }),
    'Webhooken till https://shop.example ändrades: händelser, automatisk omsändning',
  );
  const item = { fields: ['imageUrls', 'shippingCost', 'listing'] };
  t.is(
    inEnglishOfPage({ kind: 'updated', details: item }),
    'The item was updated: images, shipping cost, auction terms.',
  );
});

test('names in a message stay as they are, whatever they look like', (t) => {
  t.is(inSwedish({ kind: 'api_key_revoked', details: key }), 'API-nyckeln ”$1 ${2}” (sk_live_a…) återkallades');
  t.is(
    inSwedish({ kind: 'member_left', details: { memberUserId: 'm', externalId: 'A left' } }),
    'Medlemmen A left avslutade sitt medlemskap',
  );
});
