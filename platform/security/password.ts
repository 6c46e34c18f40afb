import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { Refusal } from '../../features/rules/errors.ts';

/** OWASP's first choice for argon2id (the library's default algorithm): 19 MiB, 2 passes, 1 lane. About 20 ms of CPU. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The hash functions, replaceable so that a test can count calls. */
export interface PasswordEngine {
  hash(password: string | Uint8Array, options: typeof cost): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
}

export interface Passwords {
  /** Argon2id hash in its own encoded form, salt and cost included. */
  hash(password: string, who?: PasswordCaller): Promise<string>;
  /**
   * True when `password` belongs to `storedHash`. Pass `undefined` for an unknown user: the same work is done and the
   * result is false, so that the response time does not reveal which accounts exist. Known callers come before
   * strangers.
   */
  verify(storedHash: string | undefined, password: string, who?: PasswordCaller): Promise<boolean>;
}

/** `known`: a device cookie or a session proves an earlier sign-in of this caller to the account. */
export type PasswordCaller = 'known' | 'stranger';

/** libuv has 4 threads. Two stay free for files and look-ups while many users sign in at once. */
const atOnce = 2;
/** About two seconds of work. A later caller would get its answer too late, so it is refused at once. */
const waitingMax = 200;
const retryAfterSeconds = 2;

/** Throws {@link Refusal} UNAVAILABLE when too many passwords wait to be worked on. */
export function createPasswords(engine: PasswordEngine = { hash, verify }): Passwords {
  const places = pLimit(atOnce);
  // At most `atOnce` strangers are in the queue for the slots, so a known caller waits for no more than these.
  const strangers = pLimit(atOnce);
  let decoyHash: Promise<string> | undefined;
  const work = <Result>(who: PasswordCaller, task: () => Promise<Result>): Promise<Result> => {
    const isKnown = who === 'known';
    if ((isKnown ? places : strangers).pendingCount < waitingMax)
      return isKnown ? places(task) : strangers(() => places(task));
    throw new Refusal('UNAVAILABLE', 'Too many are signing in at the moment; try again', { retryAfterSeconds });
  };
  return {
    hash: async (password, who = 'stranger') => work(who, () => engine.hash(normalised(password), cost)),
    async verify(storedHash, password, who = 'stranger') {
      // Made at the first call for either kind of user, so its time does not reveal which kind it was.
      decoyHash ??= engine.hash(randomBytes(32), cost).catch((error: unknown) => {
        decoyHash = undefined;
        throw error;
      });
      const decoy = await decoyHash;
      const matches = await work(who, () => engine.verify(storedHash ?? decoy, normalised(password)));
      return storedHash !== undefined && matches;
    },
  };
}

/** One instance for the whole process, because it bounds the use of the process's threads. */
export const passwords = createPasswords();

/** Whether a hash was made with other parameters than the present ones. */
export const isOutdatedHash = (storedHash: string): boolean => !storedHash.startsWith(currentPrefix);

const currentPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** The same password typed on two systems may arrive composed or decomposed (`å`). */
const normalised = (password: string): string => password.normalize('NFKC');
