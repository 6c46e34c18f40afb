import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createEncryption } from '../../platform/security/encryption.ts';
import { createSessionTokens } from '../../platform/security/signed-token.ts';
import { loadConfig } from '../../compose/config.ts';
import { runItembridge } from '../cli/support/run-itembridge.ts';

const secret = randomBytes(24).toString('base64url');
const whole = {
  MONGODB_URI: `mongodb://service:${secret}@127.0.0.1/`,
  MARKETPLACE_URL: 'https://marketplace.example',
  MARKETPLACE_APP_ID: '1',
  MARKETPLACE_APP_KEY: secret,
  JWT_KEYS: `k1:${secret}`,
  ENCRYPTION_KEYS: `k1:${secret}`,
  VEHICLE_REGISTRY_API_KEY: secret,
  STRIPE_SECRET_KEY: secret,
  STRIPE_WEBHOOK_SECRET: secret,
};

const slips: Readonly<Record<string, Record<string, string>>> = {
  'keys without an id': { JWT_KEYS: secret, ENCRYPTION_KEYS: secret },
  'keys with an empty id': { JWT_KEYS: `:${secret}`, ENCRYPTION_KEYS: `:${secret}` },
  'another setting that is wrong': { API_PORT: 'eighty', PUBLIC_URL: 'nowhere', PLATFORM_FEE_BPS: '10001' },
  'what is missing': { MARKETPLACE_URL: '', MONGODB_DATABASE: '' },
};

for (const [what, slip] of Object.entries(slips))
  test(`a configuration is refused without showing a secret: ${what}`, (t) => {
    const { message } = t.throws(() => loadConfig({ ...whole, ...slip }));
    for (let at = 0; at + 8 <= secret.length; at += 1) t.false(message.includes(secret.slice(at, at + 8)), message);
  });

test('keys that are too weak are refused at start, without showing them', (t) => {
  for (const start of [createSessionTokens, createEncryption]) {
    const { message } = t.throws(() => start([{ id: 'k1', secret: secret.slice(0, 20) }]));
    t.false(message.includes(secret.slice(0, 8)));
  }
});

test("a database's password is refused as an argument, which every user of the machine can read", async (t) => {
  const uri = `mongodb://service:${secret}@127.0.0.1:1/`;
  const { code, stdout, stderr } = await runItembridge([
    'revoke-operator',
    'someone@example.com',
    '--mongodb-uri',
    uri,
  ]);
  t.is(code, 2, stderr);
  t.regex(stderr, /MONGODB_URI or --mongodb-uri-file/);
  t.false(`${stdout}${stderr}`.includes(secret));
});
