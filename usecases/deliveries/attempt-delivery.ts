import type { DeliveryId } from '../../core/ids.ts';
import { attemptTimeoutMs } from '../../core/webhooks/retry-schedule.ts';
import type { AttemptOutcome } from '../../gateways/webhook-sender/port.ts';
import type { Delivery, DeliveryAttempt } from '../../store/deliveries/deliveries.ts';
import type { DeliveryDependencies, DeliveryStep } from './delivery-dependencies.ts';
import { prepareAttempt } from './prepare-attempt.ts';
import { heldUp, recordOutcome, sweepGraceMs } from './record-outcome.ts';

/**
 * Makes one attempt of a delivery: reserve, send, record. Whoever comes after a crash finds the reserved attempt, logs it as
 * interrupted and goes on with the next number, so there are never more than five (protocol 15).
 */
export async function attemptDelivery(dependencies: DeliveryDependencies, id: DeliveryId): Promise<DeliveryStep> {
  const delivery = await dependencies.deliveries.findPending(id);
  if (delivery === null) return { kind: 'closed' };
  if (delivery.inFlightSince !== null) return takeOver(dependencies, delivery, delivery.inFlightSince);
  const earlyMs = (delivery.retryAt?.getTime() ?? 0) - dependencies.now().getTime();
  if (earlyMs > 0) return waitForRetry(dependencies, delivery, earlyMs);
  const admission = dependencies.health.tryBegin(delivery.target, { hasWaited: hasWaited(delivery) });
  if (admission.kind === 'wait') return waitInLine(dependencies, delivery, admission.forMs);
  let sent: AttemptOutcome | undefined;
  let made: Delivery;
  try {
    const prepared = await prepareAttempt(dependencies, delivery);
    if ('stopped' in prepared) return prepared.stopped;
    made = prepared.delivery;
    sent = await dependencies.sender.send(prepared.attempt);
  } finally {
    admission.end(sent && { succeeded: sent.kind === 'succeeded', durationMs: sent.durationMs });
  }
  return recordOutcome(dependencies, { ...made, attempts: delivery.attempts + 1 }, sent);
}

/** A first attempt that failed was made elsewhere: its error is in the log. */
async function waitForRetry(
  dependencies: DeliveryDependencies,
  delivery: Delivery,
  forMs: number,
): Promise<DeliveryStep> {
  const failed = await dependencies.deliveries.findLogged(delivery);
  const lastError = failed?.errorMessage ?? 'the wait was interrupted';
  return { kind: 'wait', forMs, lastError, why: await heldUp(dependencies, delivery, 'receiver') };
}

/** Then `waitInLine` moved `nextAttemptAt`, or the sweep, because its timer was lost. A recovery's one delivery counts as well. */
const hasWaited = ({ nextAttemptAt, retryAt, createdAt }: Delivery): boolean =>
  (nextAttemptAt?.getTime() ?? 0) > (retryAt ?? createdAt).getTime() + sweepGraceMs;

/** Counts as no attempt. The sweep leaves it alone meanwhile. */
async function waitInLine(
  dependencies: DeliveryDependencies,
  delivery: Delivery,
  forMs: number,
): Promise<DeliveryStep> {
  const { deliveries, now } = dependencies;
  await deliveries.releaseClaims([delivery._id], new Date(now().getTime() + forMs + sweepGraceMs));
  return {
    kind: 'wait',
    forMs,
    lastError: 'the receiver is slow, and as many attempts as it gets at once are under way',
    why: await heldUp(dependencies, delivery, 'receiver_slow'),
  };
}

/** Another process may still be at it: only what is older than an attempt can be was interrupted. */
async function takeOver(dependencies: DeliveryDependencies, delivery: Delivery, since: Date): Promise<DeliveryStep> {
  const overAt = since.getTime() + attemptTimeoutMs + recordingMs;
  const forMs = overAt - dependencies.now().getTime();
  if (forMs > 0) return { kind: 'wait', forMs, lastError: 'an attempt has no recorded outcome yet' };
  const logged = await dependencies.deliveries.findLogged(delivery);
  return recordOutcome(dependencies, delivery, logged === null ? interrupted(dependencies, since) : outcomeOf(logged));
}

/** The log may know what the record does not: a success that is known is never sent again. */
function outcomeOf({ status, errorMessage, httpStatus, durationMs, responseStart }: DeliveryAttempt): AttemptOutcome {
  const answered = { durationMs, responseStart };
  if (status === 'success') return { ...answered, kind: 'succeeded', httpStatus: httpStatus ?? 200 };
  return { ...answered, kind: 'failed', gone: httpStatus === 410, httpStatus, error: errorMessage ?? '' };
}

/** What reserving and recording take beside the sending, and by how much the clocks of two workers may differ. */
const recordingMs = 5_000;

const interrupted = ({ now }: DeliveryDependencies, since: Date): AttemptOutcome => ({
  kind: 'failed',
  gone: false,
  httpStatus: null,
  error: 'interrupted: the sending process stopped before the answer was recorded',
  durationMs: Math.max(0, now().getTime() - since.getTime()),
  responseStart: '',
});
