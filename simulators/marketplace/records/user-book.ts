import { randomUUID } from 'node:crypto';
import { badRequest } from '../wire/refusals.ts';

export interface Token {
  readonly token: string;
  /** Milliseconds of the simulated clock. */
  readonly expiresAt: number;
}

export interface User {
  /** As the user was named at first: a number as text, or a name, which tests and the sandbox may give. */
  readonly userId: string;
  /** The int32 that stands for the user in every answer. */
  readonly number: number;
  /** A new or unproven seller, who may put up plain auctions alone. */
  readonly isRestricted: boolean;
  /** Newest last. */
  readonly tokens: readonly Token[];
  /** Registered by the login page and not yet exchanged for a token. */
  readonly secretKeys: readonly string[];
}

export type UserChange = { readonly type: 'user'; readonly value: User };

export const int32Max = 2_147_483_647;
const firstNumberOfNames = 3_000_001;
const tokensKept = 20;

/** The marketplace's users with their tokens. */
export class UserBook {
  readonly #users = new Map<string, User>();
  readonly #byNumber = new Map<number, User>();
  readonly #tokenLifeMs: number;
  readonly #onChange: (change: UserChange) => void;

  constructor(tokenLifeMs: number, onChange: (change: UserChange) => void) {
    this.#tokenLifeMs = tokenLifeMs;
    this.#onChange = onChange;
  }

  withNumber = (number: number): User | undefined => this.#byNumber.get(number);

  /** An unknown user is created. */
  ensure(userId: string): User {
    const known = this.#users.get(userId);
    if (known !== undefined) return known;
    const unmarked = { isRestricted: false, tokens: [], secretKeys: [] };
    return this.#put({ userId, number: this.#numberFor(userId), ...unmarked });
  }

  restrict(userId: string, isRestricted: boolean): void {
    this.#put({ ...this.ensure(userId), isRestricted });
  }

  /** The user's newest valid token; a new one when there is none. */
  ensureToken(userId: string, now: number): Token {
    const user = this.ensure(userId);
    return user.tokens.findLast((token) => token.expiresAt > now) ?? this.#mint(user, now);
  }

  /** Called by the login page when the user consents. */
  registerSecretKey(userId: string, secretKey: string): void {
    const user = this.ensure(userId);
    const others = user.secretKeys.filter((key) => key !== secretKey);
    this.#put({ ...user, secretKeys: [...others, secretKey].slice(-tokensKept) });
  }

  /** Exchanges a secret key for a new token, once; undefined when it is unknown or was used. */
  redeem(user: User, secretKey: string, now: number): Token | undefined {
    if (!user.secretKeys.includes(secretKey)) return undefined;
    return this.#mint({ ...user, secretKeys: user.secretKeys.filter((key) => key !== secretKey) }, now);
  }

  /** The user, when the token is theirs and has not expired. */
  authenticate(userId: string, token: string, now: number): User | undefined {
    const user = this.#find(userId);
    const known = user?.tokens.find((candidate) => candidate.token === token);
    return known !== undefined && known.expiresAt > now ? user : undefined;
  }

  /** False when there is no such user. */
  expireTokens(userId: string, now: number): boolean {
    const user = this.#find(userId);
    if (user === undefined) return false;
    const expired = user.tokens.map((token) => ({ ...token, expiresAt: Math.min(token.expiresAt, now) }));
    this.#put({ ...user, tokens: expired });
    return true;
  }

  restore({ value }: UserChange): void {
    this.#users.set(value.userId, value);
    this.#byNumber.set(value.number, value);
  }

  *snapshot(): Generator<UserChange> {
    for (const value of this.#users.values()) yield { type: 'user', value };
  }

  /** By name, or by number. */
  #find(userId: string): User | undefined {
    return this.#users.get(userId) ?? this.#byNumber.get(Number(userId));
  }

  #numberFor(userId: string): number {
    const own = /^(0|[1-9]\d{0,9})$/.test(userId) ? Number(userId) : undefined;
    if (own !== undefined && own <= int32Max && !this.#byNumber.has(own)) return own;
    let number = firstNumberOfNames + this.#users.size;
    while (this.#byNumber.has(number)) number += 1;
    return number;
  }

  #mint(user: User, now: number): Token {
    const token = { token: randomUUID(), expiresAt: now + this.#tokenLifeMs };
    this.#put({ ...user, tokens: [...user.tokens, token].slice(-tokensKept) });
    return token;
  }

  #put(value: User): User {
    this.restore({ type: 'user', value });
    this.#onChange({ type: 'user', value });
    return value;
  }
}

/** A user as tests name it. The real marketplace knows int32 alone; a name gets a number of its own. */
export function readUserId(value: unknown): string {
  const userId = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof userId !== 'string' || !/^[\w.@-]{1,100}$/.test(userId))
    throw badRequest('userId must be a number, or 1 to 100 letters, digits and . _ @ -');
  return userId;
}
