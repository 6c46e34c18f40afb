import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id (the library's default algorithm): 19 MiB, 2 passes, 1 lane. About 20 ms of CPU. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoyHash: Promise<string> | undefined;

/** Argon2id hash in its own encoded form, salt and cost included. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalised(password), cost);
}

/**
 * True when `password` belongs to `storedHash`. Pass `undefined` for an unknown user: it does the same work and says no,
 * so that the time an answer takes does not tell who has an account.
 */
export async function verifyPassword(storedHash: string | undefined, password: string): Promise<boolean> {
  decoyHash ??= hash(randomBytes(32), cost);
  const decoy = await decoyHash;
  const matches = await verify(storedHash ?? decoy, normalised(password));
  return storedHash !== undefined && matches;
}

/** The same password typed on two systems may arrive composed or decomposed (`å`). */
const normalised = (password: string): string => password.normalize('NFKC');
