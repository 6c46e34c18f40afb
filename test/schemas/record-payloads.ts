// `npm run generate -- payloads`: things happen to items in a whole system, and what its webhook receiver gets is written as golden
// payloads for golden.test.ts. What is recorded already is left as it is, and so are the promises in event-contract.json.
import { readdirSync } from 'node:fs';
import test from 'ava';
import {
  deliveredTypes,
  eventTypes,
  specifiedEventTypes,
  type DeliveredType,
} from '../../features/webhooks/rules/event-types.ts';
import { endpointId, orderId, sessionId } from '../../features/rules/ids.ts';
import type { Scope } from '../../features/rules/scope.ts';
import type { Context } from '../../features/context.ts';
import { deleteItem } from '../../features/items/delete-item.ts';
import { changeItemPrice } from '../../features/items/change-price.ts';
import { changeOrder, type OrderChange } from '../../features/orders/change-order.ts';
import { aReseller } from '../support/a-reseller.ts';
import { until } from '../support/until.ts';
import { callAdmin, untilMarketplaceStatus, withWorld, type TestAccount, type World } from '../support/world.ts';
import { addToContracts, isPayloadRecorded, writePayload } from './golden-files.ts';
import { recordDirectSale } from '../../features/orders/record-direct-sale.ts';
import { listWebhooks } from '../../features/webhooks/manage-webhooks.ts';
import { sendTestEvent } from '../../features/webhooks/register-webhook.ts';

let world: World;
withWorld(test, (started) => (world = started));

const picture = (n: number): string => readdirSync('examples/catalogue/images')[n] ?? '';
const pushWithImages = (account: TestAccount, names: readonly string[]): Promise<unknown> =>
  account.push('BX-1042', { imageUrls: names.map((name) => `${world.images.url}/${name}`) }, { autoPublish: true });
const pushForSale = (account: TestAccount): Promise<unknown> => account.push('BX-1042', {}, { autoPublish: true });

const admin = (path: string, body?: object): Promise<unknown> =>
  callAdmin(`${world.marketplace.adminUrl}${path}`, 'POST', body);
const bid = (ad: string): Promise<unknown> => admin(`/listings/${ad}/bids`, { amount: 725 });
const end = (ad: string): Promise<unknown> => admin(`/listings/${ad}/end`);

/** The id of the item's auction, once it is up. */
async function live(account: TestAccount, externalId = 'BX-1042', quantity: number | null = null): Promise<string> {
  await account.push(externalId, { quantity }, { autoPublish: true });
  await untilMarketplaceStatus(account, externalId, 'active');
  return (await account.status(externalId)).status.marketplaceAdId ?? '';
}

async function liveWithBids(account: TestAccount): Promise<string> {
  const ad = await live(account);
  await bid(ad);
  return ad;
}

async function sellOneOfSeveral(account: TestAccount): Promise<void> {
  const ad = await live(account, 'BX-1042', 3);
  await bid(ad);
  await end(ad);
}

async function sellDirectly(account: TestAccount): Promise<void> {
  await account.push('BX-1042');
  const sale = { externalId: 'BX-1042', platform: 'service_card', amountOre: 34_950, isPaid: false } as const;
  await recordDirectSale(world.context, account.scope, sale);
}

/** Sold directly, and then changed as said. */
async function changed(account: TestAccount, change: Omit<OrderChange, 'orderId'>): Promise<void> {
  await account.push('BX-1042');
  const sale = { externalId: 'BX-1042', platform: 'service_card', amountOre: 34_950, isPaid: false } as const;
  const { id } = await recordDirectSale(world.context, account.scope, sale);
  await changeOrder(world.context, account.scope, { orderId: orderId(id), ...change });
}

/** What a session of the account does; that it is open is not asked. */
async function inDashboard(account: TestAccount, change: (context: Context, scope: Scope) => Promise<unknown>) {
  await account.push('BX-1042');
  const session = { kind: 'session', sessionId: sessionId('recorded') } as const;
  const confirmCredential = (): Promise<void> => Promise.resolve();
  await change({ ...world.context, confirmCredential }, { ...account.scope, credential: session });
}

interface Story {
  readonly connected?: boolean;
  /** What has to happen for it. */
  readonly when: (account: TestAccount) => Promise<unknown>;
}

const item = { externalId: 'BX-1042' };

const stories: Readonly<Record<DeliveredType, Readonly<Record<string, Story>>>> = {
  'item.created': { 'own-item': { when: (account) => account.push('BX-1042') } },
  'item.images_ready': {
    'all-hosted': { when: (account) => pushWithImages(account, [picture(0), picture(1)]) },
    'some-failed': { when: (account) => pushWithImages(account, [picture(0), 'missing.jpg']) },
    'all-failed': { when: (account) => pushWithImages(account, ['missing.jpg']) },
  },
  'listing.created': { 'own-item': { when: pushForSale } },
  'listing.ended': { 'own-item': { when: async (account) => end(await live(account)) } },
  'listing.failed': {
    'not-connected': { connected: false, when: pushForSale },
    'token-expired': {
      when: async (account) => {
        await admin(`/users/${account.id}/expire-token`);
        await pushForSale(account);
      },
    },
    'listing-refused': {
      when: async (account) => {
        await admin('/results', { ownReference: 'refused-1', codes: ['Error'], times: 1 });
        await account.push('refused-1', {}, { autoPublish: true });
      },
    },
    'images-failed': { when: (account) => pushWithImages(account, ['missing.jpg']) },
    'price-refused-bids': {
      when: async (account) => {
        await liveWithBids(account);
        await account.changePrice('BX-1042', 5_000);
      },
    },
    'revision-refused-bids': {
      when: async (account) => {
        await liveWithBids(account);
        await account.push('BX-1042', { title: 'Till nästa gång' });
      },
    },
    'takedown-refused-bids': {
      when: async (account) => {
        await liveWithBids(account);
        await account.changeStatus('BX-1042', 'not_listed');
      },
    },
  },
  'item.sold': {
    'hammer-sale': { when: async (account) => end(await liveWithBids(account)) },
    'direct-sale': { when: sellDirectly },
    'one-of-several': { when: sellOneOfSeveral },
    'with-order': { when: sellDirectly },
  },
  'order.paid': { 'direct-sale': { when: async (account) => changed(account, { status: 'paid' }) } },
  'order.shipped': { 'direct-sale': { when: async (account) => changed(account, { shipping: {} }) } },
  'order.cancelled': { 'direct-sale': { when: async (account) => changed(account, { status: 'cancelled' }) } },
  'item.changed': {
    'price-by-dashboard': {
      when: (account) =>
        inDashboard(account, (context, scope) => changeItemPrice(context, scope, { ...item, priceOre: 39_900 })),
    },
    'deleted-by-dashboard': {
      when: (account) => inDashboard(account, (context, scope) => deleteItem(context, scope, item)),
    },
    'removed-at-the-marketplace': { when: async (account) => admin(`/listings/${await live(account)}/remove`) },
  },
  'webhook.test': { 'own-endpoint': { when: sendTest } },
};

async function sendTest({ scope }: TestAccount): Promise<void> {
  const [hook] = await listWebhooks(world.context, scope);
  await sendTestEvent(world.context, scope, { endpointId: endpointId(hook?.id ?? ''), eventType: undefined });
}

for (const eventType of deliveredTypes) {
  for (const [variant, { connected = true, when }] of Object.entries(stories[eventType])) {
    if (isPayloadRecorded(eventType, variant)) continue;
    test.serial(`${eventType} ${variant}`, async (t) => {
      const account = await world.account({ connected, eventTypes });
      await when(account);
      await record(() => account.received(), { eventType, variant });
      t.pass();
    });
  }
}

const ofMember = 'member-item';
if (specifiedEventTypes.some((eventType) => !isPayloadRecorded(eventType, ofMember))) {
  test.serial('everything that may happen to the items of a member, as its reseller is told', async (t) => {
    const [reseller, member] = [await aReseller(world), await world.account()];
    await reseller.takeIn(member, 'verkstad-17');
    await pushWithImages(member, [picture(0)]);
    await end(await live(member, 'BX-1043'));
    const ad = await live(member, 'BX-1044');
    await bid(ad);
    await member.changePrice('BX-1044', 5_000);
    const isTold = async (): Promise<boolean> => (await member.received('listing.failed')).length > 0;
    await until('the refused price is told', isTold);
    await end(ad);
    for (const eventType of specifiedEventTypes)
      await record(() => reseller.received(), { eventType, variant: ofMember });
    t.pass();
  });
}

async function record(
  received: () => ReturnType<TestAccount['received']>,
  { eventType, variant }: { eventType: DeliveredType; variant: string },
): Promise<void> {
  if (isPayloadRecorded(eventType, variant)) return;
  const webhook = await until(`${eventType} ${variant}`, async () =>
    (await received()).find(({ body }) => body.eventType === eventType),
  );
  writePayload(eventType, variant, JSON.parse(Buffer.from(webhook.rawBase64, 'base64').toString('utf8')));
}

test.serial('new fields of the schemas are added to what was promised', (t) => {
  addToContracts();
  t.pass();
});
