import test from 'ava';
import { loadConfig, loadWorkerConfig, type Config } from '../../compose/config.ts';
import { ConfigError } from '../../compose/read-settings.ts';

const safe = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://items.example.com',
  TRUSTED_PROXIES: 'uniquelocal',
  MONGODB_URI: 'mongodb://127.0.0.1',
  MARKETPLACE_URL: 'https://marketplace.example',
  MARKETPLACE_APP_ID: '1',
  MARKETPLACE_APP_KEY: 'a key',
  JWT_KEYS: 'k1:secret',
  ENCRYPTION_KEYS: 'k1:secret',
};
const load = (settings: Record<string, string>): Config => loadConfig({ ...safe, ...settings });

const insecure: readonly (readonly [settings: Record<string, string>, toSet: RegExp])[] = [
  [{ PUBLIC_URL: 'http://items.example.com' }, /PUBLIC_URL must begin with https:\/\//],
  [{ MARKETPLACE_APP_KEY: 'replace-me' }, /MARKETPLACE_APP_KEY still has the placeholder replace-me/],
  [{ AI_URL: 'https://ai.example', AI_MODEL: 'm', AI_API_KEY: 'replace-me' }, /AI_API_KEY still has/],
  [{ VEHICLE_REGISTRY: 'tic', VEHICLE_REGISTRY_API_KEY: 'replace-me' }, /VEHICLE_REGISTRY_API_KEY still/],
  [{ STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'replace-me' }, /STRIPE_WEBHOOK_SECRET still has/],
  [{ IMAGES_PUBLIC_URL: 'http://cdn.example.com' }, /IMAGES_PUBLIC_URL must begin with https:\/\//],
  [{ ALLOW_PRIVATE_NETWORKS: 'true' }, /ALLOW_PRIVATE_NETWORKS must be false/],
  [
    { SANDBOX_MARKETPLACE_URL: 'https://Marketplace.example:443/' },
    /SANDBOX_MARKETPLACE_URL must not be MARKETPLACE_URL/,
  ],
  [{ RATE_LIMITS: 'off' }, /RATE_LIMITS must be on/],
  [{ TRUSTED_PROXIES: '' }, /TRUSTED_PROXIES must name the proxies in front of the API, or be none/],
];

for (const [settings, toSet] of insecure)
  test(`production does not start, and says what to set: ${Object.entries(settings).join(' ')}`, (t) => {
    const error = t.throws(() => load(settings), { instanceOf: ConfigError });
    t.regex(error.message, toSet);
    t.notThrows(() => load({ ...settings, NODE_ENV: 'test' }));
    t.notThrows(() => load({ ...settings, PUBLIC_URL: 'http://127.0.0.1:3000' }), 'nobody else reaches it');
  });

test('all that is insecure is told at once', (t) => {
  const all = Object.assign({}, ...insecure.map(([settings]) => settings)) as Record<string, string>;
  const { message } = t.throws(() => load(all), { instanceOf: ConfigError });
  for (const [, toSet] of insecure) t.regex(message, toSet);
});

test('"none" says that there is no proxy, and only alone', (t) => {
  t.deepEqual(load({ TRUSTED_PROXIES: 'none' }).trustedProxies, []);
  t.throws(() => load({ TRUSTED_PROXIES: 'none,loopback' }), { instanceOf: ConfigError });
});

test('keys of services that are not used may be placeholders', (t) => {
  t.notThrows(() => load({ AI_API_KEY: 'replace-me', VEHICLE_REGISTRY_API_KEY: 'replace-me' }));
});

test('a worker reads neither the signing keys of sessions nor the secret of payment events', (t) => {
  const unreadable = { JWT_KEYS_FILE: '/nowhere/jwt_keys', STRIPE_WEBHOOK_SECRET_FILE: '/nowhere/stripe' };
  const config = loadWorkerConfig({ ...safe, ...unreadable, STRIPE_SECRET_KEY: 'sk_1' });
  t.deepEqual(config.secrets.jwtKeys, []);
  t.deepEqual(config.payments.webhookSecrets, []);
  t.is(config.payments.secretKey, 'sk_1');
});
