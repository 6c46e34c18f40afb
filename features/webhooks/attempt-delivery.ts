import { attemptLeaseMs } from './rules/retry-schedule.ts';
import type { AttemptOutcome, PreparedAttempt } from '../../gateways/webhook-sender/port.ts';
import { closeUnsent, reserveAttempt } from './store/waiting-deliveries.ts';
import { findPendingDelivery, type Delivery, type DeliveryKey } from './store/deliveries.ts';
import { findLogged, type DeliveryAttemptRow } from './store/delivery-attempts.ts';
import { findDestination, type Destination } from './store/webhook-targets.ts';
import {
  mayBeSent,
  presentBodies,
  signedAttempt,
  type AttemptResult,
  type DeliveryContext,
  type MayBeSent,
} from './prepare-attempt.ts';
import type { AttemptPermit } from './receiver-slots.ts';

/** `busy`: nothing was done; ask again. */
export type AttemptAnswer =
  | AttemptResult
  | { readonly kind: 'busy'; readonly because: string; readonly againInMs: number };

export interface BegunAttempt {
  /** It counts this attempt already. */
  readonly delivery: Delivery;
  readonly destination: Destination;
  readonly attempt: PreparedAttempt;
  readonly slot: AttemptPermit;
}

/**
 * Makes a begun attempt and stores its outcome. Every attempt of every delivery is made here: the first ones of events, retries,
 * tests, redeliveries, and what was missed.
 */
export async function makeAttempt(
  { outcomes, sender }: DeliveryContext,
  { delivery, destination, attempt, slot }: BegunAttempt,
): Promise<AttemptResult> {
  try {
    // An explicit trace, because many attempts begin in one turn and the current span may belong to another one.
    const outcome = await slot.send(() => sender.send({ trace: {}, ...attempt }));
    return await outcomes.record({ delivery, destination, outcome, sent: attempt });
  } finally {
    slot.release();
  }
}

/**
 * Makes the attempt with this number: reserve, send, record. One that was begun before, by a process that has died, is not made
 * again: it is logged as interrupted. So there are never more than five (protocol 15).
 */
export async function attemptDelivery(
  context: DeliveryContext,
  key: DeliveryKey,
  attempt: number,
): Promise<AttemptAnswer> {
  const delivery = await findPendingDelivery(context.store, key);
  // A row that has made fewer attempts than its workflow is of a restored database: a relay starts it anew.
  if (delivery === null || delivery.attempts < attempt - 1) return 'closed';
  if (isUnrecorded(delivery)) {
    const last = await takeOver(context, delivery);
    return last === 'failed' && delivery.attempts < attempt ? attemptDelivery(context, key, attempt) : last;
  }
  return delivery.attempts >= attempt ? 'failed' : attemptNext(context, delivery);
}

const isUnrecorded = ({ attempts, retryAt }: Delivery): boolean => attempts > 0 && retryAt === null;

async function attemptNext(context: DeliveryContext, delivery: Delivery): Promise<AttemptAnswer> {
  const { store, slots, now } = context;
  const body = (await presentBodies(store, [delivery]))(delivery);
  const may = mayBeSent(delivery, await findDestination(store, delivery), body);
  if (may.kind === 'end') {
    await closeUnsent(store, delivery, { ...may, now: now() });
    return 'closed';
  }
  const slot = await slots.wait({ accountId: delivery.accountId, url: may.destination.url }, slotWaitMs);
  if (slot === null) return { kind: 'busy', because: slowly, againInMs: 1 };
  try {
    return await sendNow(context, delivery, { may, slot });
  } finally {
    slot.release();
  }
}

/** While it waits, the attempt uses only memory. */
const slotWaitMs = 5_000;
const slowly = 'the receiver is slow, and as many attempts as it gets at once are under way';

type Sendable = Extract<MayBeSent, { kind: 'send' }>;

/** Signed first and reserved last, so that a delivery that can't be signed costs no attempt. */
async function sendNow(
  context: DeliveryContext,
  delivery: Delivery,
  { may: { destination, body }, slot }: { may: Sendable; slot: AttemptPermit },
): Promise<AttemptAnswer> {
  const { store, encryption, now } = context;
  const attempt = signedAttempt(encryption, { delivery, destination, body }, now());
  if (!(await reserveAttempt(store, delivery, now())))
    return { kind: 'busy', because: 'another process has begun this attempt', againInMs: 1_000 };
  const begun = { ...delivery, attempts: delivery.attempts + 1 };
  return makeAttempt(context, { delivery: begun, destination, attempt, slot });
}

/** Records the attempt of a process that has died. Until its lease ends it may still be under way. */
async function takeOver(context: DeliveryContext, delivery: Delivery): Promise<AttemptAnswer> {
  const { store, outcomes, now } = context;
  const leftMs = delivery.updatedAt.getTime() + attemptLeaseMs - now().getTime();
  if (leftMs > 0) return { kind: 'busy', because: 'an attempt has no recorded outcome yet', againInMs: leftMs };
  const destination = await findDestination(store, delivery);
  return outcomes.record({ delivery, destination, outcome: await lastOutcome(context, delivery) });
}

/**
 * The workflow's last act after five failures: closes the delivery and counts it against its target, in one transaction, if it is
 * still open. The fifteenth in a row disables an endpoint.
 */
export async function countFailure(context: DeliveryContext, key: DeliveryKey): Promise<void> {
  const { store, outcomes } = context;
  const delivery = await findPendingDelivery(store, key);
  if (delivery === null) return;
  const outcome = await lastOutcome(context, delivery);
  const destination = await findDestination(store, delivery);
  if (outcome.kind === 'succeeded') await outcomes.record({ delivery, destination, outcome });
  else await outcomes.giveUp({ delivery, destination, outcome });
}

/** The log may hold an outcome that the row lacks. A known success is never sent again. */
async function lastOutcome({ store, now }: DeliveryContext, delivery: Delivery): Promise<AttemptOutcome> {
  const logged = await findLogged(store, delivery);
  return logged === null ? interrupted(now().getTime() - delivery.updatedAt.getTime()) : outcomeOf(logged);
}

function outcomeOf({
  status,
  errorMessage,
  httpStatus,
  durationMs,
  responseStart,
}: DeliveryAttemptRow): AttemptOutcome {
  const answered = { durationMs, responseStart };
  if (status === 'success') return { ...answered, kind: 'succeeded', httpStatus: httpStatus ?? 200 };
  return { ...answered, kind: 'failed', gone: httpStatus === 410, httpStatus, error: errorMessage ?? '' };
}

const interrupted = (durationMs: number): AttemptOutcome => ({
  kind: 'failed',
  gone: false,
  httpStatus: null,
  error: 'interrupted: the sending process stopped before the answer was recorded',
  durationMs: Math.max(0, durationMs),
  responseStart: '',
});
