import { randomBytes } from 'node:crypto';
import { Refusal } from '../kit/fields.ts';

export interface Token {
  readonly token: string;
  /** Milliseconds of the simulated clock. */
  readonly expiresAt: number;
}

export interface User {
  readonly userId: string;
  /** Newest last; old ones stay, so that they get `TokenExpired` and not `InvalidToken`. */
  readonly tokens: readonly Token[];
  /** Registered by the login page and not yet exchanged for a token. */
  readonly secretKeys: readonly string[];
}

export type UserChange = { readonly type: 'user'; readonly value: User };

/** About 18 months, as the real one. */
const tokenLifetimeMs = 540 * 24 * 3600 * 1000;
const tokensKept = 20;

/** The marketplace's users with their tokens. */
export class UserBook {
  readonly #users = new Map<string, User>();
  readonly #onChange: (change: UserChange) => void;

  constructor(onChange: (change: UserChange) => void) {
    this.#onChange = onChange;
  }

  /** The user's newest valid token; a new one when there is none. An unknown user is created. */
  ensureToken(userId: string, now: number): Token {
    const user = this.#userOrNew(userId);
    return user.tokens.findLast((token) => token.expiresAt > now) ?? this.#mint(user, now);
  }

  /** Called by the login page when the user consents. */
  registerSecretKey(userId: string, secretKey: string): void {
    const user = this.#userOrNew(userId);
    this.#put({
      ...user,
      secretKeys: [...user.secretKeys.filter((key) => key !== secretKey), secretKey].slice(-tokensKept),
    });
  }

  /** Exchanges a secret key for a new token, once. */
  redeem(userId: string, secretKey: string, now: number): Token {
    const user = this.#users.get(userId);
    if (user === undefined || !user.secretKeys.includes(secretKey))
      throw new Refusal(401, 'InvalidSecretKey', 'the secret key is unknown or has been used');
    return this.#mint({ ...user, secretKeys: user.secretKeys.filter((key) => key !== secretKey) }, now);
  }

  /** Throws a 401 `InvalidToken` or `TokenExpired`. */
  check(userId: string, token: string, now: number): void {
    const known = this.#users.get(userId)?.tokens.find((candidate) => candidate.token === token);
    if (known === undefined) throw new Refusal(401, 'InvalidToken', 'the user or the token is unknown');
    if (known.expiresAt <= now) throw new Refusal(401, 'TokenExpired', 'the token has expired');
  }

  /** False when there is no such user. */
  expireTokens(userId: string, now: number): boolean {
    const user = this.#users.get(userId);
    if (user === undefined) return false;
    this.#put({
      ...user,
      tokens: user.tokens.map((token) => ({ ...token, expiresAt: Math.min(token.expiresAt, now) })),
    });
    return true;
  }

  restore({ value }: UserChange): void {
    this.#users.set(value.userId, value);
  }

  *snapshot(): Generator<UserChange> {
    for (const value of this.#users.values()) yield { type: 'user', value };
  }

  #userOrNew(userId: string): User {
    return this.#users.get(userId) ?? { userId, tokens: [], secretKeys: [] };
  }

  #mint(user: User, now: number): Token {
    const token = { token: randomBytes(24).toString('base64url'), expiresAt: now + tokenLifetimeMs };
    this.#put({ ...user, tokens: [...user.tokens, token].slice(-tokensKept) });
    return token;
  }

  #put(value: User): void {
    this.#users.set(value.userId, value);
    this.#onChange({ type: 'user', value });
  }
}
