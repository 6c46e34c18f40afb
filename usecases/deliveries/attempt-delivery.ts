import type { DeliveryId } from '../../core/ids.ts';
import { attemptsMax, disableAfterFailures, waitAfterFailedAttemptMs } from '../../core/webhooks/retry-schedule.ts';
import type { AttemptOutcome, PreparedAttempt, WebhookSender } from '../../gateways/webhook-sender/port.ts';
import type { Delivery, DeliveryAttempt, DeliveryStore } from '../../store/deliveries.ts';
import type { Destination } from '../../store/webhook-targets.ts';
import type { EndpointHealth } from './endpoint-health.ts';

/** What the delivery's workflow does next. */
export type DeliveryStep =
  | { readonly kind: 'closed' }
  | { readonly kind: 'wait'; readonly forMs: number; readonly lastError: string }
  /** Only for a cheap try: nothing was sent, the attempt belongs on the fair queue. */
  | { readonly kind: 'needs-queue' };

export interface DeliveryDependencies {
  readonly deliveries: DeliveryStore;
  readonly findDestination: (delivery: Delivery) => Promise<Destination | null>;
  /** Whether a members-scope target's reseller still manages the account that the event is about (protocol 13). */
  readonly isStillLinked: (delivery: Delivery) => Promise<boolean>;
  readonly sign: (destination: Destination, delivery: Delivery, sentAt: Date) => Readonly<Record<string, string>>;
  readonly sender: WebhookSender;
  readonly health: EndpointHealth;
  /** Bookkeeping of the endpoint, in the transaction that closes the delivery. */
  readonly endpointSucceeded: (delivery: Delivery) => Completion['alsoWrite'];
  readonly endpointFailed: (
    delivery: Delivery,
    options: { disableAfter: number; reason: string; now: Date },
  ) => Completion['alsoWrite'];
  readonly newAttemptId: () => string;
  readonly now: () => Date;
}

type Completion = Parameters<DeliveryStore['complete']>[1];

/**
 * Makes one attempt of a delivery: reserve, send, record. Whoever comes after a crash finds the reserved attempt, logs it as
 * interrupted and goes on with the next number, so there are never more than five (protocol 15).
 */
export async function attemptDelivery(
  dependencies: DeliveryDependencies,
  id: DeliveryId,
  options: { onlyIfCheap: boolean },
): Promise<DeliveryStep> {
  const delivery = await dependencies.deliveries.findPending(id);
  if (delivery === null) return { kind: 'closed' };
  if (delivery.inFlightSince !== null) return recordInterrupted(dependencies, delivery, delivery.inFlightSince);
  const earlyMs = (delivery.retryAt?.getTime() ?? 0) - dependencies.now().getTime();
  if (earlyMs > 0) return { kind: 'wait', forMs: earlyMs, lastError: 'the wait was interrupted' };
  const key = healthKey(delivery);
  if (!dependencies.health.tryBegin(key, options)) return { kind: 'needs-queue' };
  let sent: AttemptOutcome | undefined;
  try {
    const prepared = await prepare(dependencies, delivery);
    if ('stopped' in prepared) return prepared.stopped;
    sent = await dependencies.sender.send(prepared.attempt);
  } finally {
    dependencies.health.end(key, sent && { succeeded: sent.kind === 'succeeded', durationMs: sent.durationMs });
  }
  return recordOutcome(dependencies, { ...delivery, attempts: delivery.attempts + 1 }, sent);
}

const healthKey = (delivery: Delivery): string => delivery.endpointId ?? `account-${delivery.accountId}`;

type Prepared = { readonly attempt: PreparedAttempt } | { readonly stopped: DeliveryStep };

/** Signed first and reserved last, so that what can't be signed costs no attempt. */
async function prepare(dependencies: DeliveryDependencies, delivery: Delivery): Promise<Prepared> {
  const { deliveries, findDestination, isStillLinked, sign, now } = dependencies;
  const destination = await findDestination(delivery);
  if (destination === null || !(await isStillLinked(delivery))) return close(dependencies, delivery, 'stopped');
  if (!destination.active) return close(dependencies, delivery, 'held');
  const attempt = { url: destination.url, body: delivery.body, headers: sign(destination, delivery, now()) };
  return (await deliveries.reserve(delivery, now())) ? { attempt } : { stopped: { kind: 'closed' } };
}

async function close(
  { deliveries, now }: DeliveryDependencies,
  delivery: Delivery,
  state: 'held' | 'stopped',
): Promise<Prepared> {
  await deliveries.close(delivery, state, now());
  return { stopped: { kind: 'closed' } };
}

function recordInterrupted(dependencies: DeliveryDependencies, delivery: Delivery, since: Date): Promise<DeliveryStep> {
  return recordOutcome(dependencies, delivery, {
    kind: 'failed',
    gone: false,
    httpStatus: null,
    error: 'interrupted: the sending process stopped before the answer was recorded',
    durationMs: Math.max(0, dependencies.now().getTime() - since.getTime()),
    responseStart: '',
  });
}

async function recordOutcome(
  dependencies: DeliveryDependencies,
  delivery: Delivery,
  outcome: AttemptOutcome,
): Promise<DeliveryStep> {
  const at = dependencies.now();
  const attempt = logRecord(delivery, outcome, { id: dependencies.newAttemptId(), at });
  if (outcome.kind === 'succeeded') {
    const alsoWrite = dependencies.endpointSucceeded(delivery);
    await dependencies.deliveries.complete(delivery, {
      attempt,
      state: 'succeeded',
      retryAt: null,
      nextAttemptAt: null,
      alsoWrite,
    });
    return { kind: 'closed' };
  }
  const waitMs = outcome.gone ? null : waitAfterFailedAttemptMs(delivery.attempts);
  if (waitMs === null) {
    const reason = `disabled after ${disableAfterFailures} deliveries in a row were given up; the last error was: ${outcome.error}`;
    const alsoWrite = dependencies.endpointFailed(delivery, { disableAfter: disableAfterFailures, reason, now: at });
    await dependencies.deliveries.complete(delivery, {
      attempt,
      state: 'given_up',
      retryAt: null,
      nextAttemptAt: null,
      alsoWrite,
    });
    return { kind: 'closed' };
  }
  const retryAt = new Date(at.getTime() + waitMs);
  const nextAttemptAt = new Date(retryAt.getTime() + sweepGraceMs);
  await dependencies.deliveries.complete(delivery, {
    attempt,
    state: 'pending',
    retryAt,
    nextAttemptAt,
    alsoWrite: noMore,
  });
  return { kind: 'wait', forMs: waitMs, lastError: `attempt ${delivery.attempts} of ${attemptsMax}: ${outcome.error}` };
}

/** The workflow's own timer comes first; the sweep only takes over what was lost. */
const sweepGraceMs = 5_000;
const noMore = (): Promise<void> => Promise.resolve();

function logRecord(delivery: Delivery, outcome: AttemptOutcome, log: { id: string; at: Date }): DeliveryAttempt {
  return {
    _id: log.id,
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
    createdAt: log.at,
  };
}
