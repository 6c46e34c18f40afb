import test from 'ava';
import { loadMarketplaceConfig } from '../../compose/config.ts';
import { marketplaceSettings, whyNoMarketplace } from '../../embedded/marketplace.ts';
import { usedSimulators } from '../../embedded/vehicle-registry.ts';
import { startMarketplaceSimulator } from '../../simulators/marketplace/start-marketplace-simulator.ts';
import { StartedSystem, until } from './support/started-system.ts';

const simulator = { url: 'http://127.0.0.1:4010', adminUrl: 'http://127.0.0.1:4010/admin' };
const simulators = {
  marketplace: simulator,
  payments: simulator,
  ai: simulator,
  images: simulator,
  webhookReceiver: simulator,
  mail: { ...simulator, smtpUrl: 'smtp://127.0.0.1:4017' },
  vehicleRegistry: simulator,
};
const application = { appId: '5001', appKey: 'ours', publicKey: 'public' };
const other = { MARKETPLACE_URL: 'http://127.0.0.1:9999', MARKETPLACE_APP_ID: '7', MARKETPLACE_APP_KEY: 'theirs' };

/** What the product and the ready file make of a user's environment. */
const started = (environment: Readonly<Record<string, string>>) => {
  const settings = { ...environment, ...marketplaceSettings(environment, { url: simulator.url, application }) };
  const { SANDBOX_MARKETPLACE_URL: sandbox } = settings as Record<string, string | undefined>;
  return {
    marketplace: loadMarketplaceConfig({}, settings),
    sandbox,
    ready: usedSimulators(simulators, settings).marketplace,
  };
};

test('the simulator is the marketplace, and every key is a test key', (t) => {
  const { marketplace, sandbox, ready } = started({});
  t.like(marketplace, { url: simulator.url, ...application, lookIntervalMs: 2000, callsPerDay: 1_000_000 });
  t.is(marketplace.adUrlTemplate, `${simulator.url}/item/{adId}`);
  t.is(sandbox, simulator.url);
  t.deepEqual(ready, { ...simulator, appId: '5001', appKey: 'ours' });
});

test('a marketplace that the environment names takes its place: keys act on it, and the ready file has no simulator of it', (t) => {
  const { marketplace, sandbox, ready } = started(other);
  t.like(marketplace, { url: other.MARKETPLACE_URL, appId: '7', appKey: 'theirs', lookIntervalMs: 2000 });
  t.is(sandbox, undefined);
  t.is(ready, undefined);
});

test('a marketplace beyond this machine is looked at as its calls allow, not every two seconds', (t) => {
  const { marketplace } = started({ ...other, MARKETPLACE_URL: 'https://marketplace.example.com' });
  t.like(marketplace, { lookIntervalMs: 300_000, callsPerDay: 100 });
});

test('what is missing is said before anything starts', (t) => {
  t.is(whyNoMarketplace({}), null);
  t.is(whyNoMarketplace({ ...other, MARKETPLACE_APP_KEY: '', MARKETPLACE_APP_KEY_FILE: '/run/key' }), null);
  const { MARKETPLACE_URL } = other;
  t.regex(whyNoMarketplace({ MARKETPLACE_URL }) ?? '', /MARKETPLACE_APP_ID and MARKETPLACE_APP_KEY/);
});

test('a marketplace beyond this machine is refused', async (t) => {
  const environment = { ...other, MARKETPLACE_URL: 'https://marketplace.example.com' };
  const system = await StartedSystem.launch({ environment });
  t.teardown(() => system.discard());
  t.not(await system.exited, 0);
  t.regex(system.output, /MARKETPLACE_URL is not on this machine[^]*--real-marketplace/);
});

test('the whole system publishes at the marketplace that the environment names, for accounts that were connected by hand', async (t) => {
  t.timeout(600_000);
  const market = await startMarketplaceSimulator({ application: { appId: '7', appKey: 'theirs' } });
  t.teardown(() => market.close());
  const system = await StartedSystem.launch({ environment: { ...other, MARKETPLACE_URL: market.url } });
  t.teardown(() => system.discard());
  const ready = await system.ready();
  t.true(system.output.includes(`the marketplace is ${market.url}`));
  t.false('marketplace' in ready.simulators);
  const [{ email, password, apiKey } = { email: '', password: '', apiKey: '' }] = ready.accounts;
  let authorization = '';
  const call = async (route: string, sent?: object): Promise<Record<string, unknown>> => {
    const [method = '', path = ''] = route.split(' ');
    const headers = { 'x-api-key': apiKey, authorization, 'content-type': 'application/json' };
    const url = path.startsWith('/') ? ready.apiUrl + path : path;
    const answer = await fetch(url, { method, headers, ...(sent && { body: JSON.stringify(sent) }) });
    return (await answer.json()) as Record<string, unknown>;
  };
  authorization = `Bearer ${String((await call('POST /auth/login', { email, password }))['accessToken'])}`;
  const { token } = await call(`POST ${market.adminUrl}/users`, { userId: '77' });
  await call('PUT /partner/marketplace-connection', { marketplaceUserId: '77', token });
  const imageUrls = [`${ready.simulators.images.url}/kaffekanna-1.webp`];
  await call('PUT /integration/v1/items/A1', { title: 'Kanna', price: 149, imageUrls, autoPublishTradera: true });
  const item = await until(
    async () => {
      const read = await call('GET /integration/v1/items/A1');
      return read['marketplaceStatus'] === 'active' ? read : undefined;
    },
    { what: 'the auction' },
  );
  t.true(String(item['marketplaceAdUrl']).startsWith(`${market.url}/item/`));
  await system.stop();
  const again = await StartedSystem.launch({ home: system.home });
  t.teardown(() => again.discard());
  t.not(await again.exited, 0);
  t.regex(again.output, new RegExp(`the data here are of ${market.url}[^]*--fresh`));
});
