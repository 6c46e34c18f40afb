import type { DeliveryId } from '../../core/ids.ts';
import { afterDelivered, afterGivenUp, afterProof, type EndpointLife } from '../../core/webhooks/endpoint-life.ts';
import {
  attemptsMax,
  attemptTimeoutMs,
  waitAfterFailedAttemptMs,
  type DeliveryPurpose,
} from '../../core/webhooks/retry-schedule.ts';
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
  /** What to send now; null when a members-scope target's reseller manages the account no longer (protocol 13). */
  readonly presentBody: (delivery: Delivery) => Promise<Buffer | null>;
  readonly sign: (destination: Destination, delivery: Delivery, sentAt: Date) => Readonly<Record<string, string>>;
  readonly sender: WebhookSender;
  readonly health: EndpointHealth;
  /** Bookkeeping of the endpoint, in the transaction that closes the delivery; the account-level URL has none. */
  readonly changeEndpoint: (delivery: Delivery, next: (life: EndpointLife) => EndpointLife) => Completion['alsoWrite'];
  /** Says what was recorded: one line an attempt. */
  readonly tell: (recorded: Pick<Completion, 'attempt' | 'state'>) => void;
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
  if (delivery.inFlightSince !== null) return takeOver(dependencies, delivery, delivery.inFlightSince);
  const earlyMs = (delivery.retryAt?.getTime() ?? 0) - dependencies.now().getTime();
  if (earlyMs > 0) return { kind: 'wait', forMs: earlyMs, lastError: 'the wait was interrupted' };
  const asker = { delivery: id, hasWaited: hasWaited(delivery), ...options };
  const admission = dependencies.health.tryBegin(delivery.target, asker);
  if (admission.kind === 'needs-queue') return admission;
  if (admission.kind === 'wait') return waitInLine(dependencies, delivery, admission.forMs);
  let sent: AttemptOutcome | undefined;
  let made: Delivery;
  try {
    const prepared = await prepare(dependencies, delivery);
    if ('stopped' in prepared) return prepared.stopped;
    made = prepared.delivery;
    sent = await dependencies.sender.send(prepared.attempt);
  } finally {
    admission.end(sent && { succeeded: sent.kind === 'succeeded', durationMs: sent.durationMs });
  }
  return recordOutcome(dependencies, { ...made, attempts: delivery.attempts + 1 }, sent);
}

/** Then `waitInLine` moved `nextAttemptAt`, or the sweep, because its timer was lost. A recovery's one delivery counts as well. */
const hasWaited = ({ nextAttemptAt, retryAt, createdAt }: Delivery): boolean =>
  (nextAttemptAt?.getTime() ?? 0) > (retryAt ?? createdAt).getTime() + sweepGraceMs;

/** Counts as no attempt. The sweep leaves it alone meanwhile. */
async function waitInLine(
  { deliveries, now }: DeliveryDependencies,
  delivery: Delivery,
  forMs: number,
): Promise<DeliveryStep> {
  await deliveries.releaseClaims([delivery._id], new Date(now().getTime() + forMs + sweepGraceMs));
  return {
    kind: 'wait',
    forMs,
    lastError: 'the receiver is slow, and as many attempts as it gets at once are under way',
  };
}

type Prepared = { readonly attempt: PreparedAttempt; readonly delivery: Delivery } | { readonly stopped: DeliveryStep };

/** Signed first and reserved last, so that what can't be signed costs no attempt. */
async function prepare(dependencies: DeliveryDependencies, stored: Delivery): Promise<Prepared> {
  const { deliveries, findDestination, presentBody, sign, now } = dependencies;
  const [destination, body] = [await findDestination(stored), await presentBody(stored)];
  const may = mayBeSent(stored, destination, body);
  if (may.kind === 'end') {
    await deliveries.close(stored, { ...may.end, now: now() });
    return { stopped: { kind: 'closed' } };
  }
  const headers = sign(may.destination, { ...stored, body: may.body }, now());
  const attempt = { url: may.destination.url, body: may.body, headers };
  const delivery = { ...stored, changedBody: may.body === stored.body ? null : may.body };
  return (await deliveries.reserve(delivery, now())) ? { attempt, delivery } : { stopped: { kind: 'closed' } };
}

type UnsentEnd = Omit<Parameters<DeliveryStore['close']>[1], 'now'>;

type MayBeSent =
  | { readonly kind: 'send'; readonly destination: Destination; readonly body: Buffer }
  | { readonly kind: 'end'; readonly end: UnsentEnd };

/** What was set up may have changed since the event: it is looked at again before each attempt (protocol 13). */
function mayBeSent(delivery: Delivery, destination: Destination | null, body: Buffer | null): MayBeSent {
  const end = (state: 'held' | 'stopped', missed: boolean): MayBeSent => ({ kind: 'end', end: { state, missed } });
  // An account-level URL that was taken away may be set again, and its events recovered; a deleted endpoint is gone.
  if (destination === null) return end('stopped', delivery.endpointId === null);
  if (destination.scope !== delivery.scope || body === null) return end('stopped', false);
  if (!destination.active && !mayGoToDisabled.has(delivery.purpose)) return end('held', true);
  return { kind: 'send', destination, body };
}

/** A person asked for these, perhaps to see whether the endpoint can be enabled again. */
const mayGoToDisabled: ReadonlySet<DeliveryPurpose> = new Set(['test', 'redelivery']);

/** Somebody may still be at it: only what is older than an attempt can be was interrupted. */
function takeOver(dependencies: DeliveryDependencies, delivery: Delivery, since: Date): Promise<DeliveryStep> {
  const overAt = since.getTime() + attemptTimeoutMs + recordingMs;
  const forMs = overAt - dependencies.now().getTime();
  if (forMs <= 0) return recordInterrupted(dependencies, delivery, since);
  return Promise.resolve({ kind: 'wait', forMs, lastError: 'an attempt has no recorded outcome yet' });
}

/** What reserving and recording take beside the sending, and by how much the clocks of two workers may differ. */
const recordingMs = 5_000;

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
  await deliveries.complete(delivery, completion);
  tell(completion);
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
    ...(delivery.changedBody !== null && { body: delivery.changedBody }),
    createdAt: log.at,
  };
}
