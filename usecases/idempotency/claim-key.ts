import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import {
  findClaim,
  insertClaim,
  removeExpired,
  takeClaimOver,
  type IdempotencyRow,
} from '../../store/accounts/idempotency.ts';
import type { Context } from '../context.ts';

export type Claimed =
  | { readonly outcome: 'ours'; readonly reservedId: string; readonly attempt: number }
  | { readonly outcome: 'answered'; readonly answerEncrypted: string; readonly fingerprint: string };

interface ClaimWish {
  readonly id: string;
  /** null: not known before the body has been read, so the caller compares it with a found answer. */
  readonly fingerprint: string | null;
  /** Never starts an attempt: an unfinished request is answered as running. */
  readonly onlyLook?: boolean;
}

type Needs = Pick<Context, 'store' | 'now' | 'newId'>;

/** Lifetime of a key, from its last attempt and again from its answer. */
export const keptMs = 24 * 3_600_000;
/** No request runs that long: its process has died, or has lost the database. */
const abandonedAfterMs = 60_000;
/** A round without a decision was lost to another call with the same key. */
const roundsMax = 20;

/**
 * Claims the key for this call, or finds the stored answer. Throws {@link Refusal} VALIDATION_FAILED for another query or body
 * under the same key, and REQUEST_IN_PROGRESS while another call runs.
 */
export async function claimKey(context: Needs, scope: Scope, wish: ClaimWish): Promise<Claimed> {
  for (let round = 0; round < roundsMax; round += 1) {
    const claimed = (await begin(context, scope, wish)) ?? (await joinExisting(context, wish));
    if (claimed !== null) return claimed;
    // A majority read trails the newest write by a few milliseconds.
    await pause(2 + round);
  }
  throw requestInProgress();
}

async function begin({ store, now, newId }: Needs, scope: Scope, wish: ClaimWish): Promise<Claimed | null> {
  if (wish.onlyLook === true) return null;
  const reservedId = newId();
  const isOurs = await insertClaim(store, {
    _id: wish.id,
    accountId: scope.actingAccountId,
    fingerprint: wish.fingerprint ?? '',
    reservedId,
    attempt: 1,
    answerEncrypted: null,
    ...timesOf(now()),
  });
  return isOurs ? { outcome: 'ours', reservedId, attempt: 1 } : null;
}

/** Returns null when the row is gone or has just changed; the caller looks again. */
async function joinExisting({ store, now }: Needs, wish: ClaimWish): Promise<Claimed | null> {
  const row = await findClaim(store, wish.id);
  if (row === null) return null;
  const at = now();
  if (row.purgeAt <= at) {
    await removeExpired(store, row);
    return null;
  }
  if (wish.fingerprint !== null && row.fingerprint !== wish.fingerprint) throw usedOtherwise();
  const { answerEncrypted, fingerprint } = row;
  if (answerEncrypted !== null) return { outcome: 'answered', answerEncrypted, fingerprint };
  const ageMs = at.getTime() - row.claimedAt.getTime();
  if (wish.onlyLook === true || ageMs < abandonedAfterMs) throw requestInProgress(ageMs);
  return takeOver(store, row, at);
}

async function takeOver(store: Context['store'], row: IdempotencyRow, at: Date): Promise<Claimed | null> {
  const isOurs = await takeClaimOver(store, row, timesOf(at));
  return isOurs ? { outcome: 'ours', reservedId: row.reservedId, attempt: row.attempt + 1 } : null;
}

export const usedOtherwise = (): Refusal =>
  validationFailed([{ field: 'Idempotency-Key', message: 'was used before with another body or query' }]);

export const timesOf = (at: Date) => ({ claimedAt: at, purgeAt: new Date(at.getTime() + keptMs) });

/** The wait grows with the age of the request, but ends when the claim may be taken over. */
export function requestInProgress(ageMs = 0): Refusal {
  const waitMs = Math.max(1_000, Math.min(ageMs, abandonedAfterMs - ageMs));
  const message = 'The first request with this Idempotency-Key is still running; send it again later';
  return new Refusal('REQUEST_IN_PROGRESS', message, { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
}
