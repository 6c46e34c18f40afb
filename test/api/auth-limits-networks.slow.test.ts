import { randomUUID } from 'node:crypto';
import test from 'ava';
import { signIn } from '../support/a-browser.ts';
import { withApiWorld, type Reply } from '../support/api-world.ts';

const behindProxy = withApiWorld(test, {
  signIn: { loginsPerAddress: 2, registrationsPerAddress: 2 },
  trustedProxies: ['loopback'],
});
const guessed = withApiWorld(test, { signIn: { loginsPerAddress: 20, wrongLogins: 3 }, trustedProxies: ['loopback'] });

const password = 'correct horse battery';
const newEmail = (): string => `${randomUUID()}@example.se`;

/** Of 20 networks around, each of which calls once: none meets its own limit. */
const neighboursOf = (network: string): string[] => Array.from({ length: 20 }, (_, n) => `${network}:${n}::1`);
const fromEach = (addresses: readonly string[], call: (address: string) => Promise<Reply>): Promise<number[]> =>
  Promise.all(addresses.map(async (address) => (await call(address)).status));

test('login 429: the networks of one /48 have eight times the attempts of one, however many they are', async (t) => {
  const statuses = await fromEach(neighboursOf('2001:db8:1'), async (address) => {
    const body = { email: newEmail(), password: 'a wrong password' };
    return behindProxy().call('POST', '/auth/login', { body, headers: { 'x-forwarded-for': address } });
  });
  t.is(statuses.filter((status) => status === 401).length, 16);
  t.is(statuses.filter((status) => status === 429).length, 4);
});

test('register 429: the networks of one /48 have eight times the accounts of one, however many they are', async (t) => {
  const statuses = await fromEach(neighboursOf('2001:db8:2'), async (address) => {
    const body = { email: newEmail(), password, name: 'A' };
    return behindProxy().call('POST', '/auth/register', { body, headers: { 'x-forwarded-for': address } });
  });
  t.is(statuses.filter((status) => status === 201).length, 16);
  t.is(statuses.filter((status) => status === 429).length, 4);
});

test('login: after many wrong ones from anywhere a stranger has a tenth of its attempts, a known browser all of them', async (t) => {
  const person = await guessed().account();
  const { device } = await signIn(guessed(), person);
  const from = (address: string, wish: { email?: string; cookie?: string; password?: string } = {}) => {
    const { email = newEmail(), cookie, password: word = 'a wrong password' } = wish;
    const headers = { 'x-forwarded-for': address, ...(cookie !== undefined && { cookie }) };
    return guessed().call('POST', '/auth/login', { body: { email, password: word }, headers });
  };
  for (let n = 0; n < 4; n += 1) t.is((await from(`203.0.113.${n}`)).status, 401);
  const stranger = [];
  for (let n = 0; n < 3; n += 1) stranger.push((await from('198.51.100.1')).status);
  t.deepEqual(stranger, [401, 401, 429]);
  const known = [];
  const cookie = `device=${device}`;
  for (let n = 0; n < 5; n += 1) known.push((await from('198.51.100.2', { email: person.email, cookie })).status);
  t.deepEqual(known, [401, 401, 401, 401, 401]);
});
