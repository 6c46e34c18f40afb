import test from 'ava';
import { loadConfig, type Config } from '../../compose/config.ts';
import { ConfigError } from '../../compose/read-settings.ts';

const load = (fee?: string, more: Record<string, string> = {}): Config =>
  loadConfig({
    ...more,
    MONGODB_URI: 'mongodb://127.0.0.1',
    MARKETPLACE_URL: 'http://127.0.0.1',
    MARKETPLACE_APP_ID: '1',
    MARKETPLACE_APP_KEY: 'key',
    JWT_KEYS: 'k1:secret',
    ENCRYPTION_KEYS: 'k1:secret',
    PLATFORM_FEE_BPS: fee,
  });

test('each of several API processes has its part of the limits of calls', (t) => {
  const limits = { RATE_LIMIT_KEY_BURST: '30', RATE_LIMIT_KEY_PER_SECOND: '10' };
  const { rateLimits } = load(undefined, { ...limits, API_PROCESSES: '4' });
  t.deepEqual([rateLimits?.key, rateLimits?.member], [{ burst: 8, perSecond: 2.5 }, { burst: 4, perSecond: 1.25 }]);
  t.deepEqual(load(undefined, limits).rateLimits?.key, { burst: 30, perSecond: 10 });
});

test('the platform takes nothing, 5 % when nobody says, or all at most', (t) => {
  t.deepEqual(
    [undefined, '0', '10000'].map((fee) => load(fee).platformFeeBps),
    [500, 0, 10_000],
  );
});

for (const fee of ['10001', '99999999999999999999', '-1', '2.5', '1e2'])
  test(`a platform fee of ${fee} is refused at start`, (t) => {
    t.throws(() => load(fee), { instanceOf: ConfigError, message: /^configuration: PLATFORM_FEE_BPS must be [^;]*$/ });
  });

test('a file of a setting that cannot be read is refused at start, by the name of the setting', (t) => {
  const keys = { JWT_KEYS: 'k1:secret', ENCRYPTION_KEYS: 'k1:secret', MARKETPLACE_APP_KEY: 'key' };
  const addresses = {
    MONGODB_URI: 'mongodb://127.0.0.1',
    MARKETPLACE_URL: 'http://127.0.0.1',
    MARKETPLACE_APP_ID: '1',
  };
  // What follows from a missing value is not named: half of a pair, or a comparison with it.
  for (const [name, others] of [
    ['MARKETPLACE_URL', {}],
    ['S3_ACCESS_KEY_ID', { IMAGE_STORE: 's3', S3_SECRET_ACCESS_KEY: 'secret', S3_BUCKET: 'images' }],
  ] as const)
    t.throws(() => loadConfig({ ...keys, ...addresses, ...others, [`${name}_FILE`]: '/nowhere/file' }), {
      instanceOf: ConfigError,
      message: new RegExp(`^configuration: ${name}_FILE cannot be read: ENOENT[^;]*$`),
    });
});
