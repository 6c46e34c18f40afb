import { createHash } from 'node:crypto';
import test from 'ava';
import { apiKeyPrefix, hashApiKey, isApiKeyForm, newApiKey } from '../../security/api-key.ts';

test('every new key has the one form and no two are the same', (t) => {
  const keys = Array.from({ length: 500 }, newApiKey);
  t.true(keys.every((key) => /^sk_live_[0-9A-Za-z]{43}$/.test(key) && isApiKeyForm(key)));
  t.is(new Set(keys).size, 500);
});

test('what is no key of ours is told apart without a look-up', (t) => {
  const key = newApiKey();
  for (const other of [
    '',
    'sk_live_',
    key.slice(1),
    `${key}a`,
    `${key}\n`,
    key.replace('live', 'test'),
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
  ])
    t.false(isApiKeyForm(other), other);
});

test('the stored form is the SHA-256 of the key in hex', (t) => {
  const key = newApiKey();
  t.is(hashApiKey(key), createHash('sha256').update(key).digest('hex'));
});

test('the display prefix gives away 6 of the 43 random characters', (t) => {
  const key = newApiKey();
  t.is(apiKeyPrefix(key), key.slice(0, 14));
});
