import { Refusal } from '../../core/errors.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';

/** Most parallel uploads in one process: of one acting account, and in all. */
const accountMax = 4;
const processMax = 32;
/** From this number on an account gets only its first place, so a few accounts can't take all places. */
const sharedMax = processMax / 2;
const retryAfterSeconds = 5;

export type HoldPlace = <Result>(scope: Scope, upload: () => Promise<Result>) => Promise<Result>;

/**
 * Limits parallel uploads: each may take hours, and holds memory and a connection. Throws {@link Refusal} RATE_LIMITED when no
 * place is free.
 */
export function createUploadPlaces(): HoldPlace {
  const taken = new Map<AccountId, number>();
  let inAll = 0;
  const change = (accountId: AccountId, by: 1 | -1): void => {
    const own = (taken.get(accountId) ?? 0) + by;
    if (own === 0) taken.delete(accountId);
    else taken.set(accountId, own);
    inAll += by;
  };
  const isFree = (own: number): boolean => (own === 0 ? inAll < processMax : own < accountMax && inAll < sharedMax);
  return async ({ actingAccountId }, upload) => {
    if (!isFree(taken.get(actingAccountId) ?? 0))
      throw new Refusal('RATE_LIMITED', 'Too many uploads are on their way; wait until one has ended', {
        retryAfterSeconds,
      });
    change(actingAccountId, 1);
    try {
      return await upload();
    } finally {
      change(actingAccountId, -1);
    }
  };
}
