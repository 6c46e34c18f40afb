import { hash, verify } from '@node-rs/argon2';
import test from 'ava';
import { Refusal } from '../../features/rules/errors.ts';
import { createPasswords, isOutdatedHash, passwords } from '../../platform/security/password.ts';
import { aGate } from '../support/a-gate.ts';

test('the right password verifies and another does not', async (t) => {
  const stored = await passwords.hash('correct horse');
  t.true(await passwords.verify(stored, 'correct horse'));
  t.false(await passwords.verify(stored, 'correct horsf'));
});

// specification: passwords-are-hashed-with
test('passwords are stored as argon2id with the intended cost and a salt of their own', async (t) => {
  const [one, two] = await Promise.all([passwords.hash('same'), passwords.hash('same')]);
  t.regex(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  t.not(one, two);
});

test('a password typed with decomposed letters is the same password', async (t) => {
  t.true(await passwords.verify(await passwords.hash('r\u00e4ksm\u00f6rg\u00e5s'), 'ra\u0308ksmo\u0308rga\u030as'));
});

// specification: unknown-email-and-wrong
test('an unknown user costs the same work as a known one with a wrong password, and never gets in', async (t) => {
  const work: string[] = [];
  const counted = createPasswords({
    hash,
    verify: (stored, password) => {
      work.push(stored.split('$').slice(0, 4).join('$'));
      return verify(stored, password);
    },
  });
  const stored = await counted.hash('x');
  t.false(await counted.verify(stored, 'wrong'));
  t.false(await counted.verify(undefined, 'wrong'));
  t.deepEqual(work, ['$argon2id$v=19$m=19456,t=2,p=1', '$argon2id$v=19$m=19456,t=2,p=1']);
});

test('the work for an unknown user is real: a decoy of the current cost is verified, once for each try', async (t) => {
  const verified: string[] = [];
  const counted = createPasswords({
    hash,
    verify: (stored, password) => {
      verified.push(stored);
      return verify(stored, password);
    },
  });
  const stored = await counted.hash('x');
  t.false(await counted.verify(stored, 'wrong'));
  t.false(await counted.verify(undefined, 'wrong'));
  t.false(await counted.verify(undefined, 'wrong'));
  t.is(verified.length, 3);
  const [known, ...decoys] = verified.map((hashed) => hashed.split('$').slice(0, 4).join('$'));
  t.deepEqual(decoys, [known, known]);
  t.not(verified[1], stored);
});

// specification: passwords-are-hashed-with
test('of many passwords at once two are worked on, 200 wait, and the others are asked to come again', async (t) => {
  let running = 0;
  let most = 0;
  const gate = aGate();
  const slow = createPasswords({
    hash: () => Promise.resolve('decoy'),
    verify: async () => {
      running += 1;
      most = Math.max(most, running);
      await gate.opened;
      running -= 1;
      return true;
    },
  });
  const results = Array.from({ length: 300 }, () => slow.verify('stored', 'x').catch((error: unknown) => error));
  await Promise.race(results);
  gate.open();
  const ended = await Promise.all(results);
  const refused = ended.filter((end) => end instanceof Refusal);
  t.is(most, 2);
  t.is(refused.length, 98);
  t.true(refused.every((refusal) => refusal.code === 'UNAVAILABLE' && (refusal.retryAfterSeconds ?? 0) > 0));
});

test('of those who wait a known caller is next, and its place is not taken by strangers', async (t) => {
  const order: string[] = [];
  const gate = aGate();
  const slow = createPasswords({
    hash: () => Promise.resolve('decoy'),
    verify: async (_stored, password) => {
      await gate.opened;
      order.push(password);
      return true;
    },
  });
  const strangers = Array.from({ length: 300 }, () => slow.verify('stored', 'stranger').catch(() => undefined));
  await Promise.race(strangers);
  const known = slow.verify('stored', 'known', 'known');
  gate.open();
  t.true(await known);
  await Promise.all(strangers);
  t.true(order.indexOf('known') <= 2, String(order.indexOf('known')));
});

test('a hash made with other parameters is outdated, one made now is not', async (t) => {
  t.false(isOutdatedHash(await passwords.hash('x')));
  t.true(isOutdatedHash(await hash('x', { memoryCost: 8_192, timeCost: 1, parallelism: 1 })));
  t.true(isOutdatedHash((await passwords.hash('x')).replace('argon2id', 'argon2i')));
});
