import type { DeliveryId } from '../../core/ids.ts';
import { attemptTimeoutMs } from '../../core/webhooks/delivery.ts';
import type { AttemptOutcome } from '../../gateways/webhook-sender/port.ts';
import { closeUnsent, reserveAttempt } from '../../store/deliveries/claim-deliveries.ts';
import { findPendingDelivery, type Delivery } from '../../store/deliveries/deliveries.ts';
import { targetQueue } from '../../store/dispatch/due-rows.ts';
import { findLogged, type DeliveryAttemptRow } from '../../store/deliveries/delivery-attempts.ts';
import { findDestination } from '../../store/webhooks/webhook-targets.ts';
import {
  mayBeSent,
  presentBodies,
  signedAttempt,
  type DeliveryContext,
  type DeliveryStep,
  type MayBeSent,
} from './prepare-attempt.ts';
import type { Reservation } from './receiver-slots.ts';
import { recordOutcome } from './record-outcome.ts';

const closed: DeliveryStep = { kind: 'closed' };

/**
 * Makes the next attempt of a delivery: reserve, send, record. After a crash, the next process finds the reserved
 * attempt and logs it as interrupted. It goes on with the next number, so there are never more than five attempts
 * (protocol 15).
 */
export async function attemptDelivery(context: DeliveryContext, id: DeliveryId): Promise<DeliveryStep> {
  const delivery = await findPendingDelivery(context.store, id);
  if (delivery === null) return closed;
  const step = await attempt(context, delivery);
  if (step.kind === 'closed') context.ring(targetQueue('worker', delivery));
  return step;
}

async function attempt(context: DeliveryContext, delivery: Delivery): Promise<DeliveryStep> {
  const { store, slots, now } = context;
  if (delivery.inFlightSince !== null) return takeOver(context, delivery, delivery.inFlightSince);
  const earlyMs = (delivery.retryAt?.getTime() ?? 0) - now().getTime();
  if (earlyMs > 0) return { kind: 'wait', forMs: earlyMs, lastError: 'the wait is not over' };
  const may = mayBeSent(
    delivery,
    await findDestination(store, delivery),
    (await presentBodies(store, [delivery]))(delivery),
  );
  if (may.kind === 'end') {
    await closeUnsent(store, delivery, { ...may, now: now() });
    return closed;
  }
  const slot = await slots.wait({ accountId: delivery.accountId, url: may.destination.url }, slotWaitMs);
  if (slot === null) return { kind: 'wait', forMs: slotWaitMs, lastError: slowly };
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
  { may: { destination, body }, slot }: { may: Sendable; slot: Reservation },
): Promise<DeliveryStep> {
  const { store, encryption, sender, workerId: claim, now } = context;
  const attempt = signedAttempt(encryption, { delivery, destination, body }, now());
  const changedBody = body === delivery.body ? null : body;
  if (!(await reserveAttempt(store, { ...delivery, changedBody }, { claim, now: now() }))) return closed;
  const outcome = await slot.send(() => sender.send(attempt));
  const made = { ...delivery, changedBody, attempts: delivery.attempts + 1 };
  const { headers } = attempt;
  return recordOutcome(context, { delivery: made, outcome, headers, failCount: destination.failCount });
}

/** Takes over an attempt of another process. Only one that is older than an attempt can last counts as interrupted. */
export async function takeOver(context: DeliveryContext, delivery: Delivery, since: Date): Promise<DeliveryStep> {
  const { store, now } = context;
  const overAt = since.getTime() + attemptTimeoutMs + recordingMs;
  // When the attempt's process has ended, its due date is in the past.
  const forMs = (delivery.due?.at ?? now()) <= now() ? 0 : overAt - now().getTime();
  if (forMs > 0) return { kind: 'wait', forMs, lastError: 'an attempt has no recorded outcome yet' };
  const logged = await findLogged(store, delivery);
  const outcome = logged === null ? interrupted(now().getTime() - since.getTime()) : outcomeOf(logged);
  const destination = await findDestination(store, delivery);
  return recordOutcome(context, { delivery, outcome, failCount: destination?.failCount ?? 0 });
}

/** The log may hold an outcome that the row lacks. A known success is never sent again. */
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

/** Reserving and recording take up to this long, in addition to the sending. */
const recordingMs = 5_000;

const interrupted = (durationMs: number): AttemptOutcome => ({
  kind: 'failed',
  gone: false,
  httpStatus: null,
  error: 'interrupted: the sending process stopped before the answer was recorded',
  durationMs: Math.max(0, durationMs),
  responseStart: '',
});
