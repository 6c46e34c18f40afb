import { afterDelivered, afterGivenUp, afterProof } from '../../core/webhooks/endpoint-life.ts';
import { attemptsMax, attemptTimeoutMs, waitAfterFailedAttemptMs } from '../../core/webhooks/retry-schedule.ts';
import type { AttemptOutcome } from '../../gateways/webhook-sender/port.ts';
import {
  attemptIdOf,
  type Completion,
  type Delivery,
  type DeliveryAttempt,
} from '../../store/deliveries/deliveries.ts';
import type { DeliveryDependencies, DeliveryStep, HeldUp } from './delivery-dependencies.ts';
import { untilStored } from './until-stored.ts';

/** So long the answer that a receiver gave is worth remembering; then another process may take the attempt for interrupted. */
export const recordingMaxMs = attemptTimeoutMs;

/** Writes what an attempt came to, and says what is next. A moment without the database is waited for. */
export async function recordOutcome(
  dependencies: DeliveryDependencies,
  delivery: Delivery,
  outcome: AttemptOutcome,
): Promise<DeliveryStep> {
  const at = dependencies.now();
  const attempt = logRecord(delivery, outcome, at);
  const waitMs = waitAfter(delivery, outcome);
  if (outcome.kind === 'failed' && waitMs !== null) {
    const retryAt = new Date(at.getTime() + waitMs);
    const nextAttemptAt = new Date(retryAt.getTime() + sweepGraceMs);
    await record(dependencies, delivery, {
      attempt,
      ...{ state: 'pending', retryAt, nextAttemptAt },
      alsoWrite: noMore,
    });
    return {
      kind: 'wait',
      forMs: waitMs,
      lastError: `attempt ${delivery.attempts} of ${attemptsMax}: ${outcome.error}`,
      why: await heldUp(dependencies, delivery, 'receiver'),
    };
  }
  await record(dependencies, delivery, {
    attempt,
    state: outcome.kind === 'succeeded' ? 'succeeded' : 'given_up',
    ...{ retryAt: null, nextAttemptAt: null },
    alsoWrite: noteEnd(dependencies, delivery, { outcome, at }),
  });
  return { kind: 'closed' };
}

async function record(
  { deliveries, tell }: DeliveryDependencies,
  delivery: Delivery,
  completion: Completion,
): Promise<void> {
  await untilStored(() => deliveries.complete(delivery, completion), recordingMaxMs);
  tell({ ...completion, delivery });
}

/** 410 ends a delivery at once. */
const waitAfter = ({ attempts, purpose }: Delivery, outcome: AttemptOutcome): number | null =>
  outcome.kind === 'succeeded' || outcome.gone ? null : waitAfterFailedAttemptMs(attempts, purpose);

/** Only new events count in `failCount`; a test or a redelivery that gets through proves that the endpoint answers again. */
function noteEnd(
  { changeEndpoint }: DeliveryDependencies,
  delivery: Delivery,
  { outcome, at }: { outcome: AttemptOutcome; at: Date },
): Completion['alsoWrite'] {
  const { purpose } = delivery;
  if (purpose === 'recovery' || (purpose !== 'event' && outcome.kind === 'failed')) return noMore;
  return changeEndpoint(delivery, (life) => {
    if (outcome.kind === 'failed') return afterGivenUp(life, { error: outcome.error, now: at });
    return purpose === 'event' ? afterDelivered(life, at) : afterProof(life, at);
  });
}

/** The workflow's own timer comes first; the sweep only takes over what was lost. */
export const sweepGraceMs = 5_000;
const noMore = (): Promise<void> => Promise.resolve();

export function logRecord(delivery: Delivery, outcome: AttemptOutcome, at: Date): DeliveryAttempt {
  return {
    _id: attemptIdOf(delivery),
    accountId: delivery.accountId,
    deliveryId: delivery._id,
    endpointId: delivery.endpointId,
    eventId: delivery.eventId,
    externalId: delivery.externalId,
    eventType: delivery.eventType,
    attempt: delivery.attempts,
    status: outcome.kind === 'succeeded' ? 'success' : 'failed',
    errorMessage: outcome.kind === 'succeeded' ? null : outcome.error,
    httpStatus: outcome.httpStatus,
    durationMs: outcome.durationMs,
    responseStart: outcome.responseStart,
    ...(delivery.changedBody !== null && { body: delivery.changedBody }),
    createdAt: at,
  };
}

/** What an operator reads while the delivery waits. */
export const heldUp = async (
  { memberOf }: DeliveryDependencies,
  { attempts, endpointId, aboutAccountId }: Delivery,
  reason: HeldUp['reason'],
): Promise<HeldUp> => ({
  ...{ reason, attempts, endpoint: endpointId ?? 'account' },
  // The attempt is recorded: that nobody can say whose it is must not undo that.
  member: (await memberOf?.(aboutAccountId).catch(() => null)) ?? null,
});
