import test from 'ava';
import { hashPassword, verifyPassword } from '../../security/password.ts';

test('the right password verifies and another does not', async (t) => {
  const stored = await hashPassword('correct horse');
  t.true(await verifyPassword(stored, 'correct horse'));
  t.false(await verifyPassword(stored, 'correct horsf'));
});

test('passwords are stored as argon2id with the intended cost and a salt of their own', async (t) => {
  const [one, two] = await Promise.all([hashPassword('same'), hashPassword('same')]);
  t.regex(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  t.not(one, two);
});

test('a password typed with decomposed letters is the same password', async (t) => {
  t.true(await verifyPassword(await hashPassword('r\u00e4ksm\u00f6rg\u00e5s'), 'ra\u0308ksmo\u0308rga\u030as'));
});

test('an unknown user costs as much work as a known one, and never gets in', async (t) => {
  const stored = await hashPassword('x');
  await verifyPassword(undefined, 'warm up');
  const cpuMs = async (hash: string | undefined): Promise<number> => {
    const before = process.cpuUsage();
    for (let i = 0; i < 5; i += 1) t.false(await verifyPassword(hash, 'wrong'));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const known = await cpuMs(stored);
  const unknown = await cpuMs(undefined);
  t.true(unknown > known / 2 && unknown < known * 2, `${unknown} ms against ${known} ms`);
});
