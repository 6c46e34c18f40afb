import { Refusal, refusalStatus } from '../rules/errors.ts';
import { problem } from '../rules/field-problems.ts';
import type { Scope } from '../rules/scope.ts';
import { secretContexts } from '../rules/secret-contexts.ts';
import { validationFailed } from '../../schemas/compile-schema.ts';
import { untilWon } from '../../platform/concurrency/until-won.ts';
import { fingerprintOf } from '../../platform/security/fingerprint.ts';
import {
  findClaim,
  insertClaim,
  refreshClaim,
  releaseClaim,
  removeClaim,
  removeExpired,
  storeAnswer,
  takeClaimOver,
  type Claim,
  type IdempotencyRow,
} from './store/idempotency.ts';
import type { Context } from '../context.ts';

/** The parts of an answer that are stored for a repetition. */
export interface StoredAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OnceRequest {
  /** Value of `Idempotency-Key`. */
  readonly key: string;
  /** Method, and path with the values of its parameters. Together with the accounts they are the scope of the key. */
  readonly target: readonly string[];
  /** Query and body, which must be the same when the key is used again. Of a streamed body only after it was read to its end. */
  readonly fingerprint: () => string;
  /** Only for a streamed body, which may take hours: reads the rest of it. */
  readonly drain?: () => Promise<void>;
  /** Executes the request. Its scope carries the reserved id for the object it creates. */
  readonly work: (scope: Scope) => Promise<StoredAnswer>;
}

export interface OnceAnswer {
  readonly answer: StoredAnswer;
  readonly isReplayed: boolean;
}

export type OnceContext = Pick<Context, 'store' | 'encryption' | 'logger' | 'now' | 'newId'>;

/** A quarter of the time after which an attempt counts as abandoned. */
const stillRunningMs = 15_000;

/**
 * Executes a request with an `Idempotency-Key` once in 24 hours over all processes, and gives repetitions the first answer
 * (protocol 22). Only success is stored: a refused request has created nothing, so its key is free again. For a streamed body the
 * claim is renewed while the attempt runs, and the body is compared once it has been read. Throws {@link Refusal}
 * VALIDATION_FAILED for a key used with another query or body, REQUEST_IN_PROGRESS while the first request runs, and what `work`
 * and `drain` throw.
 */
export async function answerOnce(context: OnceContext, scope: Scope, request: OnceRequest): Promise<OnceAnswer> {
  const { fingerprint, drain, work } = request;
  const wish = { id: rowId(scope, request), fingerprint: drain === undefined ? fingerprint() : null };
  const claimed = await claimKey(context, scope, wish);
  if (claimed.outcome === 'answered') {
    await drain?.();
    return replay(context, wish.id, { ...claimed, sent: fingerprint() });
  }
  const { attempt, reservedId } = claimed;
  const claim: Claim = { _id: wish.id, attempt };
  const timer = drain && setInterval(() => stayYoung(context, claim), stillRunningMs);
  try {
    const answer = await work({ ...scope, reserved: { id: reservedId, attempt } });
    if (await keep(context, claim, { ...answer, fingerprint: fingerprint() })) return { answer, isReplayed: false };
  } catch (error) {
    await giveBack(context, claim, error);
    throw error;
  } finally {
    clearInterval(timer);
  }
  // Another call treated this attempt as dead. The later answer counts, because a secret made here may have been
  // replaced.
  const later = await claimKey(context, scope, { ...wish, onlyLook: true });
  if (later.outcome === 'answered') return replay(context, wish.id, { ...later, sent: fingerprint() });
  throw requestInProgress();
}

function stayYoung({ store, logger, now }: OnceContext, claim: Claim): void {
  refreshClaim(store, claim, timesOf(now())).catch((error: unknown) => {
    logger.warn({ err: error }, 'idempotency.claim_not_refreshed');
  });
}

/** A fingerprint, so that keys of any form make a short index and are not stored. */
const rowId = ({ accountId, actingAccountId }: Scope, { target, key }: Pick<OnceRequest, 'target' | 'key'>): string =>
  fingerprintOf(JSON.stringify([actingAccountId, accountId, ...target, key]));

const keep = (
  { store, encryption, now }: OnceContext,
  claim: Claim,
  { status, body, headers, fingerprint }: StoredAnswer & { readonly fingerprint: string },
): Promise<boolean> => {
  const text = JSON.stringify({ status, body, headers });
  return storeAnswer(store, claim, {
    answerEncrypted: encryption.encrypt(text, secretContexts.idempotentAnswer(claim._id)),
    purgeAt: new Date(now().getTime() + keptMs),
    fingerprint,
  });
};

function replay(
  { encryption }: OnceContext,
  id: string,
  { answerEncrypted, fingerprint, sent }: { answerEncrypted: string; fingerprint: string; sent: string },
): OnceAnswer {
  if (fingerprint !== sent) throw usedOtherwise();
  const text = encryption.decrypt(answerEncrypted, secretContexts.idempotentAnswer(id));
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the text is authenticated: only `keep` can have written it
  return { answer: JSON.parse(text) as StoredAnswer, isReplayed: true };
}

/**
 * A refused first attempt has created nothing, so its key may be used with a corrected body. Any other attempt may have had an
 * effect. So its reserved id stays, and the next call may take over at once.
 */
async function giveBack({ store, logger }: OnceContext, claim: Claim, error: unknown): Promise<void> {
  const isRefused = error instanceof Refusal && refusalStatus[error.code] < 500;
  try {
    await (isRefused && claim.attempt === 1 ? removeClaim(store, claim) : releaseClaim(store, claim));
  } catch (problem) {
    // The claim expires by itself; the caller still gets the answer to its request.
    logger.warn({ err: problem }, 'idempotency.claim_not_given_back');
  }
}

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
const keptMs = 24 * 3_600_000;
/** No request runs that long: its process has died, or has lost the database. */
const abandonedAfterMs = 60_000;
/** A round without a decision was lost to another call with the same key. */
const roundsMax = 20;

/**
 * Claims the key for this call, or finds the stored answer. Throws {@link Refusal} VALIDATION_FAILED for another query or body
 * under the same key, and REQUEST_IN_PROGRESS while another call runs.
 */
async function claimKey(context: Needs, scope: Scope, wish: ClaimWish): Promise<Claimed> {
  const claim = async (): Promise<Claimed | null> =>
    (await begin(context, scope, wish)) ?? (await joinExisting(context, wish));
  const claimed = await untilWon(claim, { rounds: roundsMax });
  if (claimed === null) throw requestInProgress();
  return claimed;
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

const usedOtherwise = (): Refusal => validationFailed([problem('Idempotency-Key', 'key_used')]);

const timesOf = (at: Date) => ({ claimedAt: at, purgeAt: new Date(at.getTime() + keptMs) });

/** The wait grows with the age of the request, but ends when the claim may be taken over. */
function requestInProgress(ageMs = 0): Refusal {
  const waitMs = Math.max(1_000, Math.min(ageMs, abandonedAfterMs - ageMs));
  const message = 'The first request with this Idempotency-Key is still running; send it again later';
  return new Refusal('REQUEST_IN_PROGRESS', message, { retryAfterSeconds: Math.ceil(waitMs / 1_000) });
}

/** Returns the id reserved for the call first, if there is one, then new ids. */
export function reservedFirst({ reserved }: Scope, newId: () => string): () => string {
  let next = reserved?.id;
  return () => {
    const id = next ?? newId();
    next = undefined;
    return id;
  };
}
