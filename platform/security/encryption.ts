import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** `secret` is the base64 of 32 bytes; `id` is written into every ciphertext, so it must never be reused for another key. */
export interface EncryptionKey {
  readonly id: string;
  readonly secret: string;
}

/** Has no cause, so that a wrong key, a wrong place and tampering can't be told apart. */
export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed';
  constructor() {
    super('stored secret could not be decrypted');
  }
}

/** `place` names where the ciphertext is stored (`connection:<account id>`): moved to another place it no longer decrypts. */
export interface Encryption {
  /** → `v1.<key id>.<iv>.<tag>.<data>`, the last three in base64url. */
  encrypt(plain: string, place: string): string;
  /** Throws {@link DecryptionFailed}. */
  decrypt(encrypted: string, place: string): string;
  /** True when it was encrypted with a key that is no longer the newest. */
  isOutdated(encrypted: string): boolean;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const version = 'v1';

/** AES-256-GCM. `keys` newest first: the first encrypts, all decrypt. Throws when a key is malformed. */
export function createEncryption(keys: readonly EncryptionKey[]): Encryption {
  const [newest] = keys;
  if (newest === undefined) throw new Error('encryption needs at least one key');
  const keyById = new Map(keys.map((key) => [key.id, keyBytes(key)]));
  const newestBytes = keyBytes(newest);
  return {
    encrypt(plain, place) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, newestBytes, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(place));
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [version, newest.id, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join(
        '.',
      );
    },
    decrypt(encrypted, place) {
      const { keyId, iv, tag, data } = parse(encrypted);
      const key = keyById.get(keyId);
      if (key === undefined) throw new DecryptionFailed();
      try {
        const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
          .setAAD(Buffer.from(place))
          .setAuthTag(tag);
        return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
      } catch {
        throw new DecryptionFailed();
      }
    },
    isOutdated: (encrypted) => parse(encrypted).keyId !== newest.id,
  };
}

/** Id of the key that encrypted it; undefined when the text is no ciphertext of ours. Needs no key. */
export function keyIdOf(encrypted: string): string | undefined {
  try {
    return parse(encrypted).keyId;
  } catch {
    return undefined;
  }
}

function keyBytes(key: EncryptionKey): Buffer {
  const bytes = Buffer.from(key.secret, 'base64');
  if (!/^[\w-]+$/.test(key.id)) throw new Error('an encryption key id may hold letters, digits, _ and -');
  if (bytes.length !== 32) throw new Error(`encryption key ${key.id} must be the base64 of 32 bytes`);
  return bytes;
}

function parse(encrypted: string): { keyId: string; iv: Buffer; tag: Buffer; data: Buffer } {
  const parts = encrypted.split('.');
  const [found, keyId, iv, tag, data] = parts;
  if (parts.length !== 5 || found !== version || keyId === undefined) throw new DecryptionFailed();
  const bytes = { iv: decode(iv), tag: decode(tag), data: decode(data) };
  if (bytes.iv.length !== ivBytes || bytes.tag.length !== tagBytes) throw new DecryptionFailed();
  return { keyId, ...bytes };
}

const decode = (part: string | undefined): Buffer => Buffer.from(part ?? '', 'base64url');
