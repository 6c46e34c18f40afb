import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createEncryption, DecryptionFailed, type EncryptionKey } from '../../platform/security/encryption.ts';

const aKey = (id: string): EncryptionKey => ({ id, secret: randomBytes(32).toString('base64') });
const oldKey = aKey('2025');
const newKey = aKey('2026-a');

test('what was encrypted decrypts in the same place', (t) => {
  const encryption = createEncryption([newKey]);
  const encrypted = encryption.encrypt('förtroligt', 'connection:1');
  t.regex(encrypted, /^v1\.2026-a\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/);
  t.is(encryption.decrypt(encrypted, 'connection:1'), 'förtroligt');
});

test('the same text never encrypts to the same ciphertext', (t) => {
  const encryption = createEncryption([newKey]);
  t.not(encryption.encrypt('x', 'p'), encryption.encrypt('x', 'p'));
});

test('a ciphertext moved to another place does not decrypt', (t) => {
  const encryption = createEncryption([newKey]);
  t.throws(() => encryption.decrypt(encryption.encrypt('x', 'connection:1'), 'connection:2'), {
    instanceOf: DecryptionFailed,
  });
});

test('after a rotation old ciphertexts decrypt, are known as outdated, and new ones use the new key', (t) => {
  const encrypted = createEncryption([oldKey]).encrypt('x', 'p');
  const rotated = createEncryption([newKey, oldKey]);
  t.is(rotated.decrypt(encrypted, 'p'), 'x');
  t.true(rotated.isOutdated(encrypted));
  t.false(rotated.isOutdated(rotated.encrypt('x', 'p')));
});

test('a ciphertext of a key that was taken out fails, as does another key under the same id', (t) => {
  const encrypted = createEncryption([oldKey]).encrypt('x', 'p');
  t.throws(() => createEncryption([newKey]).decrypt(encrypted, 'p'), { instanceOf: DecryptionFailed });
  t.throws(() => createEncryption([aKey('2025')]).decrypt(encrypted, 'p'), { instanceOf: DecryptionFailed });
});

test('every changed character of a ciphertext is noticed', (t) => {
  const encryption = createEncryption([newKey]);
  const encrypted = encryption.encrypt('some secret text', 'p');
  for (let at = 0; at < encrypted.length; at += 1) {
    const other = encrypted[at] === 'A' ? 'Q' : 'A';
    const changed = encrypted.slice(0, at) + other + encrypted.slice(at + 1);
    t.throws(() => encryption.decrypt(changed, 'p'), { instanceOf: DecryptionFailed }, `at ${at}`);
  }
});

test('a shortened authentication tag and other versions are refused', (t) => {
  const encryption = createEncryption([newKey]);
  const [, id, iv, tag, data] = encryption.encrypt('x', 'p').split('.');
  for (const bad of [
    `v1.${id}.${iv}.${tag?.slice(0, 6)}.${data}`,
    `v2.${id}.${iv}.${tag}.${data}`,
    '',
    'v1',
    `v1.${id}.${iv}.${tag}`,
  ])
    t.throws(() => encryption.decrypt(bad, 'p'), { instanceOf: DecryptionFailed }, bad);
});

test('keys that are no 32 bytes, and no keys at all, are refused at start without showing them', (t) => {
  t.throws(() => createEncryption([]), { message: /at least one/ });
  const error = t.throws(() => createEncryption([{ id: 'k', secret: 'c2hvcnQ=' }]));
  t.false(error.message.includes('c2hvcnQ='));
  t.throws(() => createEncryption([{ ...newKey, id: 'a.b' }]));
});
