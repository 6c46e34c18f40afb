import { createHash } from 'node:crypto';
import test from 'ava';
import { apiKeyModeOf, apiKeyPrefix, hashApiKey, isApiKeyForm, newApiKey } from '../../platform/security/api-key.ts';

test('every new key says its mode, has the one form of it, and no two are the same', (t) => {
  for (const [mode, form] of [
    ['live', /^sk_live_[0-9A-Za-z]{43}$/],
    ['test', /^sk_test_[0-9A-Za-z]{43}$/],
  ] as const) {
    const keys = Array.from({ length: 500 }, () => newApiKey(mode));
    t.true(keys.every((key) => form.test(key) && isApiKeyForm(key)));
    t.true(keys.every((key) => apiKeyModeOf(key) === mode && apiKeyModeOf(apiKeyPrefix(key)) === mode));
    t.is(new Set(keys).size, 500);
  }
});

test('what is no key of ours is told apart without a look-up', (t) => {
  const key = newApiKey('live');
  for (const other of [
    '',
    'sk_live_',
    key.slice(1),
    `${key}a`,
    `${key}\n`,
    key.replace('live', 'tests'),
    key.replace('live', 'lost'),
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
  ])
    t.false(isApiKeyForm(other), other);
});

test('the stored form is the SHA-256 of the key in hex', (t) => {
  const key = newApiKey('live');
  t.is(hashApiKey(key), createHash('sha256').update(key).digest('hex'));
});

test('the display prefix gives away 6 of the 43 random characters', (t) => {
  const key = newApiKey('live');
  t.is(apiKeyPrefix(key), key.slice(0, 14));
});
