import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { grantResellerAgreement } from '../../features/resellers/agreements.ts';
import { findSubscription } from '../../features/partner/store/subscriptions.ts';
import { accountId } from '../../features/rules/ids.ts';
import { runItembridge, startItembridge } from '../cli/support/run-itembridge.ts';
import { present } from '../support/clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { callAdmin, type MarketplaceListing } from '../support/world.ts';
import { createLeakFinder, type Canary } from './support/canaries.ts';
import { startCanarySystem, type CanarySystem } from './support/canary-system.ts';
import { databasePlaces, filePlace, workflowPlaces, type Place } from './support/leak-places.ts';
import type { Ask, Reply } from './support/recorder.ts';

// A partner's whole story in processes that log all they can; then it is erased, by a command that is killed in the middle and
// given again. What each collection holds is test/operations/erase-account.test.ts.

let world: CanarySystem;
const closing: (() => Promise<unknown>)[] = [];
const planted: Canary[] = [];

test.before(async (t) => {
  t.timeout(900_000);
  world = await startCanarySystem(closing, { isTraced: false });
});

test.after.always(async () => {
  for (const close of closing) await close();
});

const word = (): string => randomBytes(18).toString('base64url').replaceAll(/[_-]/g, 'x').toLowerCase();
function plant(name: string): string {
  const value = word();
  planted.push({ name, value });
  return value;
}

async function ask(path: string, options: Ask = {}): Promise<Reply> {
  const reply = await world.recorder.ask(path, options);
  if (reply.status >= 400) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply;
}

interface Partner {
  readonly id: string;
  readonly email: string;
  readonly session: Readonly<Record<string, string>>;
  readonly key: Readonly<Record<string, string>>;
}

const picture = readdirSync('examples/catalogue/images').find((name) => name.endsWith('.jpg')) ?? '';

async function signUp(names: (name: string) => string): Promise<Partner> {
  const [email, password] = [`${names('an address')}@example.se`, word()];
  const { body } = await ask('/auth/register', {
    method: 'POST',
    body: { email, password, name: `Firma ${names('a name')}` },
  });
  const session = { authorization: `Bearer ${String(body.accessToken)}` };
  const generate = { method: 'POST', headers: session, body: { name: names('the name of a key') } };
  const key = { 'x-api-key': String((await ask('/integration/api-keys/generate', generate)).body.apiKey) };
  const row = await world.foundation.store.connection.collection('accounts').findOne({ email });
  return { id: String(row?._id), email, session, key };
}

const put = ({ key }: Partner, externalId: string, body: object): Promise<Reply> =>
  ask(`/integration/v1/items/${externalId}`, { method: 'PUT', headers: key, body });

const anItem = (names: (name: string) => string, image: string): object => ({
  title: `Dörr ${names('a title')}`,
  description: names('a description'),
  price: 100,
  useAiEnhancement: true,
  imageUrls: [`${world.partners.images.url}/${image}?${names('the address of a picture')}`],
});

const untilItem = ({ key }: Partner, externalId: string, isThere: (body: Record<string, unknown>) => boolean) =>
  until(`${externalId} is as wanted`, async () =>
    isThere((await ask(`/integration/v1/items/${externalId}`, { headers: key })).body as Record<string, unknown>),
  );

async function joinReseller(partner: Partner): Promise<Partner> {
  const reseller = await signUp(word);
  const slug = `r-${randomUUID().slice(0, 13)}`;
  const context = { store: world.foundation.store, now: present, newId: randomUUID };
  await grantResellerAgreement(context, { email: reseller.email, commissionBps: 100, slug });
  const url = `${world.partners.receiver.url}/hooks/${word()}`;
  const hook = { url, eventTypes: [], scope: 'members', description: '' };
  await ask('/integration/webhooks', { method: 'POST', headers: reseller.session, body: hook });
  await ask(`/p/${slug}/connect`, { method: 'POST', headers: partner.session });
  return reseller;
}

async function sell(partner: Partner): Promise<void> {
  const { adminUrl } = world.outside.marketplace;
  const user = await callAdmin<{ userId: string; token: string }>(`${adminUrl}/users`, 'POST', { userId: word() });
  const body = { marketplaceUserId: user.userId, token: user.token };
  await ask('/partner/marketplace-connection', { method: 'PUT', headers: partner.session, body });
  await put(partner, 'A1', { ...anItem(plant, picture), autoPublishTradera: true });
  await untilItem(partner, 'A1', ({ marketplaceStatus }) => marketplaceStatus === 'active');
  const { listings } = await callAdmin<{ listings: MarketplaceListing[] }>(`${adminUrl}/listings?ownReference=A1`);
  const ad = `${adminUrl}/listings/${String(listings[0]?.itemId)}`;
  await callAdmin(`${ad}/bids`, 'POST', { amount: 500, bidder: plant('a buyer') });
  const blocked = await erase(partner, '--yes');
  if (blocked.code !== 1 || !blocked.stdout.includes('1 auction up')) throw new Error(blocked.stdout + blocked.stderr);
  await callAdmin(`${ad}/end`, 'POST');
  await untilItem(partner, 'A1', ({ marketplaceStatus }) => marketplaceStatus === 'sold');
  await handleOrder(partner);
}

async function handleOrder({ key }: Partner): Promise<void> {
  const orders = '/integration/v1/orders';
  const path = await until('the order is there', async () => {
    const [order] = (await ask(orders, { headers: key })).body.orders as { id: string }[];
    return order !== undefined && `${orders}/${order.id}`;
  });
  await until('the buyer is known', async () => (await ask(path, { headers: key })).body.buyer !== null);
  const shipping = { trackingNumber: plant('a tracking number') };
  await ask(path, { method: 'PATCH', headers: key, body: { shipping } });
  for (const status of ['paid', 'completed']) await ask(path, { method: 'PATCH', headers: key, body: { status } });
  const owed = { isShippingOwed: true };
  await until(
    'the marketplace knows that it was sent',
    async () => (await world.foundation.store.connection.collection('orders').countDocuments(owed)) === 0,
  );
}

async function buyAndEndPro({ session, id }: Partner): Promise<void> {
  const { adminUrl } = world.outside.payments;
  const { body } = await ask('/partner/subscription/checkout', { method: 'POST', headers: session });
  await callAdmin(`${adminUrl}/sessions/${String(body.url).split('/').at(-1) ?? ''}/complete`, 'POST');
  const stateOf = async () => (await findSubscription(world.foundation.store, accountId(id)))?.state;
  const paid = await until('the account is Pro', async () => {
    const state = await stateOf();
    return state?.tier === 'pro' && state;
  });
  await callAdmin(`${adminUrl}/subscriptions/${String(paid.subscriptionId)}/end`, 'POST');
  await until('it has ended', async () => (await stateOf())?.tier === 'free');
  // As a day later, when its checkout has closed and the worker has seen it.
  const closed = { $set: { checkout: null }, $unset: { checkAt: 1 }, $inc: { version: 1 } } as const;
  const subscriptions = world.foundation.store.connection.collection<{ _id: string; version: number }>('subscriptions');
  await subscriptions.updateOne({ _id: id }, closed);
}

const environment = (): Record<string, string> => {
  const { mongo, temporal, imageStore } = world.foundation.config;
  return {
    NODE_ENV: 'production',
    MONGODB_URI: mongo.uri,
    MONGODB_DATABASE: mongo.database,
    TEMPORAL_ADDRESS: temporal.connection.address,
    TEMPORAL_TASK_QUEUE: temporal.taskQueue,
    IMAGE_STORE_DIR: imageStore.directory,
  };
};

const erasing = ({ email }: Partner, ...options: string[]): string[] => [
  'ops',
  'account',
  'erase',
  email,
  ...options,
  '--as',
  'Kim',
];
const erase = (partner: Partner, ...options: string[]) =>
  runItembridge(erasing(partner, ...options), { env: environment() });

async function picturesOf({ id }: Partner): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of world.foundation.imageStore.list(id)) keys.push(key);
  return keys;
}

async function placesOf(): Promise<Place[]> {
  const [database, workflows] = await Promise.all([
    databasePlaces(world.foundation.store.connection),
    workflowPlaces(world.foundation.client),
  ]);
  const logs = Object.entries(world.files).filter(([name]) => /log of the (API|worker)/.test(name));
  return [
    // The log of the replica set forgets by itself (docs/personal-data.md).
    ...database.filter(({ name }) => name !== "the replica set's log"),
    ...workflows,
    ...logs.map(([name, file]) => filePlace(name, file)),
  ];
}

const itemsOf = ({ id }: Partner): Promise<number> =>
  world.foundation.store.connection.collection('items').countDocuments({ accountId: id });

test('a partner with its whole story is erased by a command that is killed and given again: no row, workflow, picture or log tells of it', async (t) => {
  t.timeout(900_000);
  const [partner, neighbour] = [await signUp(plant), await signUp(word)];
  await joinReseller(partner);
  const url = `${world.partners.receiver.url}/hooks/${plant('the address of a webhook')}`;
  const hook = { url, eventTypes: [], scope: 'self', description: plant('the description of a webhook') };
  await ask('/integration/webhooks', { method: 'POST', headers: partner.session, body: hook });
  await put(neighbour, 'N1', anItem(word, picture));
  await sell(partner);
  await put(partner, 'B1', anItem(plant, 'missing.jpg'));
  await until('its picture has failed', async () => {
    const row = await world.foundation.store.connection.collection('items').findOne({ externalId: 'B1' });
    return JSON.stringify(row?.['imageSet']).includes('"failed"');
  });
  await untilItem(neighbour, 'N1', ({ serviceStatus }) => serviceStatus === 'active');
  await buyAndEndPro(partner);

  const find = createLeakFinder(planted);
  const leaks = (places: readonly Place[]) => places.flatMap(({ name, text }) => find(name, text));
  const before = await placesOf();
  t.true(new Set(leaks(before).map(({ canary }) => canary)).size >= 9);
  t.true(before.some(({ name, text }) => name.startsWith('workflow item:') && text.includes(partner.id)));
  const pictures = await picturesOf(neighbour);
  t.true((await picturesOf(partner)).length >= 2 && pictures.length >= 2);

  const folder = join(temporaryFolder('export'), 'partner');
  const asked = ['ops', 'account', 'export', partner.email, '--to', folder, '--as', 'Kim'];
  const exported = await runItembridge(asked, { env: environment() });
  t.is(exported.code, 0, exported.stderr);
  t.regex(readFileSync(join(folder, 'items.jsonl'), 'utf8'), /"title":"Dörr/);
  const [own = ''] = await picturesOf(partner);
  const copy = readFileSync(join(folder, 'images', own.slice(partner.id.length + 1)));
  t.deepEqual(copy, await world.foundation.imageStore.read(own));
  t.is((await runItembridge(asked, { env: environment() })).code, 2, 'nothing is written over');

  t.regex((await runItembridge(erasing(partner).slice(0, -2), { env: environment() })).stderr, /--as NAME/);
  t.regex((await erase(partner)).stdout, /items +2\n[^]*Wait until [^]*Nothing was done/);
  t.is(await itemsOf(partner), 2);
  const { child, done } = startItembridge(erasing(partner, '--yes'), { env: environment() });
  await until('its items are gone', async () => (await itemsOf(partner)) === 0);
  child.kill('SIGKILL');
  await done;
  t.truthy(await world.foundation.store.connection.collection('accounts').findOne({ email: partner.email }));
  const { code, stdout, stderr } = await erase(partner, '--yes');
  t.is(code, 0, stdout + stderr);
  t.regex(stdout, /is erased; 1 order kept for the books/);
  t.regex(stderr, /"operator":"Kim","command":"ops account erase","msg":"command.given"/);
  t.true(stderr.includes(`"accountId":"${partner.id}","operator":"Kim","msg":"account.erased"`), stderr);

  const after = await placesOf();
  t.deepEqual(leaks(after), []);
  t.deepEqual(
    after.filter(({ name, text }) => name.startsWith('workflow') && text.includes(partner.id)).map(({ name }) => name),
    [],
  );
  t.deepEqual(await picturesOf(partner), []);
  t.deepEqual(await picturesOf(neighbour), pictures);
  t.is((await ask('/integration/v1/items/N1', { headers: neighbour.key })).body.serviceStatus, 'active');
});
