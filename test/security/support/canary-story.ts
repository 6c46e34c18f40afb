import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { grantResellerAgreement } from '../../../features/resellers/agreements.ts';
import { aVisitor } from '../../public-page/support/a-visitor.ts';
import { until } from '../../support/until.ts';
import { callAdmin, type MarketplaceListing, type ReceivedWebhook } from '../../support/world.ts';
import type { CanarySystem } from './canary-system.ts';
import { cookieIn, signatureOf, type Ask, type Reply } from './recorder.ts';
import { present } from '../../support/clock.ts';

const picture = readdirSync('examples/catalogue/images').find((name) => name.endsWith('.jpg')) ?? '';
const word = (): string => randomBytes(18).toString('base64url');
const bare = (apiKey: string): string => apiKey.slice('sk_live_'.length);
const ofHook = (secret: string): string => secret.slice('whsec_'.length);

export interface Partner {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly session: Readonly<Record<string, string>>;
  readonly key: Readonly<Record<string, string>>;
  readonly hookId: string;
}

/** Everything that a partner goes through in which a secret takes part, with every refusal and failure on the way. */
export async function tellStory(world: CanarySystem): Promise<void> {
  const partner = await signUp(world);
  await sellAnItem(world, partner);
  await breakEverything(world, partner);
  await reconnect(world, partner);
  await syncMany(world, partner);
  await buyPro(world, partner);
  await joinByPage(world);
  await sendNonsense(world, partner);
  await loseServers(world, partner);
}

const must = async (asked: Promise<Reply>): Promise<Reply> => {
  const reply = await asked;
  if (reply.status >= 400) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
};

const signedIn: NonNullable<Ask['reveals']> = {
  'an access token': ({ body }) => signatureOf(body.accessToken),
  'a refresh token': (reply) => cookieIn(reply, 'refresh_token'),
  'a page session': (reply) => signatureOf(cookieIn(reply, 'session')),
};
const withDevice: NonNullable<Ask['reveals']> = {
  ...signedIn,
  'a device token': (reply) => signatureOf(cookieIn(reply, 'device')),
  'a page device token': (reply) => signatureOf(cookieIn(reply, 'page_device')),
};

async function signUp({ recorder, partners, outside }: CanarySystem): Promise<Partner> {
  const { ask, plant } = recorder;
  const email = `lager-${randomUUID()}@example.se`;
  const password = plant({ name: 'a password', value: word() });
  const account = { email, password };
  await must(ask('/auth/register', { method: 'POST', body: { ...account, name: 'Lager' }, reveals: withDevice }));
  const wrong = plant({ name: 'a wrong password', value: word() });
  await ask('/auth/login', { method: 'POST', body: { email, password: wrong } });
  const login = await must(ask('/auth/login', { method: 'POST', body: account, reveals: withDevice }));
  const cookie = `refresh_token=${cookieIn(login, 'refresh_token')}`;
  const renewed = await must(ask('/auth/refresh', { method: 'POST', headers: { cookie }, reveals: signedIn }));
  // Used again, it ends its session: a stolen one would have been used by now.
  await ask('/auth/refresh', { method: 'POST', headers: { cookie: `refresh_token=${word()}.${word()}` } });
  const token: string = renewed.body.accessToken;
  const session = { authorization: `Bearer ${token}` };
  const generate = { method: 'POST', body: { name: 'ERP' }, headers: { ...session, 'idempotency-key': 'once' } };
  const reveals = { 'an API key': ({ body }: Reply) => bare(body.apiKey) };
  const made = await must(ask('/integration/api-keys/generate', { ...generate, reveals }));
  await must(ask('/integration/api-keys/generate', { ...generate, reveals }));
  const hook = await must(
    ask('/integration/webhooks', {
      method: 'POST',
      headers: session,
      body: {
        url: `${partners.receiver.url}/hooks/${plant({ name: 'a token in the URL of a webhook', value: word(), isData: true })}`,
        eventTypes: [],
        scope: 'self',
        description: '',
      },
      reveals: { 'a webhook secret': ({ body }) => ofHook(body.secret) },
    }),
  );
  const marketplaceToken = await newMarketplaceToken({ recorder, outside });
  await must(ask('/partner/marketplace-connection', { method: 'PUT', headers: session, body: marketplaceToken }));
  return { ...account, token, session, key: { 'x-api-key': made.body.apiKey }, hookId: hook.body.id };
}

async function newMarketplaceToken({ recorder, outside }: Pick<CanarySystem, 'recorder' | 'outside'>) {
  const users = `${outside.marketplace.adminUrl}/users`;
  const { userId, token } = await callAdmin<{ userId: string; token: string }>(users, 'POST', { userId: 'seller' });
  return { marketplaceUserId: userId, token: recorder.plant({ name: 'a marketplace token', value: token }) };
}

const itemPath = (externalId: string): string => `/integration/v1/items/${externalId}`;

/** An item that uses every dependency. Its image's address carries a signature, as of a bucket that is not public. */
const anItem = ({ recorder, partners }: CanarySystem): object => ({
  title: 'Volvo V70 dörr',
  description: 'Lite rostig',
  price: 100,
  autoPublishTradera: true,
  useAiEnhancement: true,
  imageUrls: [
    `${partners.images.url}/${picture}?signature=${recorder.plant({ name: 'a signature in the address of an image', value: word(), isData: true })}`,
  ],
  domain: { domain: 'vehicles', registrationPlate: 'MLB84A' },
});

async function push(world: CanarySystem, { key }: Partner, externalId: string): Promise<void> {
  await must(world.recorder.ask(itemPath(externalId), { method: 'PUT', headers: key, body: anItem(world) }));
}

const untilStatus = ({ recorder }: CanarySystem, { key }: Partner, [externalId, wanted]: readonly [string, string]) =>
  until(`${externalId} is ${wanted}`, async () => {
    const { body } = await recorder.ask(itemPath(externalId), { headers: key });
    return body?.marketplaceStatus === wanted;
  });

async function sellAnItem(world: CanarySystem, partner: Partner): Promise<void> {
  await push(world, partner, 'A1');
  await untilStatus(world, partner, ['A1', 'active']);
  const { adminUrl } = world.outside.marketplace;
  const { listings } = await callAdmin<{ listings: MarketplaceListing[] }>(`${adminUrl}/listings?ownReference=A1`);
  const ad = `${adminUrl}/listings/${String(listings[0]?.itemId)}`;
  // The simulated buyer's name and address of email are made of it.
  const bidder = world.recorder.plant({ name: 'a buyer', value: `kund${word()}`, isData: true });
  await callAdmin(`${ad}/bids`, 'POST', { amount: 500, bidder });
  await callAdmin(`${ad}/end`, 'POST');
  await untilStatus(world, partner, ['A1', 'sold']);
  await untilReceived(world, 'item.sold');
  await handleOrder(world, partner);
}

/** The order with its buyer is read, and sent with a number of its own. */
async function handleOrder({ recorder: { ask, plant } }: CanarySystem, { key }: Partner): Promise<void> {
  const orders = '/integration/v1/orders';
  const [order] = (await must(ask(orders, { headers: key }))).body.orders;
  const path = `${orders}/${String(order?.id)}`;
  await until('the buyer is known', async () => (await must(ask(path, { headers: key }))).body.buyer !== null);
  const trackingNumber = plant({ name: 'a tracking number', value: word(), isData: true });
  await must(ask(path, { method: 'PATCH', headers: key, body: { shipping: { trackingNumber } } }));
}

const untilReceived = ({ partners }: CanarySystem, eventType: string) =>
  until(`${eventType} was received`, async () => {
    const { received } = await callAdmin<{ received: ReceivedWebhook[] }>(`${partners.receiver.adminUrl}/received`);
    return received.some(({ body }) => body.eventType === eventType);
  });

/** Every dependency answers nonsense, errors, or not at all, while an item goes through it. */
async function breakEverything(world: CanarySystem, partner: Partner): Promise<void> {
  const { partners, outside } = world;
  const admins = [outside.marketplace, outside.ai, outside.registry, partners.images, partners.receiver];
  const faults = [
    { mode: 'status', status: 500 },
    { mode: 'drop-after' },
    { mode: 'garbage' },
    { mode: 'status', status: 401 },
  ];
  for (const [index, fault] of faults.entries()) {
    await Promise.all(admins.map(({ adminUrl }) => callAdmin(`${adminUrl}/faults`, 'POST', { ...fault, times: 2 })));
    await push(world, partner, `B${String(index)}`);
    await world.recorder.ask('/vehicles/lookup?plate=MLB84A', { headers: partner.key });
  }
  await until('every fault was met', async () => {
    const left = await Promise.all(
      admins.map(({ adminUrl }) => callAdmin<{ faults: unknown[] }>(`${adminUrl}/faults`)),
    );
    return left.every(({ faults: open }) => open.length === 0);
  }).catch(() => Promise.all(admins.map(({ adminUrl }) => callAdmin(`${adminUrl}/faults`, 'DELETE'))));
}

/** The marketplace forgets the seller's token; another one is stored; the webhook's secret is changed twice. */
async function reconnect(world: CanarySystem, partner: Partner): Promise<void> {
  const { recorder, outside } = world;
  const { ask } = recorder;
  await callAdmin(`${outside.marketplace.adminUrl}/users/seller/expire-token`, 'POST');
  await push(world, partner, 'C1');
  await until('the item waits for a token', async () => {
    const { text } = await ask(`${itemPath('C1')}/timeline`, { headers: partner.key });
    return /token|connect/i.test(text);
  });
  const body = await newMarketplaceToken(world);
  await must(ask('/partner/marketplace-connection', { method: 'PUT', headers: partner.session, body }));
  await untilStatus(world, partner, ['C1', 'active']);
  const reveals = { 'a webhook secret': ({ body: { secret } }: Reply) => ofHook(secret) };
  const rotate = `/integration/webhooks/${partner.hookId}/rotate-secret`;
  await must(ask(rotate, { method: 'POST', headers: partner.session, reveals }));
  const url = `${world.partners.receiver.url}/legacy`;
  await must(
    ask('/integration/webhook-settings', { method: 'PUT', headers: partner.session, body: { webhookUrl: url } }),
  );
  await must(
    ask('/integration/webhook-settings/rotate-secret', {
      method: 'POST',
      headers: partner.session,
      reveals: { 'the secret of the account’s URL': ({ body: { webhookSecret } }) => ofHook(webhookSecret) },
    }),
  );
  await must(ask(`/integration/webhooks/${partner.hookId}/test`, { method: 'POST', headers: partner.session }));
}

async function syncMany({ recorder }: CanarySystem, { key }: Partner): Promise<void> {
  const { ask } = recorder;
  const line = { title: 'Hjul', price: 50, imageUrls: [] };
  const lines = [...Array(20).keys()].map((n) => JSON.stringify({ ...line, externalId: `D${String(n)}` }));
  const headers = { ...key, 'content-type': 'application/x-ndjson' };
  const path = '/integration/v1/bulk-syncs';
  const body = [...lines, '{"broken'].join('\n');
  const { id } = (await must(ask(path, { method: 'POST', headers, body }))).body as { id: string };
  await until('the bulk sync has ended', async () => {
    const { body: bulk } = await ask(`${path}/${id}`, { headers: key });
    return !['pending', 'running', 'accepted', 'applying'].includes(bulk.status ?? bulk.state);
  });
  await ask('/integration/v1/items/batch', {
    method: 'POST',
    headers: key,
    body: { items: [{ ...line, externalId: 'E1' }] },
  });
}

async function buyPro({ recorder, outside }: CanarySystem, { session }: Partner): Promise<void> {
  const { ask } = recorder;
  const { adminUrl } = outside.payments;
  await callAdmin(`${adminUrl}/faults`, 'POST', { mode: 'status', status: 401, times: 1 });
  await ask('/partner/subscription/checkout', { method: 'POST', headers: session });
  await callAdmin(`${adminUrl}/faults`, 'POST', { mode: 'garbage', times: 2 });
  await ask('/partner/subscription/checkout', { method: 'POST', headers: session });
  await callAdmin(`${adminUrl}/faults`, 'DELETE');
  const checkout = await must(ask('/partner/subscription/checkout', { method: 'POST', headers: session }));
  await callAdmin(`${adminUrl}/sessions/${String(checkout.body.url).split('/').at(-1) ?? ''}/complete`, 'POST');
  await until('the account is Pro', async () => {
    const { body } = await ask('/partner/subscription', { headers: session });
    return body.isPro === true;
  });
  const forged = { 'stripe-signature': `t=1,v1=${word()}` };
  await ask('/stripe/webhook', { method: 'POST', headers: forged, body: { id: 'evt_1', type: 'invoice.paid' } });
}

/** A newcomer joins a reseller on its page, without script. */
async function joinByPage({ apiUrl, foundation, recorder }: CanarySystem): Promise<void> {
  const { ask, plant } = recorder;
  const owner = { email: `r-${randomUUID()}@example.se`, password: plant({ name: 'a password', value: word() }) };
  await must(ask('/auth/register', { method: 'POST', body: { ...owner, name: 'Bildelar' }, reveals: withDevice }));
  const slug = `r-${randomUUID().slice(0, 13)}`;
  const { store } = foundation;
  const context = { store, now: present, newId: randomUUID };
  await grantResellerAgreement(context, { email: owner.email, commissionBps: 100, slug });
  const visitor = aVisitor({ url: apiUrl });
  const headers = { origin: apiUrl };
  const page = await visitor.open(`/p/${slug}`);
  plant({ name: 'a visitor', value: visitor.cookies.get('visitor')?.value ?? '' });
  const person = { email: `m-${randomUUID()}@example.se`, password: plant({ name: 'a password', value: word() }) };
  const wrong = { ...person, password: plant({ name: 'a wrong password', value: word() }) };
  const refused = await visitor.send(page, 'sign-in', { headers, fields: wrong });
  if (refused.text.includes(wrong.password)) throw new Error('the page repeats the password');
  const joined = await visitor.send(page, 'sign-up', { headers, fields: { ...person, name: 'Verkstad' } });
  if (joined.status !== 303) throw new Error(`joining: ${String(joined.status)} ${joined.text}`);
  for (const name of ['session', 'page_device', 'refresh_token'])
    plant({ name: `a cookie ${name}`, value: cookieValueOf(visitor, name) });
  await visitor.follow(joined);
}

function cookieValueOf({ cookies }: ReturnType<typeof aVisitor>, name: string): string {
  const value = cookies.get(name)?.value ?? '';
  return value.startsWith('eyJ') ? signatureOf(value) : value;
}

/** Secrets where they don't belong: what refuses them must not repeat them. */
async function sendNonsense({ recorder }: CanarySystem, partner: Partner): Promise<void> {
  const { ask } = recorder;
  const apiKey = partner.key['x-api-key'] ?? '';
  const { email, password, session, token, key } = partner;
  const post = { method: 'POST' } as const;
  await ask('/auth/login', { ...post, body: `{"email":"${email}","password":"${password}"` });
  await ask('/auth/login', { ...post, body: { email: [password], password: { $ne: password } } });
  await ask('/auth/login', { ...post, body: [password] });
  await ask(`/integration/v1/items?api_key=${apiKey}`, { headers: key });
  await ask(`/partner/orders?access_token=${token}`, { headers: session });
  await ask(`/integration/api-keys?token=${token}`, { headers: { authorization: `Bearer ${apiKey}` } });
  await ask('/integration/v1/items', { headers: { 'x-api-key': `${apiKey}x` } });
  await ask('/integration/v1/items', { headers: { 'x-api-key': token, authorization: `Basic ${apiKey}` } });
  await ask('/partner/marketplace-connection', {
    method: 'PUT',
    headers: session,
    body: { token: 5, marketplaceUserId: password },
  });
  await ask(itemPath('F1'), {
    method: 'PUT',
    headers: key,
    body: { title: apiKey.slice(0, 10), price: 'free', secret: 'x' },
  });
  await ask('/stripe/webhook', { ...post, headers: { 'stripe-signature': password }, body: '{' });
  await ask('/partner/audit-log', { headers: session });
  await ask('/integration/webhooks', { headers: session });
  await ask('/integration/webhook-settings', { headers: session });
  await ask('/integration/webhook-deliveries', { headers: session });
  await ask('/integration/api-keys', { headers: session });
  await ask('/integration/events', { headers: key });
  await ask('/nowhere', { headers: { ...key, ...session } });
}

/** MongoDB and Temporal are gone for a moment: now the errors of drivers and clients reach the logs. */
async function loseServers({ recorder, mongod, temporal }: CanarySystem, partner: Partner): Promise<void> {
  const { ask } = recorder;
  const { email, password, key, session } = partner;
  const change = (price: number) => ask(`${itemPath('A1')}/price`, { method: 'PATCH', headers: key, body: { price } });
  await temporal.kill9();
  await ask(itemPath('G1'), { method: 'PUT', headers: key, body: { title: 'Ratt', price: 20, imageUrls: [] } });
  await temporal.restart();
  await mongod.kill9();
  await Promise.all([
    ask('/auth/login', { method: 'POST', body: { email, password } }),
    ask('/auth/refresh', { method: 'POST', headers: { cookie: `refresh_token=${word()}.${word()}` } }),
    ask('/integration/webhooks', { headers: session }),
    change(120),
  ]);
  await mongod.restart();
  await until('the service answers again', async () => (await ask(itemPath('A1'), { headers: key })).status === 200);
  await until('a login works again', async () => {
    const reply = await ask('/auth/login', {
      method: 'POST',
      body: { email, password },
      reveals: {
        'an access token': ({ body }) => signatureOf(body?.accessToken ?? `..${word()}${word()}`),
        'a refresh token': (answer) => cookieIn(answer, 'refresh_token') || word(),
        'a page session': (answer) => signatureOf(cookieIn(answer, 'session') || `..${word()}${word()}`),
        'a device token': (answer) => signatureOf(cookieIn(answer, 'device') || `..${word()}${word()}`),
        'a page device token': (answer) => signatureOf(cookieIn(answer, 'page_device') || `..${word()}${word()}`),
      },
    });
    return reply.status === 200;
  });
  await until('the item that was pushed meanwhile is settled', async () => {
    const { body } = await ask(itemPath('G1'), { headers: key });
    return body?.serviceStatus === 'active';
  });
}
