import { randomUUID } from 'node:crypto';
import type { TestFn } from 'ava';
import { voidOrder } from '../../../features/operations/void-order.ts';
import { createAiCache } from '../../../features/accounts/store/paid-calls.ts';
import { insertIds } from '../../../features/bulk-syncs/store/snapshot-external-ids.ts';
import { changeNewestListing } from '../../../features/listings/rules/publication.ts';
import { createItemStore, listUpOrWanted } from '../../../features/items/store/items.ts';
import { accountId } from '../../../features/rules/ids.ts';
import { furnish, makeDeliveries } from '../../../verification/isolation/support/furnish.ts';
import { aPerson, aReseller, join, must, type Reseller } from '../../../verification/isolation/support/people.ts';
import { canary } from '../../../verification/isolation/support/traces.ts';
import { rowText } from '../../../verification/isolation/support/write-watch.ts';
import type { RunningSimulator } from '../../../simulators/kit/start-simulator.ts';
import { startMarketplaceSimulator } from '../../../simulators/marketplace/start-marketplace-simulator.ts';
import { aProcessor } from '../../../verification/isolation/support/a-processor.ts';
import { sandboxSettings, startApiWorld, type ApiWorld, type TestAccount } from '../../support/api-world.ts';
import { consentingLogin } from '../../support/consenting-login.ts';
import { awaitMajority } from '../../support/open-test-store.ts';
import { sendDueMails } from '../../support/sent-mails.ts';

/** Where webhooks go: no server listens there, and nothing is sent. */
export const receiverUrl = 'https://127.0.0.1:1';

/** An API with all that an account can have. */
export function withLeaverWorld(test: TestFn): () => ApiWorld {
  let started: { readonly world: ApiWorld; readonly market: RunningSimulator } | undefined;
  test.before(async () => {
    const market = await startMarketplaceSimulator();
    const world = await startApiWorld({
      sendsMail: true,
      payments: aProcessor,
      sandbox: sandboxSettings(market.url),
      allowPrivateNetworks: true,
      replace: () => ({ login: consentingLogin }),
    });
    started = { world, market };
  });
  test.after.always(async () => {
    await started?.world.close();
    await started?.market.close();
  });
  return () => {
    if (started === undefined) throw new Error('the API did not start');
    return started.world;
  };
}

/** A partner with one of everything that the service keeps, a canary in every text, and rows of others that tell of it. */
export interface Leaver extends TestAccount {
  readonly sandboxId: string;
  readonly reseller: Reseller;
  /** What its reseller calls it: the reseller's word. */
  readonly reference: string;
}

export async function aLeaver(world: ApiWorld): Promise<Leaver> {
  const [reseller, account] = [await aReseller(world), await aPerson(world)];
  const reference = await join(world, reseller, account);
  await must(world, 'POST /integration/webhooks', {
    token: reseller.token,
    body: { url: `${receiverUrl}/${canary()}`, scope: 'members', description: canary() },
  });
  await furnish(world, account, { receiverUrl });
  await makeDeliveries(world, reseller, 'members');
  await keepSnapshot(world, account);
  const sandboxId = await furnishSandbox(world, account);
  await tellOthers(world, { reseller, account, reference });
  await leaveOpen(world, account);
  await world.served.parts.requestRecorder?.settle();
  await awaitMajority(world.store);
  return { ...account, sandboxId, reseller, reference };
}

/** The ids of a snapshot are those of an upload. */
async function keepSnapshot({ store, now }: ApiWorld, { id }: TestAccount): Promise<void> {
  await store.connection.collection('bulk_ids').deleteMany({ uploadId: id });
  const bulk = await store.connection.collection('bulk_syncs').findOne({ actingAccountId: id });
  await insertIds(store, { uploadId: String(bulk?.['uploadId']), number: 0 }, { externalIds: [canary()], now: now() });
}

async function furnishSandbox(world: ApiWorld, { token }: TestAccount): Promise<string> {
  const headers = { 'idempotency-key': randomUUID() };
  const made = await must(world, 'POST /integration/api-keys/generate', { token, headers, body: { mode: 'test' } });
  const { apiKey } = made.body;
  const body = { title: canary(), description: canary(), price: 450, imageUrls: [], domain: { domain: 'other' } };
  await must(world, `PUT /integration/v1/items/${canary()}`, { apiKey, body });
  const { keys } = (await must(world, 'GET /integration/api-keys', { token })).body;
  return keys[0].accountId;
}

interface Told {
  readonly reseller: Reseller;
  readonly account: TestAccount;
  readonly reference: string;
}

/** Its reseller acts for it, and another one invites its address. */
async function tellOthers(world: ApiWorld, { reseller, account, reference }: Told): Promise<void> {
  const headers = { 'x-partner-account': reference };
  await must(world, 'GET /integration/v1/items', { apiKey: reseller.apiKey, headers });
  const line = { externalId: canary(), title: canary(), price: 5, imageUrls: [], domain: { domain: 'other' } };
  await must(world, 'POST /integration/v1/bulk-syncs', {
    apiKey: reseller.apiKey,
    raw: JSON.stringify({ ...line, account: reference }),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const invitations = [{ email: account.email, externalId: canary() }];
  await must(world, 'POST /business/invitations', { token: (await aReseller(world)).token, body: { invitations } });
}

/** What is under way: links in mails, a mail that waits, an image that is being uploaded, an answer of the model. */
async function leaveOpen(world: ApiWorld, { id, email }: TestAccount): Promise<void> {
  await must(world, 'POST /auth/password/forgotten', { body: { email } });
  await sendDueMails(world);
  await must(world, 'POST /auth/password/forgotten', { body: { email } });
  const claim = { _id: `${id}/${randomUUID()}/1`, accountId: id, openedAt: world.now(), attempt: randomUUID() };
  await world.store.connection.collection<{ _id: string }>('image_claims').insertOne(claim);
  const answers = createAiCache(world.store, { keptDays: 30, now: world.now });
  await answers.store(canary(), { title: canary(), description: canary() }, accountId(id));
}

/** Ends what is in the way of an erasure, as the partner, the marketplace and the operator do. */
export async function endEverything(world: ApiWorld, { id }: TestAccount): Promise<void> {
  const items = createItemStore(world.store);
  for (const found of await listUpOrWanted(world.store, accountId(id))) {
    const item = await items.findById({ id: found, accountId: accountId(id) });
    if (item === null) throw new Error('the item is not there');
    await items.replace(item, changeNewestListing(item, { state: 'removed' }));
  }
  const open = { accountId: id, state: { $in: ['pending', 'paid'] } };
  const operations = { store: world.store, now: world.now, operator: 'Robin' };
  for (const { _id } of await world.store.connection.collection('orders').find(open).toArray())
    await voidOrder(operations, String(_id));
  const subscriptions = world.store.connection.collection<{ _id: string }>('subscriptions');
  await subscriptions.updateOne({ _id: id }, { $set: { checkout: null }, $unset: { checkAt: 1 } });
  const lines = { accountId: id, isOpen: true };
  await world.store.connection.collection('bulk_chunks').updateMany(lines, { $set: { isOpen: false } });
}

/** Every row of the database as text, by collection and id. */
export async function everyRow({ store }: ApiWorld): Promise<ReadonlyMap<string, string>> {
  const { db } = store.connection;
  if (db === undefined) throw new Error('the store is not open');
  const rows = new Map<string, string>();
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray())
    for (const row of await db.collection(name).find().toArray()) rows.set(`${name} ${String(row._id)}`, rowText(row));
  return rows;
}
