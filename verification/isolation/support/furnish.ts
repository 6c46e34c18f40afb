import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { accountId, orderId, type AccountId, type OrderId } from '../../../features/rules/ids.ts';
import type { Item } from '../../../features/items/rules/item.ts';
import { hammerOrderId, recordHammerSale } from '../../../features/listings/rules/auction-end.ts';
import {
  changeNewestListing,
  openListing,
  recordDraft,
  recordLive,
} from '../../../features/listings/rules/publication.ts';
import { commissionOn } from '../../../features/orders/rules/commission.ts';
import { insertIds } from '../../../features/bulk-syncs/store/snapshot-external-ids.ts';
import { createCallCounters } from '../../../features/accounts/store/call-counters.ts';
import { storeBuyer } from '../../../features/orders/store/buyers.ts';
import { reserveAttempt } from '../../../features/webhooks/store/waiting-deliveries.ts';
import { attemptIdOf, endDelivery } from '../../../features/webhooks/store/delivery-attempts.ts';
import { deliveryOf, deliveryRows, type Delivery } from '../../../features/webhooks/store/deliveries.ts';
import { createItemStore } from '../../../features/items/store/items.ts';
import { findSubscription } from '../../../features/partner/store/subscriptions.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { markQueue } from '../../../features/webhooks/store/receiver-state.ts';
import type { ApiWorld, TestAccount } from '../../../test/support/api-world.ts';
import { aPaymentEvent, goodSignature } from './a-processor.ts';
import { aPerson, must } from './people.ts';
import { canary } from './traces.ts';

export interface Furnishing {
  /** Where its webhooks go; nothing may ever arrive there. */
  readonly receiverUrl: string;
  readonly isReseller?: boolean;
}

/** Gives an account one of everything that the service keeps, with a canary in every text. */
export async function furnish(world: ApiWorld, account: TestAccount, furnishing: Furnishing): Promise<void> {
  await makeKeys(world, account);
  await makeWebhooks(world, account, furnishing);
  await must(world, 'PUT /partner/marketplace-connection', {
    token: account.token,
    body: { marketplaceUserId: canary(), token: canary() },
  });
  await must(world, 'POST /partner/marketplace-connection/login', { token: account.token });
  await must(world, 'PUT /partner/listing-defaults', { token: account.token, body: { durationDays: 5 } });
  await makeItems(world, account);
  await makeDeliveries(world, account);
  await makeRecovery(world, account);
  await makeBulkSync(world, account);
  await makeOrders(world, account);
  await makeSubscription(world, account);
  if (furnishing.isReseller === true) {
    await makeCommission(world, account);
    await makeWaitingCommission(world, account);
    await makeInvitation(world, account);
    await makeJoinRequest(world, account);
  }
  // Of today: MongoDB deletes older rows by itself.
  const day = new Date().toISOString().slice(0, 10);
  await createCallCounters(world.store).add({ method: 'create', day }, accountId(account.id), 1);
}

/** Lines that wait, one that was refused, and what a snapshot keeps while it is accepted. */
async function makeBulkSync(world: ApiWorld, { id, apiKey }: TestAccount): Promise<void> {
  const lines = [
    { externalId: canary(), ...aPush() },
    { externalId: canary(), account: id },
  ];
  await must(world, 'POST /integration/v1/bulk-syncs', {
    apiKey,
    raw: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  await insertIds(world.store, { uploadId: id, number: 0 }, { externalIds: [canary()], now: world.now() });
}

async function makeKeys(world: ApiWorld, { token }: TestAccount): Promise<void> {
  for (let count = 0; count < 2; count += 1)
    await must(world, 'POST /integration/api-keys/generate', { token, body: { name: canary() } });
  const { keys } = (await must(world, 'GET /integration/api-keys', { token })).body;
  await must(world, `DELETE /integration/api-keys/${keys[0].id}`, { token });
}

async function makeWebhooks(world: ApiWorld, { token }: TestAccount, furnishing: Furnishing): Promise<void> {
  const { receiverUrl, isReseller = false } = furnishing;
  const url = (): string => `${receiverUrl}/${canary()}`;
  const endpoint = (fields: object) =>
    must(world, 'POST /integration/webhooks', { token, body: { url: url(), description: canary(), ...fields } });
  await endpoint({});
  await endpoint({ active: false, autoRecover: true });
  if (isReseller) await endpoint({ scope: 'members' });
  await must(world, 'PUT /integration/webhook-settings', { token, body: { webhookUrl: url() } });
}

const aPush = (fields: object = {}) => ({
  title: `Strålkastare ${canary()}`,
  description: canary(),
  price: 450,
  imageUrls: [],
  domain: { domain: 'auto_parts', part: { oemNumber: canary(), name: canary() } },
  ...fields,
});

/** One item in each state. */
async function makeItems(world: ApiWorld, account: TestAccount): Promise<void> {
  const { apiKey } = account;
  const push = async (fields: object = {}): Promise<string> => {
    const externalId = canary();
    await must(world, `PUT /integration/v1/items/${externalId}`, { apiKey, body: aPush(fields) });
    return externalId;
  };
  const image = `https://img.example.se/${canary()}.jpg`;
  const made = {
    active: await push(),
    draft: await push({ imageUrls: [image] }),
    hosted: await push({ imageUrls: [image] }),
    live: await push({ autoPublishTradera: true }),
    failed: await push({ autoPublishTradera: true }),
    sold: await push(),
    notListed: await push(),
    archived: await push(),
    deleted: await push(),
  };
  const change = (externalId: string, next: (item: Item) => Item) => happen(world, account, { externalId, next });
  const opened = (item: Item): Item => {
    const draft = { requestId: canary(), adId: canary() };
    return recordDraft(openListing(item, world.now()), draft);
  };
  await change(made.live, (item) => {
    const adUrl = `https://marketplace.example/item/${canary()}`;
    return { ...changeNewestListing(opened(item), { state: 'live', adUrl }), marketplaceStatus: 'active' };
  });
  await change(made.failed, (item) => {
    const failed = changeNewestListing(opened(item), { state: 'failed' });
    const processing = { ...failed.processing, waitingFor: 'marketplace_reconnection' as const, lastError: canary() };
    return { ...failed, marketplaceStatus: 'sync_error', processing };
  });
  await hostImage(world, account, made.hosted);
  const set = (externalId: string, status: string) =>
    must(world, `PATCH /integration/v1/items/${externalId}/status`, { apiKey, body: { status } });
  await set(made.sold, 'sold');
  await set(made.notListed, 'not_listed');
  await change(made.archived, (item) => ({ ...item, openOrderIds: [orderId(canary())] }));
  for (const externalId of [made.archived, made.deleted])
    await must(world, `DELETE /integration/v1/items/${externalId}`, { apiKey });
}

interface Happening {
  readonly externalId: string;
  readonly next: (item: Item) => Item;
}

/** Something that happens to an item by itself. */
async function happen(
  world: ApiWorld,
  account: Pick<TestAccount, 'id'>,
  { externalId, next }: Happening,
): Promise<void> {
  const items = createItemStore(world.store);
  const item = await items.findVisible(accountId(account.id), externalId);
  if (item === null || (await items.replace(item, next(item))) === null) throw new Error('the item is not there');
}

/** What a marketplace has sold under that number; a simulated one counts for itself, so its numbers meet those of the real one. */
export async function sellAuction(
  world: ApiWorld,
  account: Pick<TestAccount, 'id' | 'apiKey'>,
  { transactionId, isSandbox = false }: { readonly transactionId: string; readonly isSandbox?: boolean },
): Promise<void> {
  const [externalId, adId, now] = [canary(), canary(), world.now()];
  const { apiKey } = account;
  await must(world, `PUT /integration/v1/items/${externalId}`, { apiKey, body: aPush({ autoPublishTradera: true }) });
  const sale = { orderId: hammerOrderId(transactionId, { isSandbox }), adId, adUrl: `https://m.example/item/${adId}` };
  const draft = { requestId: canary(), adId };
  const sold = { ...sale, soldAt: now, isPaid: false, amountOre: 45_000, feeBps: 500 };
  for (const next of [
    (item: Item) => recordLive(recordDraft(openListing(item, now), draft), sale, now),
    (item: Item) => recordHammerSale(item, sold, now),
  ])
    await happen(world, account, { externalId, next });
}

async function hostImage(world: ApiWorld, account: TestAccount, externalId: string): Promise<void> {
  const contentHash = randomBytes(32).toString('hex');
  for (const size of ['full', 'thumb'])
    await world.imageStore.put(`${account.id}/${contentHash}/${size}.jpg`, Buffer.from('a picture'));
  await world.store.connection.collection<{ _id: string }>('image_records').insertOne({
    _id: `${account.id}/${contentHash}`,
    ...{ accountId: account.id, contentHash, state: 'stored', lastClaimedAt: world.now(), markedAt: null },
    ...{ version: 1, generation: randomUUID() },
  });
  await happen(world, account, {
    externalId,
    next: (item) => {
      const images = item.imageSet.images.map((image) => ({ ...image, state: 'hosted' as const, contentHash }));
      return { ...item, imageSet: { ...item.imageSet, images, announced: true }, serviceStatus: 'active' };
    },
  });
}

/** The deliveries of its items' events, or of its members': got through, given up, pending, held; and a target that is in trouble. */
export async function makeDeliveries(
  { store, now }: ApiWorld,
  account: TestAccount,
  scope: Delivery['scope'] = 'self',
): Promise<void> {
  const rows = await deliveryRows(store)
    .find({ accountId: accountId(account.id), state: 'pending', scope })
    .toArray();
  for (const [index, row] of rows.slice(0, -2).entries()) {
    const delivery = deliveryOf(row);
    if (!(await reserveAttempt(store, delivery, now()))) throw new Error('not pending');
    const isFine = index % 2 === 0;
    const made = { ...delivery, attempts: 1 };
    await endDelivery(store, made, {
      attempt: anAttempt(made, { isFine, now: now() }),
      state: isFine ? 'succeeded' : 'given_up',
      alsoWrite: async (session) => {
        await markQueue(store, made, { now: now(), session });
      },
    });
  }
}

function anAttempt(delivery: Delivery, { isFine, now }: { isFine: boolean; now: Date }) {
  const { _id: deliveryId, accountId: owner, aboutAccountId, endpointId, eventId, externalId, eventType } = delivery;
  return {
    _id: attemptIdOf(delivery),
    ...{ accountId: owner, deliveryId, endpointId, eventId, externalId, eventType, attempt: 1 },
    ...(aboutAccountId !== owner && { aboutAccountId }),
    status: isFine ? ('success' as const) : ('failed' as const),
    errorMessage: isFine ? null : `answered 500 ${canary()}`,
    httpStatus: isFine ? 200 : 500,
    ...{ durationMs: 12, responseStart: canary(), headers: { 'webhook-signature': canary() }, createdAt: now },
  };
}

async function makeRecovery(world: ApiWorld, { token }: TestAccount): Promise<void> {
  const since = new Date(world.now().getTime() - 3_600_000).toISOString();
  const { webhooks } = (await must(world, 'GET /integration/webhooks', { token })).body;
  const { id } = webhooks.find(({ active }: { active: boolean }) => active);
  await must(world, `POST /integration/webhooks/${id}/recover`, { token, body: { since } });
}

/** The amount of the completed one is so odd that nobody else has it: sums are canaries too. */
async function makeOrders(world: ApiWorld, account: TestAccount): Promise<void> {
  const { apiKey, token } = account;
  const steps = { pending: [], paid: ['paid'], completed: ['paid', 'completed'], cancelled: ['cancelled'] };
  for (const [last, statuses] of Object.entries(steps)) {
    const externalId = canary();
    await must(world, `PUT /integration/v1/items/${externalId}`, { apiKey, body: aPush() });
    const amount = last === 'completed' ? anOddAmount() : 450;
    const body = { externalId, platform: 'service', amount, isAmountConfirmed: true };
    const { id } = (await must(world, 'POST /partner/orders', { token, body })).body;
    for (const status of statuses) await must(world, `PATCH /partner/orders/${id}`, { token, body: { status } });
    await makeBuyer(world, { accountId: accountId(account.id), _id: orderId(id) });
  }
}

async function makeBuyer(
  { store }: ApiWorld,
  of: { readonly _id: OrderId; readonly accountId: AccountId },
): Promise<void> {
  const [now, address] = [new Date(), { name: canary(), line1: canary(), line2: null }];
  const places = { postalCode: canary(), city: canary(), country: canary() };
  const buyer = { marketplaceUserId: canary(), alias: canary(), name: canary(), email: canary(), phone: canary() };
  const row = { ...of, ...buyer, address: { ...address, ...places }, keptDays: 90, storedAt: now };
  await inTransaction(store, (session) => storeBuyer(store, row, { lastStepAt: now, now, session }));
}

/** What it owes on the sale of somebody who has left. */
async function makeCommission({ store }: ApiWorld, account: TestAccount): Promise<void> {
  const amountOre = Math.round(anOddAmount() * 100);
  const terms = { resellerAccountId: accountId(account.id), agreementId: canary(), commissionBps: 10_000 };
  const sale = { _id: canary(), accountId: randomUUID(), state: 'completed', completedAt: new Date(), amountOre };
  const order = { ...sale, platform: 'marketplace', commission: commissionOn(amountOre, terms) };
  await store.connection.collection<typeof order>('orders').insertOne(order);
}

/** A member whose sale is above what counts by itself. */
async function makeWaitingCommission(world: ApiWorld, reseller: TestAccount): Promise<void> {
  const { slug } = await profileOf(world, reseller);
  const person = await aPerson(world);
  await must(world, `POST /p/${slug}/connect`, { token: person.token });
  world.pass(1);
  await makeOrders(world, person);
}

/** An account that asks. Joining stays one click for all others. */
async function makeJoinRequest(world: ApiWorld, { token }: TestAccount): Promise<void> {
  const { slug, displayName } = await profileOf(world, { token });
  const person = await aPerson(world);
  const approve = (needsApproval: boolean) =>
    must(world, 'PUT /business/my-profile', { token, body: { slug, displayName, needsApproval } });
  await approve(true);
  await must(world, `POST /p/${slug}/connect`, { token: person.token });
  await approve(false);
}

const profileOf = async (world: ApiWorld, { token }: Pick<TestAccount, 'token'>) =>
  (await must(world, 'GET /business/my-profile', { token })).body;

const makeInvitation = (world: ApiWorld, { token }: TestAccount): Promise<unknown> =>
  must(world, 'POST /business/invitations', {
    token,
    body: { invitations: [{ email: `${canary()}@example.se`, externalId: canary() }] },
  });

const anOddAmount = (): number => randomInt(10_000_001, 99_999_999) / 100;

async function makeSubscription(world: ApiWorld, account: TestAccount): Promise<void> {
  await must(world, 'POST /partner/subscription/checkout', { token: account.token });
  const subscription = await findSubscription(world.store, accountId(account.id));
  await must(world, 'POST /stripe/webhook', {
    body: aPaymentEvent(subscription?.customerIds[0] ?? '', `evt_${canary()}`),
    headers: { 'stripe-signature': goodSignature },
  });
}
