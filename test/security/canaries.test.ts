import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createLeakFinder } from './support/canaries.ts';

const value = `${randomBytes(20).toString('base64')}/+`;
const find = createLeakFinder([
  { name: 'the secret', value },
  { name: 'another', value: randomBytes(20).toString('hex') },
]);
const bytes = Buffer.from(value);

const leaks: Readonly<Record<string, string>> = {
  'as it is': `GET https://a.example/?key=${value}&x=1`,
  'its first 13 characters': `key ${value.slice(0, 13)}…`,
  'its end': `…${value.slice(-14)}`,
  'the middle of it': value.slice(2, -2),
  'in a URL': `?key=${encodeURIComponent(value)}`,
  'in hexadecimal': `0x${bytes.toString('hex')}`,
  'in upper case hexadecimal': bytes.toString('hex').toUpperCase(),
  'in base64': `Basic ${bytes.toString('base64')}`,
  'in base64url': bytes.toString('base64url'),
  'in base64 behind a user name': `Basic ${Buffer.from(`user:${value}`).toString('base64')}`,
  'in base64 behind another user name': `Basic ${Buffer.from(`me:${value}@`).toString('base64')}`,
  'in JSON in base64': Buffer.from(JSON.stringify({ nested: { value } })).toString('base64'),
  'in base64 in base64': Buffer.from(
    JSON.stringify({ data: Buffer.from(JSON.stringify([value])).toString('base64') }),
  ).toString('base64url'),
  backwards: [...value].reverse().join(''),
};

for (const [how, text] of Object.entries(leaks))
  test(`a planted secret is found ${how}`, (t) => {
    t.true(find('log', `{"msg":"before"}\n${text}\n{"msg":"after"}`).some(({ canary }) => canary === 'the secret'));
  });

test('what is shorter than 13 characters, or another secret of the same kind, is no leak', (t) => {
  t.deepEqual(
    find('log', `whsec_****${value.slice(-4)} ${value.slice(0, 12)} ${randomBytes(5_000).toString('base64')}`),
    [],
  );
});

test('a secret too short to be told from chance is refused', (t) => {
  t.throws(() => createLeakFinder([{ name: 'short', value: 'hunter2' }]), { message: /too short/ });
});
