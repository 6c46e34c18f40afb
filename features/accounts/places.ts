import { Refusal } from '../rules/errors.ts';
import type { AccountId } from '../rules/ids.ts';

interface PlaceRules {
  /** Most places of one account in this process. */
  readonly eachMax: number;
  /** Most places of all accounts. */
  readonly allMax: number;
  readonly refusal: string;
  readonly retryAfterSeconds: number;
}

const rules = {
  /** Holds memory and a connection, perhaps for hours. */
  upload: {
    eachMax: 4,
    allMax: 32,
    retryAfterSeconds: 5,
    refusal: 'Too many uploads are on their way; wait until one has ended',
  },
  /** Reads a list to its end. */
  export: {
    eachMax: 2,
    allMax: 1_000,
    retryAfterSeconds: 5,
    refusal: 'Too many files are being made; wait until one has ended',
  },
} as const satisfies Record<string, PlaceRules>;

/** The places of one process for calls that last. */
export type AllPlaces = Readonly<Record<keyof typeof rules, Places>>;

export const createPlaces = (): AllPlaces => ({
  upload: new Places(rules.upload),
  export: new Places(rules.export),
});

/**
 * Bounds how many calls of a kind go on at once. When half of all places are taken, an account gets only its first one, so that
 * few accounts cannot take them all.
 */
export class Places {
  readonly #rules: PlaceRules;
  readonly #taken = new Map<AccountId, number>();
  #inAll = 0;

  constructor(placeRules: PlaceRules) {
    this.#rules = placeRules;
  }

  /** Takes a place, and returns what gives it back. Throws {@link Refusal} RATE_LIMITED when none is free for the account. */
  take(account: AccountId): () => void {
    const { eachMax, allMax, refusal, retryAfterSeconds } = this.#rules;
    const own = this.#taken.get(account) ?? 0;
    const isFree = own === 0 ? this.#inAll < allMax : own < eachMax && this.#inAll < allMax / 2;
    if (!isFree) throw new Refusal('RATE_LIMITED', refusal, { retryAfterSeconds });
    this.#change(account, 1);
    return () => this.#change(account, -1);
  }

  #change(account: AccountId, by: 1 | -1): void {
    const own = (this.#taken.get(account) ?? 0) + by;
    if (own === 0) this.#taken.delete(account);
    else this.#taken.set(account, own);
    this.#inAll += by;
  }
}
